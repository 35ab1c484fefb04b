// JSON errors: finds the position at which a text stops being JSON. It is called only after JSON.parse has refused the
// text, because the message of JSON.parse does not always give a position.

export type Fault = {
  readonly position: number;
  readonly line: number;
  readonly column: number;
  readonly expected: Expected;
  readonly message: string;
};

/** The tokens that JSON allows at the position. `rest`: a comma, or the bracket that closes the list or object. */
type Expected = "value" | "name" | "colon" | "rest" | "end";

const BLANK = /[ \t\r\n]*/y;
/** A JSON string: any character from the space on, except the quote and the backslash, or an escape sequence. */
const STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const SCALAR = new RegExp(`${STRING.source}|-?(?:0|[1-9]\\d*)(?:\\.\\d+)?(?:[eE][+-]?\\d+)?|true|false|null`, "y");

type Reader = {
  readonly text: string;
  at: number;
  /**
   * The open brackets, outermost first. The parser does not use recursion, because a text may nest deeper than the call
   * stack.
   */
  readonly open: ("{" | "[")[];
  next: "value" | "member" | "rest" | "end";
};

export function faultOf(text: string): Fault {
  const reader: Reader = { text, at: 0, open: [], next: "value" };
  let expected: Expected | null = null;
  while (expected === null && reader.next !== "end") expected = read(reader);
  take(reader, BLANK);
  return placed(reader, expected ?? "end");
}

function read(reader: Reader): Expected | null {
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

function readValue(reader: Reader): Expected | null {
  const bracket = reader.text[reader.at];
  if (bracket === "{" || bracket === "[") return readOpening(reader, bracket);
  reader.next = "rest";
  return take(reader, SCALAR) ? null : "value";
}

function readOpening(reader: Reader, bracket: "{" | "["): null {
  reader.at++;
  reader.open.push(bracket);
  take(reader, BLANK);
  const isEmpty = reader.text[reader.at] === closing(bracket);
  reader.next = isEmpty ? "rest" : bracket === "{" ? "member" : "value";
  return null;
}

function readMember(reader: Reader): Expected | null {
  if (!take(reader, STRING)) return "name";
  take(reader, BLANK);
  if (reader.text[reader.at] !== ":") return "colon";
  reader.at++;
  reader.next = "value";
  return null;
}

function readRest(reader: Reader): Expected | null {
  const bracket = reader.open.at(-1);
  if (bracket === undefined) {
    reader.next = "end";
    return null;
  }
  const char = reader.text[reader.at];
  if (char !== "," && char !== closing(bracket)) return "rest";
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

function placed({ text, at: position, open }: Reader, expected: Expected): Fault {
  const before = text.slice(0, position);
  const [line, column] = [before.split("\n").length, position - before.lastIndexOf("\n")];
  return { position, line, column, expected, message: messageOf(expected, open.at(-1) ?? "{") };
}

function messageOf(expected: Expected, bracket: "{" | "["): string {
  switch (expected) {
    case "value":
      return "expected a value";
    case "name":
      return "expected a name in double quotes";
    case "colon":
      return "expected a colon";
    case "rest":
      return `expected a comma or ${closing(bracket)}`;
    case "end":
      return "expected the end of the text";
  }
}
