// Equality of values in rules: compares by content, never by identity, because identity does not survive storage.
import type { Budget } from "../computing/fault.ts";

/** Names are collected in a list before they are compared. */
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

/** For two values of the engine, whose size is limited on input, so the comparison is not charged. */
export function isSameJson(a: unknown, b: unknown): boolean {
  return strictlyEqual(a, b, FREE);
}

/** 1 equals "1" and true; null equals only null. */
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
