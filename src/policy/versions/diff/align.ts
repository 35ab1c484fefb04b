// Aligns two lists for a diff: matches equal items and pairs the items between them.
import type { Json, JsonObject } from "#schema/json.ts";
import { DIFF_ALIKE_CELLS_MAX, DIFF_CELLS_MAX } from "#schema/limits/definitions/publications.ts";

/** The index of an item in each list; null if the list lacks the item. */
export type Pair = { readonly from: number | null; readonly to: number | null };

/**
 * Pairs items in the order of both lists: first equal items, then similar items between them, then items at the same
 * position.
 */
export function alignLists(from: readonly Json[], to: readonly Json[]): readonly Pair[] {
  const [old, now] = [from.map(canonicalText), to.map(canonicalText)];
  const same = anchors(old, now);
  return between(same, [from.length, to.length], (starts, ends) => {
    const [taken, put] = [from.slice(starts.from, ends.from), to.slice(starts.to, ends.to)];
    const [before, after] = [taken.map(fieldsOf), put.map(fieldsOf)];
    const alike = common(before.length, after.length, DIFF_ALIKE_CELLS_MAX, (n, m) => isAlike(before[n], after[m]));
    return moved(between(alike, [taken.length, put.length], inPlace), starts);
  });
}

/** Merges both lists of names in the new order; removed names keep their old position. */
export function alignNames(from: readonly string[], to: readonly string[]): readonly string[] {
  const kept = new Set(to);
  const gone = new Map<string | null, string[]>();
  let before: string | null = null;
  for (const name of from) {
    if (kept.has(name)) before = name;
    else {
      const removed = gone.get(before) ?? [];
      removed.push(name);
      gone.set(before, removed);
    }
  }
  return [...(gone.get(null) ?? []), ...to.flatMap((name) => [name, ...(gone.get(name) ?? [])])];
}

/** Returns the same text for equal values, independent of the order of fields. */
export function canonicalText(value: Json): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const known = written.get(value);
  if (known !== undefined) return known;
  const text = isList(value) ? `[${value.map(canonicalText).join()}]` : fieldsInOrder(value);
  written.set(value, text);
  return text;
}

/** The canonical text of each compared value. Values do not change, and each is needed once per nesting level. */
const written = new WeakMap<object, string>();

function fieldsInOrder(value: JsonObject): string {
  const fields = Object.keys(value).toSorted();
  return `{${fields.map((field) => `${JSON.stringify(field)}:${canonicalText(value[field] ?? null)}`).join()}}`;
}

export function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

type Anchor = { readonly from: number; readonly to: number };

/** Returns the anchors and, between them, the pairs that `pairsOf` finds. */
function between(
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

/** Pairs items by position if both gaps have the same length; otherwise all items are removed or added. */
function inPlace(starts: Anchor, ends: Anchor): readonly Pair[] {
  const [taken, put] = [ends.from - starts.from, ends.to - starts.to];
  const isEven = taken === put;
  const gone = Array.from({ length: taken }, (_, n) => ({ from: starts.from + n, to: isEven ? starts.to + n : null }));
  return isEven ? gone : [...gone, ...Array.from({ length: put }, (_, n) => ({ from: null, to: starts.to + n }))];
}

function moved(pairs: readonly Pair[], by: Anchor): readonly Pair[] {
  return pairs.map(({ from, to }) => ({
    from: from === null ? null : from + by.from,
    to: to === null ? null : to + by.to,
  }));
}

/** Matches equal texts: a longest common subsequence, or for lists that are too long, their common start and end. */
function anchors(old: readonly string[], now: readonly string[]): readonly Anchor[] {
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start++;
  let [last, end] = [old.length, now.length];
  for (; last > start && end > start && old[last - 1] === now[end - 1]; last--) end--;
  const inner = common(last - start, end - start, DIFF_CELLS_MAX, (n, m) => old[n + start] === now[m + start]);
  return [
    ...Array.from({ length: start }, (_, n) => ({ from: n, to: n })),
    ...inner.map(({ from, to }) => ({ from: from + start, to: to + start })),
    ...Array.from({ length: old.length - last }, (_, n) => ({ from: last + n, to: end + n })),
  ];
}

function common(
  olds: number,
  nows: number,
  cellsMax: number,
  isOne: (n: number, m: number) => boolean,
): readonly Anchor[] {
  if (olds * nows > cellsMax) return [];
  const width = nows + 1;
  const longest = new Uint32Array((olds + 1) * width);
  const ones = new Uint8Array((olds + 1) * width);
  const at = (n: number, m: number): number => longest[n * width + m] as number; // every index is in range
  for (let n = olds - 1; n >= 0; n--) {
    for (let m = nows - 1; m >= 0; m--) {
      const one = isOne(n, m);
      ones[n * width + m] = one ? 1 : 0;
      longest[n * width + m] = Math.max(one ? 1 + at(n + 1, m + 1) : 0, at(n + 1, m), at(n, m + 1));
    }
  }
  const found: Anchor[] = [];
  let [n, m] = [0, 0];
  while (n < olds && m < nows) {
    if (ones[n * width + m] === 1 && at(n, m) === 1 + at(n + 1, m + 1)) found.push({ from: n++, to: m++ });
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

/** Returns whether two objects are similar: at least half of their fields are equal. */
function isAlike(old: FieldTexts | undefined, now: FieldTexts | undefined): boolean {
  if (!old || !now) return false;
  const same = [...old].filter(([field, value]) => now.get(field) === value).length;
  return same > 0 && 2 * same >= Math.max(old.size, now.size);
}
