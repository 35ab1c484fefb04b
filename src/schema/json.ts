// Plain JSON: the kernel's inputs and outputs, and the form of JSONLogic rules and templates.
import { z } from "zod";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** Copied in one pass, because zod's own creates a result for each value in it, and is ten times slower. */
export const json: z.ZodType<Json> = z
  .unknown()
  .transform((sent, context) => {
    const copy = copyOf(sent);
    if (copy !== undefined) return copy;
    const message = `Invalid input: expected JSON, received ${sent === undefined ? "undefined" : "something else"}`;
    context.issues.push({ code: "invalid_type", expected: "unknown", input: sent, message });
    return z.NEVER;
  })
  .meta({ id: "Json" });
export const jsonObject: z.ZodType<JsonObject> = z.record(z.string(), json);

/** Whether every value is JSON, as `json` would copy it. */
export function isJson(made: unknown): boolean {
  if (made === null || typeof made === "string" || typeof made === "boolean") return true;
  if (typeof made === "number") return Number.isFinite(made);
  if (Array.isArray(made)) return isJsonList(made);
  return typeof made === "object" && isPlain(made) && isJsonWithin(made);
}

/** Item by item, because `every` skips holes. */
function isJsonList(made: readonly unknown[]): boolean {
  for (const item of made) if (!isJson(item)) return false;
  return true;
}

/** A copy would lack a name that sets the prototype. */
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

/** The nesting depth of a JSON text, without parsing it: later code recurses, and a call stack is limited. */
export function depthOf(text: string): number {
  return jsonShape(text).depth;
}

export type JsonShape = {
  readonly depth: number;
  /** An upper bound: each value is the first of a list or an object, or follows a comma. */
  readonly values: number;
};

/** The shape of a JSON text, in one pass and without parsing it. */
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

/** Numbers keep this many digits, unless the exponent is extreme; one more may be lost. */
export const EXACT_DIGITS = 15;
const EXTREME = /e[+-]?\d{3}/i;

/** Whether a number keeps its value when it is parsed, with 53 bits of precision. */
export function isExact(literal: string): boolean {
  if (literal.length <= EXACT_DIGITS && !EXTREME.test(literal)) return true;
  const value = Number(literal);
  if (Number.isNaN(value)) return true; // not a number: the parser refuses it
  if (!Number.isFinite(value)) return false;
  const sent = decimalOf(literal);
  const kept = decimalOf(String(value));
  // A number that would be written as it was received is unchanged, whatever its notation.
  if (sent.digits === kept.digits && (sent.digits === "" || sent.exponent === kept.exponent)) return true;
  if (value === 0) return false;
  // A fraction is rounded to the nearest double, as usual; for a large one the integer part would change.
  if (sent.exponent < 0) return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  // Neither is one that a double represents exactly. It is finite, which bounds the power.
  return BigInt(sent.digits) * 10n ** BigInt(sent.exponent) === BigInt(Math.abs(value));
}

type Decimal = { readonly digits: string; readonly exponent: number };

/** Digits without zeros at either end, and their exponent: 12.50e3 and 12500 are the same. */
function decimalOf(literal: string): Decimal {
  const [mantissa = "", power = "0"] = literal.replace(/^-/, "").split(/e/i);
  const [whole = "", part = ""] = mantissa.split(".");
  const all = (whole + part).replace(/^0+/, "");
  let end = all.length;
  // Not a pattern, which would retry from each zero of a million.
  while (all.charCodeAt(end - 1) === 48) end--;
  const digits = all.slice(0, end);
  return { digits, exponent: Number(power) - part.length + all.length - digits.length };
}
