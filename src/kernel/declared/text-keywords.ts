// Keywords of a declared schema for strings: length, pattern and format.
import { Temporal } from "temporal-polyfill";
import type { InputSchemaObject, SchemaFormat } from "#schema/definition/input-schema.ts";
import { isDurationText } from "#schema/definition/duration-text.ts";
import type { Finding } from "#schema/refusal.ts";
import { assert } from "../assert.ts";
import { BYTES_PER_UNIT, charge, workOf } from "../computing/work.ts";
import { isFound, type Pattern, readPattern } from "./pattern.ts";
import { violation, type CheckPlace } from "./keywords.ts";

export function textViolations(schema: InputSchemaObject, value: string, at: CheckPlace): readonly Finding[] {
  const { minLength, maxLength, pattern, format } = schema;
  const out: Finding[] = [];
  if (minLength !== undefined || maxLength !== undefined) {
    charge(at.work, value.length / BYTES_PER_UNIT);
    const { length } = [...value]; // The length counts characters (code points). A JavaScript length would count an emoji twice.
    if (length < Number(minLength ?? 0))
      out.push(violation(at, "too_small", `must have at least ${minLength} characters`));
    if (length > Number(maxLength ?? Infinity))
      out.push(violation(at, "too_big", `must have at most ${maxLength} characters`));
  }
  if (pattern !== undefined && !isFound(patternOf(schema, pattern), value, at.work)) {
    out.push(violation(at, "invalid_format", `must match ${pattern}`));
  }
  if (format !== undefined) {
    charge(at.work, workOf.date + value.length / BYTES_PER_UNIT);
    if (!hasFormat(format, value))
      out.push(violation(at, "invalid_format", `is not a valid ${format}`, examples[format]));
  }
  return out;
}

const examples = {
  "date-time": "Write an instant with its offset, such as 2026-11-18T09:00:00Z.",
  date: "Write a day, such as 2026-11-18.",
  time: "Write a time of day with its offset, such as 09:00:00Z.",
  duration: "Write an ISO 8601 duration, such as P3D or PT1H30M.",
  email: "Write an e-mail address, such as ada@example.com.",
  uri: "Write an absolute URI, such as https://example.com/orders/17.",
  uuid: "Write a UUID, such as 0b5a9e6c-7c1d-4f0e-9a53-2f1c3d4e5f60.",
} as const;

/** Compiled patterns by schema. A pattern is compiled once, and kept as long as the isolate caches its schema. */
const patterns = new WeakMap<InputSchemaObject, Pattern>();

function patternOf(schema: InputSchemaObject, text: string): Pattern {
  const known = patterns.get(schema);
  if (known) return known;
  const read = readPattern(text);
  assert(read.ok, `the pattern ${text} must be readable, because verify refuses other patterns`);
  patterns.set(schema, read.pattern);
  return read.pattern;
}

export function hasFormat(format: SchemaFormat, text: string): boolean {
  switch (format) {
    case "date-time":
      return DATE_TIME.test(text) && isDateTime(text);
    case "date":
      return /^\d{4}-\d\d-\d\d$/.test(text) && isParsable(() => Temporal.PlainDate.from(text));
    case "time":
      return TIME.test(text) && isDateTime(`2000-01-01T${text}`);
    case "duration":
      return isDurationText(text);
    case "email":
      return text.length <= EMAIL_CHARS_MAX && EMAIL.test(text);
    case "uri":
      return URI.test(text);
    case "uuid":
      return UUID.test(text);
  }
}

/** The maximal length of an e-mail address, which follows from the maximal length of a path in RFC 5321. */
const EMAIL_CHARS_MAX = 254;
const DATE_TIME = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
const TIME = /^\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/;
const EMAIL = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?$/;
const URI = /^[A-Za-z][A-Za-z0-9+.-]*:(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/**
 * Whether the text is a date-time. Temporal accepts at most nine digits of a second, so further digits are cut off
 * before.
 */
function isDateTime(text: string): boolean {
  const short = text.replace(/(\.\d{9})\d+/, "$1").toUpperCase();
  return isParsable(() => Temporal.Instant.from(short));
}

function isParsable(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}
