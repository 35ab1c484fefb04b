// What JSON.parse, or a check after it, would take and silently change: a name that is there twice (the last one wins), one
// that records leave out, a number that cannot be held exactly, half of a surrogate pair. One pass, before parsing; of a
// text that is not JSON it says nothing, since the parser does.
import { isExact } from "../json.ts";

export type Loss = { readonly pointer: string; readonly code: string; readonly message: string };

const QUOTE = 34;
const BACKSLASH = 92;

/** Checked records leave it out without a word, and nothing could look it up: neither rules nor templates. */
const PROTO = "__proto__";

type Level = {
  /** The names so far; null in a list. */
  readonly names: Set<string> | null;
  at: string | number;
};

export function lossIn(text: string): Loss | null {
  const levels: Level[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at);
    const level = levels.at(-1);
    if (char === QUOTE) {
      const end = endOfString(text, at);
      const loss = inString(text, at, end, levels);
      if (loss !== null) return loss;
      at = end;
    } else if (char === 123) levels.push({ names: new Set(), at: "" });
    else if (char === 91) levels.push({ names: null, at: 0 });
    else if (char === 125 || char === 93) levels.pop();
    else if (char === 44 && typeof level?.at === "number") level.at++;
    else if (isOfNumber(char)) {
      const end = endOfNumber(text, at);
      if (!isExact(text.slice(at, end))) return inexact(text.slice(at, end), levels);
      at = end - 1;
    }
  }
  return null;
}

function inString(text: string, start: number, end: number, levels: readonly Level[]): Loss | null {
  const level = levels.at(-1);
  const isName = typeof level?.at === "string" && isBeforeColon(text, end + 1);
  const quoted = text.slice(start, end + 1);
  const said = quoted.includes("\\") ? unescaped(quoted) : quoted.slice(1, -1);
  if (isName) level.at = said;
  if (!said.isWellFormed()) return brokenText(levels);
  if (isName && said === PROTO) return noName(levels);
  if (!isName || !level.names?.has(said)) {
    if (isName) level.names?.add(said);
    return null;
  }
  const message = `${JSON.stringify(said)} is there twice: only one of them could be kept`;
  return { pointer: pointerOf(levels), code: "duplicate_name", message };
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

/** What cannot be read is the parser's to refuse. */
function unescaped(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}

/** A digit or a minus: where a number begins. */
function isOfNumber(char: number): boolean {
  return (char >= 48 && char <= 57) || char === 45;
}

function endOfNumber(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && "0123456789.eE+-".includes(text.charAt(at))) at++;
  return at;
}

function inexact(literal: string, levels: readonly Level[]): Loss {
  const shown = literal.length <= 40 ? literal : `${literal.slice(0, 40)}…`;
  const read = Number(literal);
  const becomes = Number.isFinite(read) ? `would become ${read}` : "is larger than any number that can be held";
  const message = `${shown} ${becomes}: send it as a string`;
  return { pointer: pointerOf(levels), code: "number_not_exact", message };
}

function brokenText(levels: readonly Level[]): Loss {
  const message = "half of a surrogate pair stands alone here, and cannot be kept as text";
  return { pointer: pointerOf(levels), code: "text_not_unicode", message };
}

function noName(levels: readonly Level[]): Loss {
  const message = `${PROTO} is no name that data may have: choose another`;
  return { pointer: pointerOf(levels), code: "name_not_kept", message };
}

function pointerOf(levels: readonly Level[]): string {
  return levels.map(({ at }) => `/${String(at).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
