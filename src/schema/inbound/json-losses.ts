// JSON losses: finds content that JSON.parse or a later check would silently change: a repeated name, `__proto__`, a
// number that cannot be represented exactly, and half of a surrogate pair. The text is scanned once before it is
// parsed. Invalid JSON is left to the parser, which refuses it.
import { EXACT_DIGITS, isExact } from "../json.ts";

export type Loss = { readonly pointer: string; readonly code: string; readonly message: string };

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;

/** A later check silently drops a field with this name, so no rule or template could read it. */
const PROTO = "__proto__";

type Level = {
  /** The field names of this object that were read so far. Null in a list, and before the first name of an object. */
  names: Set<string> | null;
  /** The field name or the list index that is being read. */
  at: string | number;
};

/**
 * Returns the first loss in a JSON text. Returns null if parsing changes nothing. Only character codes are compared,
 * because a body may have a million characters.
 */
export function lossIn(text: string): Loss | null {
  const levels: Level[] = [];
  const isWhole = text.isWellFormed();
  let level: Level | undefined;
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (char === QUOTE) {
      const end = endOfString(text, at);
      const loss = inString(text, at, end, levels, isWhole);
      if (loss !== null) return loss;
      at = end;
    } else if (char === COMMA) {
      if (typeof level?.at === "number") level.at++;
    } else if (isOfNumber(char)) {
      const end = endOfNumber(text, at);
      if (!isShort(text, at, end) && !isExact(text.slice(at, end))) return inexact(text.slice(at, end), levels);
      at = end - 1;
    } else if (char === 123 || char === 91) {
      level = { names: null, at: char === 123 ? "" : 0 };
      levels.push(level);
    } else if (char === 125 || char === 93) {
      levels.pop();
      level = levels.at(-1);
    }
  }
  return null;
}

function inString(text: string, start: number, end: number, levels: readonly Level[], isWhole: boolean): Loss | null {
  const level = levels.at(-1);
  const isName = typeof level?.at === "string" && isBeforeColon(text, end + 1);
  if (!isName && isWhole && !hasEscape(text, start, end)) return null;
  const quoted = text.slice(start, end + 1);
  const said = quoted.includes("\\") ? unescaped(quoted) : quoted.slice(1, -1);
  if (isName) level.at = said;
  if (!said.isWellFormed()) return brokenText(levels);
  if (!isName) return null;
  if (said === PROTO) return noName(levels);
  level.names ??= new Set();
  if (level.names.has(said)) return twice(said, levels);
  level.names.add(said);
  return null;
}

function twice(name: string, levels: readonly Level[]): Loss {
  const message = `${JSON.stringify(name)} occurs twice: only one of them could be stored`;
  return { pointer: pointerOf(levels), code: "duplicate_name", message };
}

function hasEscape(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (text.charCodeAt(at) === BACKSLASH) return true;
  return false;
}

function isBeforeColon(text: string, from: number): boolean {
  let at = from;
  while (text.charCodeAt(at) <= 32) at++;
  return text.charCodeAt(at) === 58;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

/**
 * Returns the content of a quoted string. A string with invalid escapes is returned unchanged, because the parser will
 * refuse it.
 */
function unescaped(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}

/** Returns true for a digit or a minus: the start of a number. */
function isOfNumber(char: number): boolean {
  return (char >= 48 && char <= 57) || char === 45;
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && isWithinNumber(text.charCodeAt(at))) at++;
  return at;
}

/**
 * Returns true for all characters that a number may contain: digits, a minus, a point, a plus, and the letter of an
 * exponent.
 */
function isWithinNumber(char: number): boolean {
  return isOfNumber(char) || char === 46 || char === 43 || isExponent(char);
}

function isExponent(char: number): boolean {
  return char === 101 || char === 69;
}

/** Returns true for a number with few digits and no exponent. Such a number is always represented exactly. */
function isShort(text: string, start: number, end: number): boolean {
  if (end - start > EXACT_DIGITS) return false;
  for (let at = start; at < end; at++) if (isExponent(text.charCodeAt(at))) return false;
  return true;
}

function inexact(literal: string, levels: readonly Level[]): Loss {
  const shown = literal.length <= 40 ? literal : `${literal.slice(0, 40)}…`;
  const read = Number(literal);
  const becomes = Number.isFinite(read) ? `would become ${read}` : "is larger than any representable number";
  const message = `${shown} ${becomes}: send it as a string`;
  return { pointer: pointerOf(levels), code: "number_not_exact", message };
}

function brokenText(levels: readonly Level[]): Loss {
  const message = "an unpaired half of a surrogate pair cannot be stored as text";
  return { pointer: pointerOf(levels), code: "text_not_unicode", message };
}

function noName(levels: readonly Level[]): Loss {
  const message = `${PROTO} cannot be used as a name: choose another`;
  return { pointer: pointerOf(levels), code: "name_not_kept", message };
}

function pointerOf(levels: readonly Level[]): string {
  return levels.map(({ at }) => `/${String(at).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
