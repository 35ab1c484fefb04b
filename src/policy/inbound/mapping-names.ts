// Names in mappings: finds the rules and templates of a trigger that read a name which no request has. A template with
// such a name makes every delivery unmappable, and a rule reads null there.
import { parseCondition } from "#kernel/language/rule-findings.ts";
import { partsOf } from "#kernel/language/rule-parts.ts";
import { globalsIn } from "#kernel/language/template.ts";
import { childPointer } from "#kernel/language/json-values.ts";
import type { Trigger } from "#schema/inbound/trigger.ts";
import type { Json, Rule } from "#schema/json.ts";
import type { Warning } from "#schema/refusal.ts";

/** The names that rules and templates of a mapping can read. */
const NAMES: readonly string[] = ["request", "trigger", "tenant", "now"];
const REQUEST_FIELDS = new Set(["method", "headers", "query", "body", "deliveryId", "receivedAt"]);

/** A path such as `request.body.id`, and the place that reads it. */
type ReadPath = { readonly path: string; readonly where: string };

export function mappingNameWarnings({ when, sequence, target }: Pick<Trigger, "when" | "sequence" | "target">) {
  const { assign = {}, kind: _kind, ...templates } = target;
  const rules: readonly (readonly [rule: Rule | undefined, where: string])[] = [
    [typeof when === "string" ? parseCondition(when) : when, "/when"],
    [sequence?.value, "/sequence/value"],
    [sequence?.by, "/sequence/by"],
    ...Object.entries(assign).map(([name, rule]) => [rule, `/target/assign/${name}`] as const),
  ];
  const read = [
    ...rules.flatMap(([rule, where]) => (rule === undefined ? [] : pathsOfRule(rule, where))),
    ...pathsOfTemplates(templates as Json, "/target"), // The target is parsed JSON.
  ];
  return read.flatMap(({ path, where }) => (NAMES.includes(rootOf(path)) ? [] : [unknownName(path, where)]));
}

function pathsOfRule(rule: Rule, where: string): readonly ReadPath[] {
  const paths = partsOf(rule, where).filter(({ kind, text }) => kind === "path" && /^[a-zA-Z]/.test(text));
  return paths.map(({ text }) => ({ path: text, where }));
}

function pathsOfTemplates(value: Json, where: string): readonly ReadPath[] {
  if (typeof value === "string") return globalsIn(value).map((names) => ({ path: names.join("."), where }));
  if (value === null || typeof value !== "object") return [];
  // The items of JSON are JSON.
  return Object.entries(value).flatMap(([name, item]) => pathsOfTemplates(item as Json, childPointer(where, name)));
}

function rootOf(path: string): string {
  return path.replace(/\..*$/, "");
}

function unknownName(path: string, where: string): Warning {
  const fix = REQUEST_FIELDS.has(rootOf(path))
    ? `Write request.${path}.`
    : `Use one of these names: ${NAMES.join(", ")}, such as request.body.`;
  return { severity: "warning", pointer: where, code: "unknown_path", message: `mappings have no ${path}`, fix };
}
