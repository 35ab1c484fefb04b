// Derived randomness: numbers computed from the execution, its step and a counter. Repeating a recorded step gives the
// same bytes, and a preview shows the delays that the step will use.

/**
 * A number from 0 to below 1, uniform enough for jitter. A client that chooses its execution ids influences only its
 * own delays.
 */
export function chanceFor(execution: string, seq: number, counter: number): number {
  return chanceOf(`${execution}/${seq}/${counter}`);
}

/** A number from 0 to below 1 that is always the same for one run. Spreads runs that become due at the same instant. */
export function chanceOfRun(execution: string, run: string): number {
  return chanceOf(`${execution}/${run}`);
}

/** A number from 0 to below 1, the same for the same text. */
export function chanceOf(text: string): number {
  // FNV-1a, then the finalizer of MurmurHash3, so that texts that differ in one digit give distant values. Both are
  // public domain.
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
