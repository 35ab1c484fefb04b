// Matches a text by the values in it, in any wording. Tests assert codes, pointers and values, because the wording of a text
// may change without a change of behaviour.
import { expect } from "vitest";

/** A text that contains each value as a word of its own: `pay` is not in "pays", and 100 is not in "1000". */
export function naming(...values: readonly (string | number)[]): string {
  return expect.stringMatching(namingPattern(...values)) as string; // it stands where a text is expected
}

/** The same for what takes a pattern: `toMatch`, `toThrow`. */
export function namingPattern(...values: readonly (string | number)[]): RegExp {
  // A sentence may begin with the name.
  return new RegExp(`^${values.map((value) => `(?=[^]*${alone(String(value))})`).join("")}`, "i");
}

/** A text that contains none of the values. */
export function notNaming(...values: readonly (string | number)[]): string {
  const any = values.map((value) => alone(String(value))).join("|");
  return expect.not.stringMatching(new RegExp(any)) as string; // as above
}

function alone(value: string): string {
  const before = /^\w/.test(value) ? String.raw`(?<!\w|\d\.)` : "";
  const after = /\w$/.test(value) ? String.raw`(?!\w|\.\d)` : "";
  return before + value.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`) + after;
}
