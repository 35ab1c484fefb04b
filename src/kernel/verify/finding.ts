// Findings and the JSON pointers they carry (RFC 6901).
import type { Transitions } from "#schema/definition/definition.ts";
import type { Finding } from "#schema/refusal.ts";

export function finding(where: string, code: string, message: string, hint?: string): Finding {
  return { pointer: where, code, message, ...(hint === undefined ? {} : { hint }) };
}

/** An empty part adds nothing: a finding about the thing itself. */
export function pointer(base: string, ...parts: readonly (string | number)[]): string {
  return parts
    .filter((part) => part !== "")
    .reduce<string>((path, part) => `${path}/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`, base);
}

export function statePointer(path: string): string {
  return path === "" ? "" : pointer("", ...path.split(".").flatMap((key) => ["states", key]));
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
