// Plain JSON: what the kernel takes and gives, and what a JSONLogic rule or a template is made of.
import { z } from "zod";

export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** Copied in one pass: zod's own makes a result of each value in it, and is ten times as slow. */
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

/** Whether it is JSON through and through, as `json` would copy it. */
export function isJson(made: unknown): boolean {
  if (made === null || typeof made === "string" || typeof made === "boolean") return true;
  if (typeof made === "number") return Number.isFinite(made);
  if (Array.isArray(made)) return isJsonList(made);
  return typeof made === "object" && isPlain(made) && isJsonWithin(made);
}

/** Item by item: `every` would pass over holes. */
function isJsonList(made: readonly unknown[]): boolean {
  for (const item of made) if (!isJson(item)) return false;
  return true;
}

/** A name that sets the prototype would be left out of a copy. */
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

/** A JSONLogic rule. Its operators are checked by the kernel, which knows them. */
export const rule = json;
export type Rule = Json;

const QUOTE = 34;
const BACKSLASH = 92;

/** How deep a JSON text nests, without parsing it: what comes after recurses, and a call stack ends. */
export function depthOf(text: string): number {
  return jsonShape(text).depth;
}

export type JsonShape = {
  readonly depth: number;
  /** At most so many: each is the first of a list or an object, or comes after a comma. */
  readonly values: number;
};

/** How a JSON text is built, in one pass and without parsing it. */
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

/** As many digits are kept of every number whose exponent is no extreme one; one more may not be. */
export const EXACT_DIGITS = 15;
const EXTREME = /e[+-]?\d{3}/i;

/** Whether a number, as it is written, is still the same once it has been read: 53 bits of it are kept. */
export function isExact(literal: string): boolean {
  if (literal.length <= EXACT_DIGITS && !EXTREME.test(literal)) return true;
  const value = Number(literal);
  if (Number.isNaN(value)) return true; // no number: the parser's to refuse
  if (!Number.isFinite(value)) return false;
  const sent = decimalOf(literal);
  const kept = decimalOf(String(value));
  // What would be written out as it came in is not changed, however it was written.
  if (sent.digits === kept.digits && (sent.digits === "" || sent.exponent === kept.exponent)) return true;
  if (value === 0) return false;
  // A fraction is as near as a double comes, as everywhere; of a large one the whole part would change.
  if (sent.exponent < 0) return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  // And neither is what a double holds to the digit. That it is finite bounds the power.
  return BigInt(sent.digits) * 10n ** BigInt(sent.exponent) === BigInt(Math.abs(value));
}

type Decimal = { readonly digits: string; readonly exponent: number };

/** Digits that are not zero at either end, and how many places they are moved: 12.50e3 and 12500 are the same. */
function decimalOf(literal: string): Decimal {
  const [mantissa = "", power = "0"] = literal.replace(/^-/, "").split(/e/i);
  const [whole = "", part = ""] = mantissa.split(".");
  const all = (whole + part).replace(/^0+/, "");
  let end = all.length;
  // No pattern: one would try again from each zero of a million in the middle.
  while (all.charCodeAt(end - 1) === 48) end--;
  const digits = all.slice(0, end);
  return { digits, exponent: Number(power) - part.length + all.length - digits.length };
}
