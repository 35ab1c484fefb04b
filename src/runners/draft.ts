// Draft checks of an action's config: report only errors that no rendered template can fix. The complete check happens
// when the run is performed (run.ts).
import { z } from "zod";
import type { EgressOptions } from "#schema/egress/egress.ts";
import { writtenUrlFindings } from "#schema/egress/written-url.ts";
import { zodFindings } from "#schema/findings.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import type { Finding } from "#schema/refusal.ts";
import { runnerFor } from "./registry.ts";

type Issue = z.core.$ZodIssue;

/**
 * Returns the findings, with pointers relative to the config. Empty if the action's type is unknown, which the caller
 * reports.
 */
export function configFindings(type: string, config: JsonObject, terms: EgressOptions = PUBLIC_ONLY): Finding[] {
  const runner = runnerFor(type);
  if (runner === null) return [];
  const more = runner.draft === undefined ? [] : draftFindings(runner.draft, config);
  const called = writtenUrlFindings(config, runner.calls ?? [], terms);
  return [...draftFindings(runner.config, config), ...more, ...called];
}

const PUBLIC_ONLY: EgressOptions = { allowLoopback: false };

export function draftFindings(schema: z.ZodType, config: JsonObject): Finding[] {
  const result = schema.safeParse(config);
  if (result.success) return [];
  return zodFindings(
    new z.ZodError(result.error.issues.flatMap((issue) => issuesBesideTemplates(issue, config))),
    schema,
    config,
  );
}

/**
 * Returns the issues that no result of the templates can fix. Empty if a template replaces the value that has the
 * issue.
 */
function issuesBesideTemplates(issue: Issue, root: Json): Issue[] {
  const value = valueAt(root, issue.path);
  if (isTemplate(value)) return [];
  if (issue.code !== "invalid_union" || value === undefined) return [issue];
  // The union is accepted if at least one of its branches has only errors that templates may fix.
  const errors = issue.errors.map((branch) => branch.flatMap((inner) => issuesBesideTemplates(inner, value)));
  const isOpen = errors.some((branch, n) => branch.length === 0 && issue.errors[n]?.length !== 0);
  return isOpen ? [] : [{ ...issue, errors } as Issue]; // the same issue with fewer inner issues
}

function isTemplate(value: Json | undefined): boolean {
  return typeof value === "string" && (value.includes("{{") || value.includes("{%"));
}

function valueAt(root: Json, path: readonly PropertyKey[]): Json | undefined {
  let value: Json | undefined = root;
  for (const part of path) {
    if (value === null || typeof value !== "object") return undefined;
    value = (value as { readonly [key: PropertyKey]: Json })[part]; // a list has its items under their indexes
  }
  return value;
}
