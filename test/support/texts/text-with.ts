// What tests ask of a text: the values that it carries, so that its wording may change.
import { expect } from "vitest";

type Value = string | number;

/** A text that holds each of these values, in any order; what begins or ends with a letter or digit, as a whole word. */
export const textWith = (...values: readonly Value[]) => expect.stringMatching(withValues(...values));

/** The same as a regular expression, for `toMatch` and `toThrow`. */
export const withValues = (...values: readonly Value[]): RegExp =>
  new RegExp(`^${values.map((value) => `(?=[^]*${whole(String(value))})`).join("")}`);

function whole(value: string): string {
  const escaped = value.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  return `${/^\w/.test(value) ? "(?<!\\w)" : ""}${escaped}${/\w$/.test(value) ? "(?!\\w)" : ""}`;
}
