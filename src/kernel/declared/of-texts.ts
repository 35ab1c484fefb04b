// Texts: checks them against a schema.
import type { DeclaredSchema } from "#schema/definition/declared.ts";
import type { Finding } from "#schema/refusal.ts";
import { assert } from "../assert.ts";
import { BYTES_PER_UNIT, spend, workOf } from "../computing/work.ts";
import { hasFormat } from "./formats.ts";
import { misfit, type At } from "./standpoint.ts";
import { isFound, type Pattern } from "./pattern.ts";
import { readPattern } from "./read-pattern.ts";

export function textMisfits(schema: DeclaredSchema, value: string, at: At): readonly Finding[] {
  const { minLength, maxLength, pattern, format } = schema;
  const out: Finding[] = [];
  if (minLength !== undefined || maxLength !== undefined) {
    spend(at.work, value.length / BYTES_PER_UNIT);
    const { length } = [...value]; // code points, not UTF-16 units
    if (length < Number(minLength ?? 0))
      out.push(misfit(at, "too_small", `must have at least ${minLength} characters`));
    if (length > Number(maxLength ?? Infinity))
      out.push(misfit(at, "too_big", `must have at most ${maxLength} characters`));
  }
  if (pattern !== undefined && !isFound(patternOf(schema, pattern), value, at.work)) {
    out.push(misfit(at, "invalid_format", `must match ${pattern}`));
  }
  if (format !== undefined) {
    spend(at.work, workOf.date + value.length / BYTES_PER_UNIT);
    if (!hasFormat(format, value)) out.push(misfit(at, "invalid_format", `is not a valid ${format}`, examples[format]));
  }
  return out;
}

const examples = {
  "date-time": "An instant with its offset, such as 2026-11-18T09:00:00Z.",
  date: "A day, such as 2026-11-18.",
  time: "A time with its offset, such as 09:00:00Z.",
  duration: "Such as P3D or PT1H30M.",
  email: "Such as ada@example.com.",
  uri: "Such as https://example.com/orders/17.",
  uuid: "Such as 0b5a9e6c-7c1d-4f0e-9a53-2f1c3d4e5f60.",
} as const;

/** Compiled once per schema that the isolate caches. */
const patterns = new WeakMap<DeclaredSchema, Pattern>();

function patternOf(schema: DeclaredSchema, text: string): Pattern {
  const known = patterns.get(schema);
  if (known) return known;
  const read = readPattern(text);
  assert(read.ok, `the pattern ${text} can be read: verify refuses other patterns`);
  patterns.set(schema, read.pattern);
  return read.pattern;
}
