// JSON values: equality, size in bytes, merge patches (RFC 7396) and pointers (RFC 6901). Equality is by content,
// because identity does not survive storage.
import type { Json, JsonObject } from "#schema/json.ts";
import type { Budget } from "../computing/fault.ts";

/** Names of an object that are compared for one unit: they are collected in a list first. */
const NAMES_PER_STEP = 2;

export function strictlyEqual(a: unknown, b: unknown, budget: Budget): boolean {
  budget.use(1);
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, index) => strictlyEqual(item, b[index], budget));
  }
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  const names = Object.keys(a);
  budget.use(names.length / NAMES_PER_STEP);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && strictlyEqual(a[name], b[name], budget));
}

const FREE: Budget = { use: () => undefined };

/**
 * Whether two values are equal. For values of the engine, whose size is limited on input, so the comparison is not
 * charged.
 */
export function isSameJson(a: unknown, b: unknown): boolean {
  return strictlyEqual(a, b, FREE);
}

/** Whether two values are equal after conversion: 1 equals "1" and true; null equals only null. */
export function looselyEqual(a: unknown, b: unknown, budget: Budget): boolean {
  if (typeof a === typeof b || !isScalar(a) || !isScalar(b)) return strictlyEqual(a, b, budget);
  return Number(a) === Number(b);
}

export function isPlainObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isScalar(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}

/** Bytes of the text in UTF-8. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // A surrogate is half of a character of four bytes.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
}

/** Approximate size of the value as JSON in bytes, which is also the price of reading all of it. */
export function sizeOf(value: unknown): number {
  if (typeof value === "string") return byteLength(value) + 2;
  if (value === null || typeof value !== "object") return 5;
  let size = 2;
  if (Array.isArray(value)) for (const item of value) size += sizeOf(item) + 1;
  else for (const key of Object.keys(value)) size += byteLength(key) + 4 + sizeOf((value as Fields)[key]);
  return size;
}

type Fields = { readonly [key: string]: unknown };

/** The largest JSON size of a character (escaped), and of a number, true, false or null. */
const CHARACTER_BYTES_MAX = 6;
const PLAIN_BYTES_MAX = 25;

/**
 * A lower bound of the room left after the value is written as JSON. Computed without reading texts, because most
 * values are far below the limit. Stops below 0.
 */
export function roomAfter(value: unknown, room: number): number {
  if (typeof value === "string") return room - CHARACTER_BYTES_MAX * value.length - 2;
  if (value === null || typeof value !== "object") return room - PLAIN_BYTES_MAX;
  let left = room - 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index++) left = roomAfter(value[index], left - 1);
    return left;
  }
  // States inherit nothing, and for-in makes no list of names: each state is measured at every step.
  for (const key in value) {
    left = roomAfter((value as { readonly [key: string]: unknown })[key], left - CHARACTER_BYTES_MAX * key.length - 4);
    if (left < 0) return left;
  }
  return left;
}

/** Parts from this size on are measured once, because states share unchanged parts with earlier states. */
const REMEMBERED_FROM_BYTES = 256;
const measured = new WeakMap<object, number>();

/** The exact size of the value as JSON in bytes, in time linear in the parts that were not measured before. */
export function jsonBytes(value: unknown): number {
  if (typeof value === "string") return textBytes(value);
  if (value === null || typeof value !== "object") return String(value).length;
  const known = measured.get(value);
  if (known !== undefined) return known;
  const bytes = Array.isArray(value) ? listBytes(value) : objectBytes(value);
  if (bytes >= REMEMBERED_FROM_BYTES) measured.set(value, bytes);
  return bytes;
}

/** The size of an object that equals `before` except for the changed fields, in time linear in these fields. */
export function jsonBytesAfter(
  before: object,
  after: object,
  changed: readonly (readonly [string, unknown])[],
): number {
  let bytes = jsonBytes(before);
  let hasFields = bytes > 2;
  for (const [key, value] of changed) {
    // An additional field adds a comma, except for the first one.
    if (!Object.hasOwn(before, key)) bytes += textBytes(key) + 1 + (hasFields ? 1 : 0);
    else bytes -= jsonBytes((before as { readonly [key: string]: unknown })[key]);
    bytes += jsonBytes(value);
    hasFields = true;
  }
  if (bytes >= REMEMBERED_FROM_BYTES) measured.set(after, bytes);
  return bytes;
}

function listBytes(list: readonly unknown[]): number {
  let bytes = 1 + Math.max(1, list.length);
  for (const item of list) bytes += jsonBytes(item);
  return bytes;
}

function objectBytes(value: object): number {
  let bytes = 1;
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) bytes += textBytes(key) + 1 + jsonBytes(item) + 1;
  }
  return Math.max(2, bytes);
}

/** The size of a text as JSON writes it: quotes, backslashes, control characters and lone surrogates are escaped. */
function textBytes(text: string): number {
  let bytes = text.length + 2;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit >= 0x20 && unit < 0x80) bytes += unit === 0x22 || unit === 0x5c ? 1 : 0;
    else if (unit < 0x20) bytes += unit >= 8 && unit <= 13 && unit !== 11 ? 1 : 5;
    else if (unit < 0x800) bytes += 1;
    else if (unit < 0xd800 || unit >= 0xe000) bytes += 2;
    else if (unit < 0xdc00 && isTrail(text.charCodeAt(index + 1))) {
      bytes += 2;
      index += 1;
    } else bytes += 5;
  }
  return bytes;
}

function isTrail(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

export function mergePatch(before: JsonObject, by: JsonObject): JsonObject {
  // Entries instead of assignment, because a key such as __proto__ is ordinary data.
  const entries = Object.entries({ ...before, ...by }).flatMap(([key, value]): [string, Json][] => {
    if (!Object.hasOwn(by, key)) return [[key, value]];
    if (value === null) return [];
    const below = Object.hasOwn(before, key) ? before[key] : undefined;
    return [[key, isObject(value) ? mergePatch(isObject(below) ? below : {}, value) : value]];
  });
  return Object.fromEntries(entries);
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function childPointer(pointer: string, key: string | number): string {
  return `${pointer}/${typeof key === "number" ? key : escaped(key)}`;
}

/**
 * A name in a JSON pointer. The check is a fast path: most names contain nothing to escape, and a definition has
 * thousands.
 */
function escaped(key: string): string {
  return key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key;
}
