// Patterns of declared strings: the syntax of JavaScript with flag u, without look-around and back-references. A tenant
// writes the pattern, so the time must be linear. All alternatives are therefore followed in parallel, character by
// character.
import { SCHEMA_PATTERN_PARTS_MAX } from "#schema/limits/definition-sizes.ts";
import { failureOf, fault, type Failure } from "../computing/fault.ts";
import { charge, type Work } from "../computing/work.ts";

/**
 * An instruction of a compiled pattern. Instructions name each other by index. After an instruction that consumes a
 * character, the match continues at the next index.
 */
export type Instruction =
  | { readonly kind: "letter"; readonly letter: string }
  | { readonly kind: "set"; readonly set: RegExp }
  | { readonly kind: "split"; readonly to: readonly [number, number] }
  | { readonly kind: "jump"; readonly to: number }
  | { readonly kind: "start" }
  | { readonly kind: "end" }
  | { readonly kind: "found" };
export type Pattern = readonly Instruction[];

/** Whether the pattern matches the text at any position. */
export function isFound(pattern: Pattern, text: string, work: Work): boolean {
  const letters = [...text];
  const { length } = letters;
  let here = new Set<number>();
  for (const [at, letter] of letters.entries()) {
    if (addReachable(pattern, here, 0, { isStart: at === 0, isEnd: false })) return true;
    charge(work, here.size);
    const next = new Set<number>();
    for (const place of here) {
      if (!matches(pattern[place], letter)) continue;
      if (addReachable(pattern, next, place + 1, { isStart: false, isEnd: at + 1 === length })) return true;
    }
    here = next;
  }
  return addReachable(pattern, here, 0, { isStart: length === 0, isEnd: true });
}

type Edge = { readonly isStart: boolean; readonly isEnd: boolean };

/**
 * Adds an instruction, and all instructions that follow without consuming a character. Returns true if the end of the
 * pattern is one of them.
 */
function addReachable(pattern: Pattern, into: Set<number>, first: number, edge: Edge): boolean {
  const open = [first];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const place = pattern[at];
    if (place === undefined || into.has(at)) continue;
    into.add(at);
    switch (place.kind) {
      case "found":
        return true;
      case "split":
        open.push(...place.to);
        break;
      case "jump":
        open.push(place.to);
        break;
      case "start":
        if (edge.isStart) open.push(at + 1);
        break;
      case "end":
        if (edge.isEnd) open.push(at + 1);
        break;
      case "letter":
      case "set":
        break;
    }
  }
  return false;
}

function matches(place: Instruction | undefined, letter: string): boolean {
  if (place?.kind === "letter") return place.letter === letter;
  return place?.kind === "set" && place.set.test(letter);
}

export type ReadPattern = { readonly ok: true; readonly pattern: Pattern } | ({ readonly ok: false } & Failure);

export function readPattern(text: string): ReadPattern {
  try {
    void new RegExp(text, "u");
  } catch {
    const message = "is not a valid regular expression of JavaScript (flag u)";
    return { ok: false, code: "pattern_invalid", message };
  }
  try {
    const reader = { letters: [...text], at: 0 };
    return { ok: true, pattern: [...instructionsOf(readChoice(reader)), { kind: "found" }] };
  } catch (thrown) {
    const { code, message } = failureOf(thrown, {
      code: "pattern_invalid",
      message: "cannot be read as a regular expression",
    });
    return { ok: false, code, message };
  }
}

type Part =
  | Extract<Instruction, { kind: "letter" | "set" | "start" | "end" }>
  | { readonly kind: "all"; readonly parts: readonly Part[] }
  | { readonly kind: "choice"; readonly parts: readonly Part[] }
  | { readonly kind: "repeat"; readonly part: Part; readonly least: number; readonly most: number };

type Reader = { readonly letters: readonly string[]; at: number };

/**
 * Reads the alternatives of a pattern. The JavaScript runtime has checked the syntax before, so brackets match and each
 * repetition follows a part.
 */
function readChoice(reader: Reader): Part {
  const parts = [readSequence(reader)];
  while (reader.letters[reader.at] === "|") {
    reader.at += 1;
    parts.push(readSequence(reader));
  }
  return { kind: "choice", parts };
}

function readSequence(reader: Reader): Part {
  const parts: Part[] = [];
  for (let letter = reader.letters[reader.at]; letter !== undefined; letter = reader.letters[reader.at]) {
    if (letter === "|" || letter === ")") break;
    parts.push(readRepetition(reader, readOne(reader, letter)));
  }
  return { kind: "all", parts };
}

function readOne(reader: Reader, letter: string): Part {
  if (letter === "(") return readGroup(reader);
  if (letter === "[") return readSet(reader, lengthOfSet(reader));
  if (letter === "\\") return readSet(reader, lengthOfEscape(reader));
  if (letter === ".") return readSet(reader, 1);
  reader.at += 1;
  if (letter === "^") return { kind: "start" };
  if (letter === "$") return { kind: "end" };
  return { kind: "letter", letter };
}

function readGroup(reader: Reader): Part {
  const opening = /^\((\?:|\?<[\p{L}_$][\p{L}\p{N}_$]*>)?(?!\?)/u.exec(upcomingText(reader, 100))?.[0];
  if (opening === undefined)
    throw fault(
      "pattern_lookaround",
      'uses lookahead or lookbehind ("(?=", "(?!", …), which is not allowed because it takes too long for some texts',
    );
  reader.at += [...opening].length;
  const part = readChoice(reader);
  reader.at += 1;
  return part;
}

function readSet(reader: Reader, length: number): Part {
  const source = reader.letters.slice(reader.at, reader.at + length).join("");
  reader.at += length;
  return { kind: "set", set: new RegExp(`^(?:${source})$`, "u") };
}

function lengthOfSet({ letters, at }: Reader): number {
  let end = at + 1;
  while (letters[end] !== "]") end += letters[end] === "\\" ? 2 : 1;
  return end + 1 - at;
}

function lengthOfEscape(reader: Reader): number {
  const text = upcomingText(reader, 100);
  if (/^\\[1-9k]/.test(text))
    throw fault(
      "pattern_backreference",
      'uses a backreference ("\\1"), which is not allowed because it takes too long for some texts',
    );
  if (/^\\b/i.test(text))
    throw fault(
      "pattern_word_edge",
      'uses "\\b" or "\\B", which are not supported: list the allowed characters instead',
    );
  const long = /^\\(?:u\{[^}]*\}|[pP]\{[^}]*\}|u[dD][89abAB]..\\u[dD][c-fC-F]..|u.{4}|x..|c.)/.exec(text)?.[0];
  return long === undefined ? 2 : [...long].length;
}

function upcomingText({ letters, at }: Reader, length: number): string {
  return letters.slice(at, at + length).join("");
}

function readRepetition(reader: Reader, part: Part): Part {
  const written = /^(?:[*+?]|\{\d+(?:,\d*)?\})\??/.exec(upcomingText(reader, 100))?.[0];
  if (written === undefined) return part;
  reader.at += written.length;
  const [least, most] = timesOf(written);
  return { kind: "repeat", part, least, most };
}

function timesOf(written: string): readonly [number, number] {
  if (written.startsWith("*")) return [0, Infinity];
  if (written.startsWith("+")) return [1, Infinity];
  if (written.startsWith("?")) return [0, 1];
  const [least, most] = written.replaceAll(/[{}?]/g, "").split(",");
  return [Number(least), most === undefined ? Number(least) : most === "" ? Infinity : Number(most)];
}

function instructionsOf(part: Part): readonly Instruction[] {
  const places: Instruction[] = [];
  emitPart(places, part);
  return places;
}

function emitInstruction(places: Instruction[], place: Instruction): number {
  if (places.length < SCHEMA_PATTERN_PARTS_MAX) return places.push(place) - 1;
  throw fault(
    "pattern_too_large",
    `has more parts, including repetitions, than the limit of ${SCHEMA_PATTERN_PARTS_MAX} (SCHEMA_PATTERN_PARTS_MAX)`,
  );
}

function emitPart(places: Instruction[], part: Part): void {
  switch (part.kind) {
    case "letter":
    case "set":
    case "start":
    case "end":
      emitInstruction(places, part);
      return;
    case "all":
      part.parts.forEach((each) => emitPart(places, each));
      return;
    case "choice":
      emitChoice(places, part.parts);
      return;
    case "repeat":
      emitRepeat(places, part);
      return;
  }
}

function emitChoice(places: Instruction[], parts: readonly Part[]): void {
  const jumps: number[] = [];
  for (const [n, part] of parts.entries()) {
    if (n === parts.length - 1) {
      emitPart(places, part);
      continue;
    }
    const split = emitInstruction(places, UNRESOLVED_JUMP);
    emitPart(places, part);
    jumps.push(emitInstruction(places, UNRESOLVED_JUMP));
    places[split] = { kind: "split", to: [split + 1, places.length] };
  }
  for (const at of jumps) places[at] = { kind: "jump", to: places.length };
}

/** A jump whose target is not known yet. The target is set when its index is known. */
const UNRESOLVED_JUMP: Instruction = { kind: "jump", to: 0 };

function emitRepeat(places: Instruction[], { part, least, most }: Extract<Part, { kind: "repeat" }>): void {
  for (let n = 0; n < least; n += 1) emitOnce(places, part);
  if (most !== Infinity) {
    const splits: number[] = [];
    for (let n = least; n < most; n += 1) {
      splits.push(emitInstruction(places, UNRESOLVED_JUMP));
      emitOnce(places, part);
    }
    for (const at of splits) places[at] = { kind: "split", to: [at + 1, places.length] };
    return;
  }
  const loop = emitInstruction(places, UNRESOLVED_JUMP);
  emitPart(places, part);
  emitInstruction(places, { kind: "jump", to: loop });
  places[loop] = { kind: "split", to: [loop + 1, places.length] };
}

/**
 * Emits the instructions of a part once. An empty part still costs one instruction, so that a repetition of billions of
 * empty parts reaches the limit.
 */
function emitOnce(places: Instruction[], part: Part): void {
  const before = places.length;
  emitPart(places, part);
  if (places.length === before) emitInstruction(places, { kind: "jump", to: before + 1 });
}
