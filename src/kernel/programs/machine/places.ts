// Where in a machine's definition something stands, as JSON pointers: findings carry them, and failures name their place.
import type { Transitions } from "#schema/definition/definition.ts";
import { childPointer } from "../../language/pointer.ts";

/** An empty part adds nothing: a finding about the thing itself. */
export function pointer(base: string, ...parts: readonly (string | number)[]): string {
  return parts.filter((part) => part !== "").reduce<string>(childPointer, base);
}

/** The names of states have nothing to escape. */
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
