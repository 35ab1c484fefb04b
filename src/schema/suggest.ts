// Suggestions: finds the known name that is most similar to a mistyped one. Every check that refuses an unknown name
// uses this.

/** How many characters of a name are compared. A typing error is short, so the beginning is enough. */
const COMPARED_MAX = 64;
/** For how many unknown names of one list a suggestion is searched. A client may send thousands of names. */
const GUESSED_MAX = 30;

export function didYouMean(name: string, known: readonly string[]): string | null {
  const typed = folded(name);
  let best: string | null = null;
  let nearest = allowance(typed) + 1;
  for (const candidate of known) {
    if (candidate === name) continue;
    const distance = distanceBelow(nearest, typed, folded(candidate));
    if (distance === null) continue;
    best = candidate;
    nearest = distance;
  }
  return best;
}

/**
 * Returns `didYouMean` for many names. After the first GUESSED_MAX names, the returned function makes no search and
 * returns null.
 */
export function openGuesses(known: readonly string[]): (name: string) => string | null {
  const guesses = new Map<string, string | null>();
  return (name) => {
    const before = guesses.get(name);
    if (before !== undefined || guesses.size >= GUESSED_MAX) return before ?? null;
    const guess = didYouMean(name, known);
    guesses.set(name, guess);
    return guess;
  };
}

function folded(name: string): string {
  return name.slice(0, COMPARED_MAX).toLowerCase().slice(0, COMPARED_MAX);
}

/** Returns how many edits count as a typing error: one in a short name, up to three in a long name. */
function allowance(name: string): number {
  return Math.min(3, Math.max(1, Math.floor(name.length / 3)));
}

/**
 * Returns the number of insertions, deletions, replacements and swaps that turn one name into the other (optimal string
 * alignment). Returns null if there are `limit` or more. Cells far from the diagonal are not computed.
 */
function distanceBelow(limit: number, a: string, b: string): number | null {
  if (Math.abs(a.length - b.length) >= limit || areLettersApart(limit, a, b)) return null;
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current: number[] = [];
    current[0] = row;
    let least = row;
    const end = Math.min(b.length, row + limit - 1);
    for (let column = Math.max(1, row - limit + 1); column <= end; column++) {
      const same = a[row - 1] === b[column - 1];
      const edited = Math.min(at(last, column) + 1, at(current, column - 1) + 1, at(last, column - 1) + (same ? 0 : 1));
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      const cell = swapped ? Math.min(edited, at(beforeLast, column - 2) + 1) : edited;
      current[column] = cell;
      least = Math.min(least, cell);
    }
    // A swap uses the row before the last one and adds one edit. So the search stops only if the row's minimum exceeds
    // the limit by one.
    if (least >= limit + 1) return null;
    beforeLast = last;
    last = current;
  }
  const distance = at(last, b.length);
  return distance < limit ? distance : null;
}

/**
 * Returns true if the letters of both names differ too much for a typing error. Each edit changes at most two letters.
 */
function areLettersApart(limit: number, a: string, b: string): boolean {
  return bitsIn(lettersOf(a) ^ lettersOf(b)) > 2 * (limit - 1);
}

const BITS = 31;

function lettersOf(name: string): number {
  let letters = 0;
  for (let n = 0; n < name.length; n++) letters |= 1 << (name.charCodeAt(n) % BITS);
  return letters;
}

function bitsIn(mask: number): number {
  let count = 0;
  for (let left = mask; left !== 0; left &= left - 1) count += 1;
  return count;
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
