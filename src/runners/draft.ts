// Draft checks of an action's config: templates replace numbers, URLs and choices, and only errors that no rendering
// can fix are reported. The full check happens when the run is performed (run.ts).
import { z } from "zod";
import type { EgressTerms } from "#schema/egress/egress.ts";
import { writtenUrlFindings } from "#schema/egress/written-url.ts";
import { zodFindings } from "#schema/findings.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import type { Finding } from "#schema/refusal.ts";
import { runnerFor } from "./registry.ts";

type Issue = z.core.$ZodIssue;

/** Pointers are relative to the config. The caller checks whether the type exists. */
export function configFindings(type: string, config: JsonObject, terms: EgressTerms = PUBLIC_ONLY): Finding[] {
  const runner = runnerFor(type);
  if (runner === null) return [];
  const more = runner.draft === undefined ? [] : draftFindings(runner.draft, config);
  const called = writtenUrlFindings(config, runner.calls ?? [], terms);
  return [...draftFindings(runner.config, config), ...more, ...called];
}

const PUBLIC_ONLY: EgressTerms = { allowLoopback: false };

export function draftFindings(schema: z.ZodType, config: JsonObject): Finding[] {
  const result = schema.safeParse(config);
  if (result.success) return [];
  return zodFindings(new z.ZodError(result.error.issues.flatMap((issue) => remaining(issue, config))), schema);
}

/** The remaining part of an issue: empty if a template replaces the value, because its result is unknown. */
function remaining(issue: Issue, root: Json): Issue[] {
  const value = valueAt(root, issue.path);
  if (isTemplate(value)) return [];
  if (issue.code !== "invalid_union" || value === undefined) return [issue];
  // A union branch that only templates violate may still match.
  const errors = issue.errors.map((branch) => branch.flatMap((inner) => remaining(inner, value)));
  const isOpen = errors.some((branch, n) => branch.length === 0 && issue.errors[n]?.length !== 0);
  return isOpen ? [] : [{ ...issue, errors } as Issue]; // fewer of the same inner issues, nothing else
}

function isTemplate(value: Json | undefined): boolean {
  return typeof value === "string" && (value.includes("{{") || value.includes("{%"));
}

function valueAt(root: Json, path: readonly PropertyKey[]): Json | undefined {
  let value: Json | undefined = root;
  for (const part of path) {
    if (value === null || typeof value !== "object") return undefined;
    value = (value as { readonly [key: PropertyKey]: Json })[part]; // lists have their items under their numbers
  }
  return value;
}
