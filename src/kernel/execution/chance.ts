// Derived randomness: numbers computed from the execution, its step and a counter. The same step computed twice
// therefore gives the same bytes. A preview shows the delays that the real step will use.

/**
 * A number from 0 (inclusive) to 1 (exclusive), uniform enough for jitter. A client that chooses its execution ids can
 * predict the number, but the number affects only delays of that client's executions.
 */
export function chanceFor(execution: string, seq: number, counter: number): number {
  return chanceOf(`${execution}/${seq}/${counter}`);
}

/**
 * A number from 0 (inclusive) to 1 (exclusive) that is always the same for one run. It spreads the starts of runs that
 * become due at the same instant.
 */
export function chanceOfRun(execution: string, run: string): number {
  return chanceOf(`${execution}/${run}`);
}

/** A number from 0 (inclusive) to 1 (exclusive), always the same for the same text. */
export function chanceOf(text: string): number {
  // FNV-1a, followed by the finalizer of MurmurHash3, so that texts that differ in one digit give distant numbers. Both
  // algorithms are in the public domain.
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
