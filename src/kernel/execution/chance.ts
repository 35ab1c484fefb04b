// Chance, derived: from the execution, its step and a counter. Whatever was written down can be stepped again to the same
// bytes, and what a preview says of a wait is what the step then does.

/** 0..1. As even as jitter needs it; whoever chooses ids chooses their waits, and hurts nobody but themselves. */
export function chanceFor(execution: string, seq: number, counter: number): number {
  return chanceOf(`${execution}/${seq}/${counter}`);
}

/** Where a run goes among those that go out together: the same whenever it is asked. */
export function placeOf(execution: string, run: string): number {
  return chanceOf(`${execution}/${run}`);
}

/** 0..1, the same for the same text. */
export function chanceOf(text: string): number {
  // FNV-1a, then the finalizer of MurmurHash3: texts that differ in one digit come out far apart. Both public domain.
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}
