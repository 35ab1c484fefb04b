// Constructors of findings and warnings.
import type { InputSchemaObject } from "#schema/definition/input-schema.ts";
import type { Transitions } from "#schema/definition/definition.ts";
import type { Json } from "#schema/json.ts";
import { NAMES_LISTED_MAX } from "#schema/limits/definition-sizes.ts";
import type { Change, Finding, Warning } from "#schema/refusal.ts";

export function finding(where: string, code: string, message: string, hint?: string): Finding {
  return { pointer: where, code, message, ...(hint === undefined ? {} : { hint }) };
}

/**
 * The first names as a text for a hint. The number of names is limited, because a definition can have many findings
 * with a hint.
 */
export function listNames(names: Iterable<string>, none = "none"): string {
  return [...names].slice(0, NAMES_LISTED_MAX).join(", ") || none;
}

type Fix = { readonly fix: string; readonly patch?: readonly Change[] | null };

/** A warning. Following `fix` removes it. If there is a `patch`, a program can apply that JSON patch instead. */
export function warning(where: string, code: string, message: string, { fix, patch = null }: Fix): Warning {
  return { severity: "warning", pointer: where, code, message, fix, ...(patch === null ? {} : { patch }) };
}

export function hint(where: string, code: string, message: string, fix: Fix): Warning {
  return { ...warning(where, code, message, fix), severity: "hint" };
}

/** The part as JSON. Its type allows undefined fields, but a definition is parsed JSON and has none. */
export function jsonOf(part: Transitions | InputSchemaObject): Json {
  return JSON.parse(JSON.stringify(part)) as Json;
}
