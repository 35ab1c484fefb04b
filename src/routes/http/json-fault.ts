// Where a text stops being JSON. Only asked when JSON.parse has refused the text: its own message names the place of
// some faults and not of others.

export type Fault = {
  readonly position: number;
  readonly line: number;
  readonly column: number;
  readonly message: string;
};

const BLANK = /[ \t\r\n]*/y;
/** Everything from the space on, but for the quote and the backslash. */
const STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = new RegExp(`${STRING.source}|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false|null`, "y");

type Reader = {
  readonly text: string;
  at: number;
  /** The brackets that are open: a list, not recursion, because a text may nest deeper than the call stack. */
  readonly open: ("{" | "[")[];
  next: "value" | "member" | "rest" | "end";
};

export function faultOf(text: string): Fault {
  const reader: Reader = { text, at: 0, open: [], next: "value" };
  let fault: string | null = null;
  while (fault === null && reader.next !== "end") fault = read(reader);
  take(reader, BLANK);
  if (fault === null) fault = "the end of the text was expected";
  return placed(text, reader.at, fault);
}

function read(reader: Reader): string | null {
  take(reader, BLANK);
  switch (reader.next) {
    case "value":
      return readValue(reader);
    case "member":
      return readMember(reader);
    case "rest":
      return readRest(reader);
    case "end":
      return null;
  }
}

function readValue(reader: Reader): string | null {
  const bracket = reader.text[reader.at];
  if (bracket === "{" || bracket === "[") return readOpening(reader, bracket);
  reader.next = "rest";
  return take(reader, SCALAR) ? null : "a value was expected";
}

function readOpening(reader: Reader, bracket: "{" | "["): null {
  reader.at++;
  reader.open.push(bracket);
  take(reader, BLANK);
  const isEmpty = reader.text[reader.at] === closing(bracket);
  reader.next = isEmpty ? "rest" : bracket === "{" ? "member" : "value";
  return null;
}

function readMember(reader: Reader): string | null {
  if (!take(reader, STRING)) return "a name in double quotes was expected";
  take(reader, BLANK);
  if (reader.text[reader.at] !== ":") return "a colon was expected";
  reader.at++;
  reader.next = "value";
  return null;
}

function readRest(reader: Reader): string | null {
  const bracket = reader.open.at(-1);
  if (bracket === undefined) {
    reader.next = "end";
    return null;
  }
  const char = reader.text[reader.at];
  if (char !== "," && char !== closing(bracket)) return `a comma or ${closing(bracket)} was expected`;
  reader.at++;
  if (char === ",") reader.next = bracket === "{" ? "member" : "value";
  else reader.open.pop();
  return null;
}

function closing(bracket: "{" | "["): "}" | "]" {
  return bracket === "{" ? "}" : "]";
}

function take(reader: Reader, pattern: RegExp): boolean {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text);
  if (found === null) return false;
  reader.at += found[0].length;
  return true;
}

function placed(text: string, position: number, message: string): Fault {
  const before = text.slice(0, position);
  return { position, line: before.split("\n").length, column: position - before.lastIndexOf("\n"), message };
}
