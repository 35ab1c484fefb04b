// Valid parts of a definition: removes what the schema refuses, so that the other checks run on the rest. One answer then
// has the findings of both.
import { definition, type Definition } from "../definition/definition.ts";
import { jsonPointer, zodFindings } from "../findings.ts";
import { FINDINGS_MAX } from "../limits/api-requests.ts";
import type { Finding } from "../refusal.ts";

/** A finding or a warning. */
type PlacedFinding = { readonly pointer: string; readonly code: string; readonly places?: readonly string[] };

/**
 * A definition without its invalid parts. `ofWhole` returns the findings about the rest with pointers into the whole
 * body, without findings that only the removal may have caused.
 */
export type ValidParts = {
  readonly rest: Definition;
  /** true: nothing was removed. */
  readonly isWhole: boolean;
  readonly ofWhole: <Found extends PlacedFinding>(found: readonly Found[]) => readonly Found[];
};

export function wholeDefinition(rest: Definition): ValidParts {
  return { rest, isWhole: true, ofWhole: (found) => found };
}

/** How often the schema reads what is left. Each reading removes at most one more level of required fields. */
const READINGS_MAX = 4;
/** The name of a definition whose own name is invalid. The name affects no other check. */
const NAME = "unnamed";

/** Returns null if the schema refuses too much: the kind, or a field that each definition of the kind must have. */
export function validParts(body: unknown, invalid: readonly Finding[]): ValidParts | null {
  const removed = new Set<string>();
  let found = invalid;
  for (let reading = 0; reading < READINGS_MAX && found.length <= FINDINGS_MAX; reading++) {
    const before = new Set(removed);
    for (const { pointer } of found) removed.add(partToRemove(body, wholePointer(body, pointer, before), before));
    if (removed.has("")) return null;
    const rest = without(body, "", removed);
    const named = isObject(rest) && removed.has("/name") ? { ...rest, name: NAME } : rest;
    const parsed = definition.safeParse(named);
    if (parsed.success)
      return { rest: parsed.data, isWhole: false, ofWhole: (others) => ofWhole(body, removed, others) };
    found = zodFindings(parsed.error, definition, named);
  }
  return null;
}

/** Returns the pointer of the refused value, or of the object that lacks a required field. */
function partToRemove(body: unknown, pointer: string, removed: ReadonlySet<string>): string {
  if (pointer === "" || (valueAt(body, pointer) !== undefined && !removed.has(pointer))) return pointer;
  return partToRemove(body, pointer.slice(0, pointer.lastIndexOf("/")), removed);
}

/** Returns a copy without the removed parts. Lists are shorter by the removed items. */
function without(part: unknown, at: string, removed: ReadonlySet<string>): unknown {
  if (Array.isArray(part)) {
    return part.flatMap((item: unknown, n) => {
      const pointer = childPointer(at, String(n));
      return removed.has(pointer) ? [] : [without(item, pointer, removed)];
    });
  }
  if (!isObject(part)) return part;
  const left = Object.entries(part).filter(([name]) => !removed.has(childPointer(at, name)));
  return Object.fromEntries(left.map(([name, value]) => [name, without(value, childPointer(at, name), removed)]));
}

/** Converts a pointer into the rest to a pointer into the body, whose lists still have the removed items. */
function wholePointer(body: unknown, pointer: string, removed: ReadonlySet<string>): string {
  let [at, part] = ["", body];
  for (const step of stepsOf(pointer)) {
    const list: readonly unknown[] | null = Array.isArray(part) ? part : null;
    const left = list?.flatMap((_, n) => (removed.has(childPointer(at, String(n))) ? [] : [n]));
    const key = String(left?.[Number(step)] ?? step);
    at = childPointer(at, key);
    part = childOf(part, key);
  }
  return at;
}

/** Findings about the whole graph: the removal of one part may cause them anywhere. */
const GRAPH_CODES: ReadonlySet<string> = new Set([
  "unreachable_node",
  "join_impossible",
  "nodes_missing",
  "subject_missing",
  "endless_loop",
  "rule_too_costly",
  "unknown_type",
]);

function ofWhole<Found extends PlacedFinding>(
  body: unknown,
  removed: ReadonlySet<string>,
  found: readonly Found[],
): readonly Found[] {
  const names = new Set(
    [...removed].flatMap((pointer) => [...stepsOf(pointer).slice(-1), ...wordsIn(valueAt(body, pointer))]),
  );
  const wholeOf = (pointer: string) => wholePointer(body, pointer, removed);
  return found
    .filter(({ code }) => !GRAPH_CODES.has(code))
    .map((each) => ({
      ...each,
      pointer: wholeOf(each.pointer),
      ...(each.places && { places: each.places.map(wholeOf) }),
    }))
    .filter(
      ({ pointer, code }) => !removed.has(pointer) && !(isAboutName(code) && isNaming(valueAt(body, pointer), names)),
    );
}

/** Returns true for a finding about a name of the definition. Action types are names of the engine. */
function isAboutName(code: string): boolean {
  return code.startsWith("unknown_") && code !== "unknown_action_type";
}

/** Returns true if a text in the value has one of the names, or if the value has too many words to compare. */
function isNaming(value: unknown, names: ReadonlySet<string>): boolean {
  let compared = 0;
  for (const word of textsIn(value)) if (names.has(word) || ++compared > WORDS_COMPARED_MAX) return true;
  return false;
}

const WORDS_COMPARED_MAX = 1_000;

/** Returns the field names in a value and the words of its texts. A part that has one may name what was removed. */
function wordsIn(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [...textsIn(value)];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...wordsIn(inner)]);
}

/** Generates the words of the texts in a value. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield* value.split(/[^\w-]+/);
  else if (typeof value === "object" && value !== null) for (const inner of Object.values(value)) yield* textsIn(inner);
}

function valueAt(body: unknown, pointer: string): unknown {
  return stepsOf(pointer).reduce(childOf, body);
}

function childOf(part: unknown, key: string): unknown {
  return typeof part === "object" && part !== null && Object.hasOwn(part, key) ? Reflect.get(part, key) : undefined;
}

function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function childPointer(at: string, name: string): string {
  return at + jsonPointer([name]);
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
