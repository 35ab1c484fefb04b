// JSON values: equality, size in bytes, merge patches (RFC 7396) and pointers (RFC 6901). Values are equal if their
// contents are equal, because objects that are read from storage are new objects.
import type { Json, JsonObject } from "#schema/json.ts";
import type { Budget } from "../computing/fault.ts";

/** One unit pays for comparing this many names of an object, because the names are first collected in a list. */
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
 * Whether two values are equal. Only for values of the engine: their size is limited on input, so the comparison is not
 * charged.
 */
export function isSameJson(a: unknown, b: unknown): boolean {
  return strictlyEqual(a, b, FREE);
}

/** Whether two values are equal after conversion, as in JSONLogic: 1 equals "1" and true, and null equals only null. */
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
    // A surrogate counts two bytes, because two surrogates form one character of four bytes.
    bytes += unit < 0x800 || (unit >= 0xd800 && unit < 0xe000) ? 1 : 2;
  }
  return bytes;
}

/** The approximate number of bytes of the value as JSON. It is also the price of reading the whole value. */
export function sizeOf(value: unknown): number {
  if (typeof value === "string") return byteLength(value) + 2;
  if (value === null || typeof value !== "object") return 5;
  let size = 2;
  if (Array.isArray(value)) for (const item of value) size += sizeOf(item) + 1;
  else for (const key of Object.keys(value)) size += byteLength(key) + 4 + sizeOf((value as Fields)[key]);
  return size;
}

type Fields = { readonly [key: string]: unknown };

/** Upper bounds of the bytes in JSON: of one escaped character, and of a number, true, false or null. */
const CHARACTER_BYTES_MAX = 6;
const PLAIN_BYTES_MAX = 25;

/**
 * A lower bound of the room that is left after the value is written as JSON. Texts are not read, because most values
 * are far below the limit. The count stops below 0.
 */
export function roomAfter(value: unknown, room: number): number {
  if (typeof value === "string") return room - CHARACTER_BYTES_MAX * value.length - 2;
  if (value === null || typeof value !== "object") return room - PLAIN_BYTES_MAX;
  let left = room - 2;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index++) left = roomAfter(value[index], left - 1);
    return left;
  }
  // The loop uses for-in, because it makes no list of names and each state is measured at every step. States inherit no
  // fields.
  for (const key in value) {
    left = roomAfter((value as { readonly [key: string]: unknown })[key], left - CHARACTER_BYTES_MAX * key.length - 4);
    if (left < 0) return left;
  }
  return left;
}

/**
 * The size of a part is cached if the part has at least this many bytes. States share unchanged parts with earlier
 * states.
 */
const REMEMBERED_FROM_BYTES = 256;
const measured = new WeakMap<object, number>();

/** The exact number of bytes of the value as JSON. The time is linear in the parts whose sizes are not cached. */
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
 * The number of bytes of an object that equals `before` except for the changed fields. The time is linear in these
 * fields.
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
  // The object is built from entries and not by assignment, because a key such as __proto__ is ordinary data.
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
 * A field name escaped for a JSON pointer. Most names contain nothing to escape, and a definition has thousands, so the
 * check comes first.
 */
function escaped(key: string): string {
  return key.includes("~") || key.includes("/") ? key.replaceAll("~", "~0").replaceAll("/", "~1") : key;
}
