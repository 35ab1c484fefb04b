// "Did you mean": the known name nearest to a mistyped one, or null when none is near enough to be worth saying.
// Pure, shared by every check that refuses an unknown name.

/** Names longer than this are compared by their beginning only: a typo is short, and the table is quadratic. */
const COMPARED_MAX = 64;

export function didYouMean(name: string, known: readonly string[]): string | null {
  const typed = name.toLowerCase().slice(0, COMPARED_MAX);
  let best: string | null = null;
  let bestDistance = allowance(typed) + 1;
  for (const candidate of known) {
    if (candidate === name) continue;
    const distance = editDistance(typed, candidate.toLowerCase().slice(0, COMPARED_MAX));
    if (distance >= bestDistance) continue;
    best = candidate;
    bestDistance = distance;
  }
  return best;
}

/** One slip for short names, up to three for long ones: more than that is another word. */
function allowance(name: string): number {
  return Math.min(3, Math.max(1, Math.floor(name.length / 3)));
}

/** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      const edited = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current.push(swapped ? Math.min(edited, at(beforeLast, column - 2) + 1) : edited);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
