// A ratchet: how many faults each file or endpoint may still have. A number only ever falls, and one that is zero is gone.

export type Counts = { readonly [of: string]: number };

/** `above`: those with more than they may have. */
export type Ratcheted = { readonly next: Counts; readonly above: readonly string[] };

/** `mayMove`: what was freed may be used by names that are new, for files are renamed and divided. */
export function lowered(allowed: Counts, found: Counts, mayMove: boolean): Ratcheted {
  const kept = Object.entries(allowed).map(([of, count]) => [of, Math.min(count, found[of] ?? 0)] as const);
  let spare = mayMove ? sumOf(Object.values(allowed)) - sumOf(kept.map(([, count]) => count)) : 0;
  const added = Object.entries(found)
    .filter(([of]) => allowed[of] === undefined)
    .toSorted(byName)
    .map(([of, count]) => {
      const moved = Math.min(count, spare);
      spare -= moved;
      return [of, moved] as const;
    });
  const next = Object.fromEntries([...kept, ...added].filter(([, count]) => count > 0).toSorted(byName));
  return { next, above: Object.keys(found).filter((of) => (found[of] ?? 0) > (next[of] ?? 0)) };
}

function byName([one]: readonly [string, number], [other]: readonly [string, number]): number {
  return one < other ? -1 : 1;
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}
