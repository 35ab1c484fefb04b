// Plain JSON: the type of the kernel's inputs and outputs, and of rules and templates.
import { z } from "zod";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/**
 * Any JSON value. It is checked in one pass. zod's own check would make an object for each value and take ten times as
 * long.
 */
export const json: z.ZodType<Json> = z
  .unknown()
  .transform((sent, context) => {
    const copy = copyOf(sent);
    if (copy !== undefined) return copy;
    context.issues.push({ code: "invalid_type", expected: "unknown", input: sent });
    return z.NEVER;
  })
  .meta({ id: "Json" });
export const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), json);

/** Returns true if the value is JSON, at every depth. */
export function isJson(made: unknown): boolean {
  if (made === null || typeof made === "string" || typeof made === "boolean") return true;
  if (typeof made === "number") return Number.isFinite(made);
  if (Array.isArray(made)) return isJsonList(made);
  return typeof made === "object" && isPlain(made) && isJsonWithin(made);
}

/** Checks a list by its indexes, because `every` ignores missing items. */
function isJsonList(made: readonly unknown[]): boolean {
  for (const item of made) if (!isJson(item)) return false;
  return true;
}

/**
 * Returns true if an object contains only JSON. The field name `__proto__` is refused, because a copy of the object
 * would lack the field.
 */
function isJsonWithin(made: object): boolean {
  for (const [key, item] of Object.entries(made)) if (key === "__proto__" || !isJson(item)) return false;
  return true;
}

function copyOf(made: unknown): Json | undefined {
  if (made === null || typeof made === "string" || typeof made === "boolean") return made;
  if (typeof made === "number") return Number.isFinite(made) ? made : undefined;
  if (Array.isArray(made)) return listOf(made);
  return typeof made === "object" && isPlain(made) ? objectOf(made) : undefined;
}

function listOf(made: readonly unknown[]): Json | undefined {
  const list: Json[] = [];
  for (const item of made) {
    const copy = copyOf(item);
    if (copy === undefined) return undefined;
    list.push(copy);
  }
  return list;
}

function objectOf(made: object): Json | undefined {
  const object: { [key: string]: Json } = {};
  for (const [key, item] of Object.entries(made)) {
    if (key === "__proto__") continue;
    const copy = copyOf(item);
    if (copy === undefined) return undefined;
    object[key] = copy;
  }
  return object;
}

function isPlain(made: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(made);
  return prototype === null || prototype === Object.prototype;
}

/** A JSONLogic rule. The kernel checks its operators. */
export const rule = json;
export type Rule = Json;

const QUOTE = 34;
const BACKSLASH = 92;

/**
 * Returns the nesting depth of a JSON text without parsing it. Callers refuse a text that is too deep, because later
 * code is recursive and the call stack is limited.
 */
export function depthOf(text: string): number {
  return jsonShape(text).depth;
}

export type JsonShape = {
  readonly depth: number;
  /**
   * An upper limit of the number of values in the text. It is computed from the number of commas, lists and objects.
   */
  readonly values: number;
};

/** Computes the depth and the number of values of a JSON text in one pass, without parsing the text. */
export function jsonShape(text: string): JsonShape {
  let [depth, deepest, values] = [0, 0, 1];
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) at = endOfString(text, at);
    else if (char === 44) values++;
    else if (char === 123 || char === 91) {
      depth++;
      values++;
      if (depth > deepest) deepest = depth;
    } else if (char === 125 || char === 93) depth--;
  }
  return { depth: deepest, values };
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

/** The number of digits that parsing always preserves, unless the exponent is extreme. */
export const EXACT_DIGITS = 15;
const EXTREME = /e[+-]?\d{3}/i;

/** Returns true if a number in a JSON text has the same value after parsing to a double. */
export function isExact(literal: string): boolean {
  if (literal.length <= EXACT_DIGITS && !EXTREME.test(literal)) return true;
  const value = Number(literal);
  if (Number.isNaN(value)) return true; // The text is not a number. The parser will refuse it, so nothing is lost silently.
  if (!Number.isFinite(value)) return false;
  const sent = decimalOf(literal);
  const kept = decimalOf(String(value));
  // The parsed number has the same digits and exponent as the text, so its value is the same.
  if (sent.digits === kept.digits && (sent.digits === "" || sent.exponent === kept.exponent)) return true;
  if (value === 0) return false;
  // A fraction is rounded to the nearest double, which is accepted. It is a loss only if the number is so large that
  // the integer part changes too.
  if (sent.exponent < 0) return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  // A double represents some integers with more digits exactly, so both values are compared. The parsed value is
  // finite, so the exponent is small enough for a BigInt.
  return BigInt(sent.digits) * 10n ** BigInt(sent.exponent) === BigInt(Math.abs(value));
}

type Decimal = { readonly digits: string; readonly exponent: number };

/** Returns the digits without zeros at either end, and the exponent. So 12.50e3 and 12500 give the same result. */
function decimalOf(literal: string): Decimal {
  const [mantissa = "", power = "0"] = literal.replace(/^-/, "").split(/e/i);
  const [whole = "", part = ""] = mantissa.split(".");
  const all = (whole + part).replace(/^0+/, "");
  let end = all.length;
  // A regular expression would start a new search at each of a million zeros, so a loop is used.
  while (all.charCodeAt(end - 1) === 48) end--;
  const digits = all.slice(0, end);
  return { digits, exponent: Number(power) - part.length + all.length - digits.length };
}
