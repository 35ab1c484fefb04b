// Where a text stops being JSON. Only read when JSON.parse has refused the text; its own message names the place for
// some faults and not for others.

export type Fault = { readonly position: number; readonly line: number; readonly column: number; readonly message: string };

const BLANK = /[ \t\r\n]*/y;
const SCALAR = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

type Cursor = { readonly text: string; at: number };

export function faultOf(text: string): Fault {
  const cursor = { text, at: 0 };
  // A stack, not recursion: a body may nest deeper than the call stack is.
  const open: ("{" | "[")[] = [];
  let expected = readValue(cursor, open);
  while (expected === null && open.length > 0) expected = readRest(cursor, open);
  blank(cursor);
  if (expected === null && cursor.at < text.length) expected = "the end of the text was expected";
  return place(text, cursor.at, expected ?? "a number or name is too large to read");
}

/** A scalar, or an opening bracket with what must follow it. Null: all is well so far. */
function readValue(cursor: Cursor, open: ("{" | "[")[]): string | null {
  blank(cursor);
  const char = cursor.text[cursor.at];
  if (char === "{") return readOpening(cursor, open, "{", "}");
  if (char === "[") return readOpening(cursor, open, "[", "]");
  return take(cursor, SCALAR) ? null : "a value was expected";
}

function readOpening(cursor: Cursor, open: ("{" | "[")[], bracket: "{" | "[", closing: string): string | null {
  cursor.at++;
  blank(cursor);
  if (cursor.text[cursor.at] === closing) {
    cursor.at++;
    return null;
  }
  open.push(bracket);
  return bracket === "{" ? readMember(cursor, open) : readValue(cursor, open);
}

function readMember(cursor: Cursor, open: ("{" | "[")[]): string | null {
  blank(cursor);
  if (!take(cursor, STRING)) return "a name in double quotes was expected";
  blank(cursor);
  if (cursor.text[cursor.at] !== ":") return "a colon was expected";
  cursor.at++;
  return readValue(cursor, open);
}

function readRest(cursor: Cursor, open: ("{" | "[")[]): string | null {
  const bracket = open.at(-1);
  const closing = bracket === "{" ? "}" : "]";
  blank(cursor);
  const char = cursor.text[cursor.at];
  if (char !== "," && char !== closing) return `a comma or ${closing} was expected`;
  cursor.at++;
  if (char === closing) {
    open.pop();
    return null;
  }
  return bracket === "{" ? readMember(cursor, open) : readValue(cursor, open);
}

function blank(cursor: Cursor): void {
  take(cursor, BLANK);
}

function take(cursor: Cursor, pattern: RegExp): boolean {
  pattern.lastIndex = cursor.at;
  const found = pattern.exec(cursor.text);
  if (found === null) return false;
  cursor.at += found[0].length;
  return true;
}

function place(text: string, position: number, message: string): Fault {
  const before = text.slice(0, position);
  const line = before.split("\n").length;
  return { position, line, column: position - before.lastIndexOf("\n"), message };
}
