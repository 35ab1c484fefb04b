// JSON pointers into a machine definition, for findings and failures.
import type { Transitions } from "#schema/definition/definition.ts";
import { childPointer } from "../../language/json-values.ts";

/** Extends a pointer by further parts. An empty part adds nothing, so that a finding can point to the object itself. */
export function pointer(base: string, ...parts: readonly (string | number)[]): string {
  return parts.filter((part) => part !== "").reduce<string>(childPointer, base);
}

/** The pointer of a state. The schema allows no character in a state's name that a pointer would have to escape. */
export function statePointer(path: string): string {
  return path === "" ? "" : `/states/${path.replaceAll(".", "/states/")}`;
}

export function transitionPointer(
  path: string,
  field: string,
  key: string | null,
  list: Transitions,
  index: number,
): string {
  const base = pointer(statePointer(path), field, key ?? "");
  return Array.isArray(list) ? pointer(base, index) : base;
}
