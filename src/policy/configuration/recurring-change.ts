// Changes of a recurring action's settings: which fields differ, and which of them cannot be changed.
import { canonicalText } from "../versions/diff/align.ts";
import type { Json } from "#schema/json.ts";
import type { SpecChange } from "#schema/recurring/calls.ts";
import type { RecurringSpec, RecurringWork } from "#schema/recurring/spec.ts";
import type { Finding } from "#schema/refusal.ts";

/** Returns the fields of `after` that differ from `before`. */
export function specChange(before: RecurringSpec, after: RecurringSpec): SpecChange {
  const was: { readonly [field: string]: unknown } = before;
  // The entries of a spec are fields of a spec.
  return Object.fromEntries(Object.entries(after).filter(([field, value]) => !isSame(was[field], value))) as SpecChange;
}

/** Returns whether two works were written the same. The action that was derived from each is not compared. */
export function isSameWork(one: RecurringWork, other: RecurringWork): boolean {
  return isSame(asWritten(one), asWritten(other));
}

function asWritten(work: RecurringWork): unknown {
  return work.kind === "action" ? { ...work, action: null } : work;
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalText(plainJson(one)) === canonicalText(plainJson(other));
}

/** Removes absent fields, as storing the value does. */
function plainJson(value: unknown): Json {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as Json); // The text was just made from the value.
}

/** Returns a finding for each difference that only another recurring action can have. */
export function immutableFields(before: RecurringSpec, after: RecurringSpec): readonly Finding[] {
  const findings: Finding[] = [];
  if (before.namespace !== after.namespace) findings.push(immutable("/namespace", `is "${before.namespace}"`));
  if (before.work.kind === "action" && after.work.kind === "definition")
    findings.push(immutable("/definition", "is not allowed: this recurring action executes an action"));
  if (before.work.kind === "definition" && after.work.kind === "action")
    findings.push(immutable("/provider", "is not allowed: this recurring action starts a definition"));
  return findings;
}

function immutable(pointer: string, message: string): Finding {
  const hint = "Delete the recurring action, or create another one under another name.";
  return { pointer, code: "immutable", message: `${message}, and cannot be changed`, hint };
}
