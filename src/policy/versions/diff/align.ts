// Aligns two lists for a diff: matches equal items and pairs the items between them.
import type { Json, JsonObject } from "#schema/json.ts";
import { DIFF_ALIKE_CELLS_MAX, DIFF_CELLS_MAX } from "#schema/limits/definition-sizes.ts";

/** The index of an item in each list; null if the item is missing in that list. */
export type Pair = { readonly from: number | null; readonly to: number | null };

/**
 * Pairs the items of two lists without changing their order. First equal items, then similar items between these, then
 * items at the same position.
 */
export function alignLists(from: readonly Json[], to: readonly Json[]): readonly Pair[] {
  const same = anchors(from.map(canonicalText), to.map(canonicalText));
  return pairsAround(same, [from.length, to.length], (starts, ends) => {
    const [fromGap, toGap] = [from.slice(starts.from, ends.from), to.slice(starts.to, ends.to)];
    const [fromFields, toFields] = [fromGap.map(fieldsOf), toGap.map(fieldsOf)];
    const alike = commonSubsequence(fromFields.length, toFields.length, DIFF_ALIKE_CELLS_MAX, (n, m) =>
      isSimilar(fromFields[n], toFields[m]),
    );
    return shifted(pairsAround(alike, [fromGap.length, toGap.length], pairByPosition), starts);
  });
}

/**
 * Merges two lists of names. The result has the order of the new list. A removed name stays after the name that it
 * followed.
 */
export function alignNames(from: readonly string[], to: readonly string[]): readonly string[] {
  const kept = new Set(to);
  const removedAfter = new Map<string | null, string[]>();
  let lastKept: string | null = null;
  for (const name of from) {
    if (kept.has(name)) lastKept = name;
    else removedAfter.set(lastKept, [...(removedAfter.get(lastKept) ?? []), name]);
  }
  return [...(removedAfter.get(null) ?? []), ...to.flatMap((name) => [name, ...(removedAfter.get(name) ?? [])])];
}

/** Returns a text that is the same for equal values, whatever the order of their fields. */
export function canonicalText(value: Json): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const known = canonicalTexts.get(value);
  if (known !== undefined) return known;
  const text = isList(value) ? `[${value.map(canonicalText).join()}]` : fieldsInOrder(value);
  canonicalTexts.set(value, text);
  return text;
}

/**
 * The canonical text of each value that is compared. It is cached, because each nesting level needs it once, and values
 * do not change.
 */
const canonicalTexts = new WeakMap<object, string>();

function fieldsInOrder(value: JsonObject): string {
  const fields = Object.keys(value).toSorted();
  return `{${fields.map((field) => `${JSON.stringify(field)}:${canonicalText(value[field] ?? null)}`).join()}}`;
}

export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** A matched pair of items. Two neighboring pairs (`starts` and `ends`) are the bounds of a gap. */
type Anchor = { readonly from: number; readonly to: number };

/** Returns the matched pairs and, for the gaps between them, the pairs that `pairsOf` finds. */
function pairsAround(
  anchored: readonly Anchor[],
  [fromEnd, toEnd]: readonly [number, number],
  pairsOf: (starts: Anchor, ends: Anchor) => readonly Pair[],
): readonly Pair[] {
  const starts = [{ from: 0, to: 0 }, ...anchored.map(({ from, to }) => ({ from: from + 1, to: to + 1 }))];
  return starts.flatMap((start, n) => {
    const anchor = anchored[n];
    const gap = pairsOf(start, anchor ?? { from: fromEnd, to: toEnd });
    return anchor === undefined ? gap : [...gap, anchor];
  });
}

/**
 * Pairs items by position if both sides of the gap have the same length. Otherwise every item of the gap counts as
 * removed or added.
 */
function pairByPosition(starts: Anchor, ends: Anchor): readonly Pair[] {
  const [fromCount, toCount] = [ends.from - starts.from, ends.to - starts.to];
  if (fromCount === toCount) {
    return Array.from({ length: fromCount }, (_, n) => ({ from: starts.from + n, to: starts.to + n }));
  }
  const removed = Array.from({ length: fromCount }, (_, n) => ({ from: starts.from + n, to: null }));
  const added = Array.from({ length: toCount }, (_, n) => ({ from: null, to: starts.to + n }));
  return [...removed, ...added];
}

/** Adds the start of the gap to the indexes of pairs that were found inside it. */
function shifted(pairs: readonly Pair[], by: Anchor): readonly Pair[] {
  return pairs.map(({ from, to }) => ({
    from: from === null ? null : from + by.from,
    to: to === null ? null : to + by.to,
  }));
}

/**
 * Matches equal texts by a longest common subsequence. If the lists are too long for that, matches only their common
 * start and common end.
 */
function anchors(from: readonly string[], to: readonly string[]): readonly Anchor[] {
  let start = 0;
  while (start < from.length && start < to.length && from[start] === to[start]) start++;
  let [fromEnd, toEnd] = [from.length, to.length];
  for (; fromEnd > start && toEnd > start && from[fromEnd - 1] === to[toEnd - 1]; fromEnd--) toEnd--;
  const isMatch = (n: number, m: number): boolean => from[n + start] === to[m + start];
  const inner = commonSubsequence(fromEnd - start, toEnd - start, DIFF_CELLS_MAX, isMatch);
  return [
    ...Array.from({ length: start }, (_, n) => ({ from: n, to: n })),
    ...inner.map((anchor) => ({ from: anchor.from + start, to: anchor.to + start })),
    ...Array.from({ length: from.length - fromEnd }, (_, n) => ({ from: fromEnd + n, to: toEnd + n })),
  ];
}

/**
 * Returns a longest common subsequence as pairs of indexes, by dynamic programming. `cellsMax`: the largest table; if a
 * larger one is needed, returns no pairs.
 */
function commonSubsequence(
  oldCount: number,
  newCount: number,
  cellsMax: number,
  isMatch: (n: number, m: number) => boolean,
): readonly Anchor[] {
  if (oldCount * newCount > cellsMax) return [];
  const width = newCount + 1;
  const longest = new Uint32Array((oldCount + 1) * width);
  const matches = new Uint8Array((oldCount + 1) * width);
  const at = (n: number, m: number): number => longest[n * width + m] as number; // All indexes are inside the table.
  for (let n = oldCount - 1; n >= 0; n--) {
    for (let m = newCount - 1; m >= 0; m--) {
      const match = isMatch(n, m);
      matches[n * width + m] = match ? 1 : 0;
      longest[n * width + m] = Math.max(match ? 1 + at(n + 1, m + 1) : 0, at(n + 1, m), at(n, m + 1));
    }
  }
  const found: Anchor[] = [];
  let [n, m] = [0, 0];
  while (n < oldCount && m < newCount) {
    if (matches[n * width + m] === 1 && at(n, m) === 1 + at(n + 1, m + 1)) found.push({ from: n++, to: m++ });
    else if (at(n + 1, m) >= at(n, m + 1)) n++;
    else m++;
  }
  return found;
}

type FieldTexts = ReadonlyMap<string, string> | null;

function fieldsOf(item: Json): FieldTexts {
  if (item === null || typeof item !== "object" || isList(item)) return null;
  return new Map(Object.entries(item).map(([field, value]: [string, Json]) => [field, canonicalText(value)]));
}

/** Returns whether two objects are similar, which means that at least half of their fields are equal. */
function isSimilar(old: FieldTexts | undefined, new_: FieldTexts | undefined): boolean {
  if (!old || !new_) return false;
  const same = [...old].filter(([field, value]) => new_.get(field) === value).length;
  return same > 0 && 2 * same >= Math.max(old.size, new_.size);
}
