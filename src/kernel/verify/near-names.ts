// Similar names, which are probably two spellings of one name: one wrong letter, two swapped letters, or other vowels
// in the middle.

/** Pairs of similar names in the given order, each pair once. */
export function nearPairs<T>(named: readonly (readonly [string, T])[]): readonly (readonly [Named<T>, Named<T>])[] {
  return named.flatMap((a, n) =>
    named
      .slice(n + 1)
      .filter((b) => isNear(a[0], b[0]))
      .map((b) => [a, b] as const),
  );
}
type Named<T> = readonly [string, T];

const LETTERS_MIN = 4;

/**
 * Whether two names are similar. Names that differ in digits, a prefix or a suffix do not count: step_1 and step_2,
 * opened and open.
 */
export function isNear(a: string, b: string): boolean {
  if (Math.min(a.length, b.length) < LETTERS_MIN || Math.abs(a.length - b.length) > 2) return false;
  if (a.startsWith(b) || b.startsWith(a) || a.endsWith(b) || b.endsWith(a)) return false;
  const before = sharedBefore(a, b);
  const after = sharedAfter(a, b, Math.min(a.length, b.length) - before);
  const [x, y] = [a.slice(before, a.length - after), b.slice(before, b.length - after)];
  if (!/^[a-z]*$/i.test(x + y)) return false;
  if (x.length <= 1 && y.length <= 1) return true;
  if (x.length === 2 && y.length === 2) return x[0] === y[1] && x[1] === y[0];
  // Other vowels in the middle, as in paid and payed.
  return x.length <= 2 && y.length <= 2 && /^[aeiouy]+$/i.test(x + y) && before > 0 && after > 0;
}

function sharedBefore(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length += 1;
  return length;
}

function sharedAfter(a: string, b: string, max: number): number {
  let length = 0;
  while (length < max && a[a.length - 1 - length] === b[b.length - 1 - length]) length += 1;
  return length;
}
