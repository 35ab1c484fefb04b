// "Did you mean": the nearest known word to one that is unknown, if it is near enough to be a typing error.

export function didYouMean(word: string, candidates: Iterable<string>): string | null {
  const wanted = word.slice(0, WORD_LENGTH_MAX).toLowerCase();
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(wanted, candidate.slice(0, WORD_LENGTH_MAX).toLowerCase());
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** Words come from outside, and the work grows with the product of their lengths. */
const WORD_LENGTH_MAX = 100;

/** Insertions, deletions and replacements cost one each, and so do two neighbours that changed places. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const same = from[row - 1] === to[column - 1];
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1];
      const replaced = Number(last[column - 1]) + (same ? 0 : 1);
      const moved = swapped ? Number(beforeLast[column - 2]) + 1 : Infinity;
      current.push(Math.min(Number(last[column]) + 1, Number(current[column - 1]) + 1, replaced, moved));
    }
    beforeLast = last;
    last = current;
  }
  return Number(last[to.length]);
}
