// JSON values: equality, size in bytes, merge patches (RFC 7396) and pointers (RFC 6901). Two values are equal if their
// contents are equal, because values read from storage are always new objects.
import type { Json, JsonObject } from "#schema/json.ts";
import type { Budget } from "../computing/fault.ts";

/**
 * One unit pays for this many names of an object. A name costs more than an item, because the names are first collected
 * in a list.
 */
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
 * Whether two values of the engine are equal. The size of such values is limited when they arrive, so the comparison is
 * not charged.
 */
export function isSameJson(a: unknown, b: unknown): boolean {
  return strictlyEqual(a, b, FREE);
}

/**
 * Whether two values are equal after conversion, as JSONLogic defines it: 1 equals "1" and true. null equals only null.
 */
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

/** The number of bytes of the text in UTF-8. */
export function byteLength(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // Each half of a surrogate pair counts two bytes, because the pair takes four bytes.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
}

/** The approximate number of bytes of the value as JSON. Reading the whole value is charged by this number. */
export function sizeOf(value: unknown): number {
  if (typeof value === "string") return byteLength(value) + 2;
  if (value === null || typeof value !== "object") return 5;
  let size = 2;
  if (Array.isArray(value)) for (const item of value) size += sizeOf(item) + 1;
  else for (const key of Object.keys(value)) size += byteLength(key) + 4 + sizeOf((value as Fields)[key]);
  return size;
}

type Fields = { readonly [key: string]: unknown };

/** Upper bounds of the bytes in JSON: of one escaped character, and of one number, true, false or null. */
const CHARACTER_BYTES_MAX = 6;
const PLAIN_BYTES_MAX = 25;

/**
 * The room that is left after the value is written as JSON; the real room may be larger. Texts are estimated by their
 * length and not read, because most values are far below the limit. Below 0 the count stops.
 */
export function roomAfter(value: unknown, room: number): number {
  if (typeof value === "string") return room - CHARACTER_BYTES_MAX * value.length - 2;
  if (value === null || typeof value !== "object") return room - PLAIN_BYTES_MAX;
  let left = room - 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index++) left = roomAfter(value[index], left - 1);
    return left;
  }
  // for-in collects no list of names, which saves time because every step measures its state. It would also visit
  // inherited fields, but states have none.
  for (const key in value) {
    left = roomAfter((value as { readonly [key: string]: unknown })[key], left - CHARACTER_BYTES_MAX * key.length - 4);
    if (left < 0) return left;
  }
  return left;
}

/**
 * The size of a part is cached if the part has at least this many bytes. Most parts of a state are the same objects in
 * the next state.
 */
const REMEMBERED_FROM_BYTES = 256;
const measured = new WeakMap<object, number>();

/** The exact number of bytes of the value as JSON. Only parts whose size is not cached are read. */
export function jsonBytes(value: unknown): number {
  if (typeof value === "string") return textBytes(value);
  if (value === null || typeof value !== "object") return String(value).length;
  const known = measured.get(value);
  if (known !== undefined) return known;
  const bytes = Array.isArray(value) ? listBytes(value) : objectBytes(value);
  if (bytes >= REMEMBERED_FROM_BYTES) measured.set(value, bytes);
  return bytes;
}

/**
 * The number of bytes of an object after a change of the given fields, computed from `before`. Only these fields are
 * read.
 */
export function jsonBytesAfter(
  before: object,
  after: object,
  changed: readonly (readonly [string, unknown])[],
): number {
  let bytes = jsonBytes(before);
  let hasFields = bytes > 2;
  for (const [key, value] of changed) {
    // A new field adds a comma, unless it is the object's first field.
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

/** The number of bytes of a text in JSON. Quotes, backslashes, control characters and lone surrogates are escaped. */
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
  // A field named __proto__ is ordinary data. Building the object from entries stores it as a field, which an
  // assignment would not do.
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
 * A field name escaped for a JSON pointer. The first check is quick, because most names need no escape and a definition
 * has thousands.
 */
function escaped(key: string): string {
  return key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key;
}
