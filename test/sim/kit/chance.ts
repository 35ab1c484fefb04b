// Random numbers from a seed: the same seed gives the same numbers on every machine.

export type Chance = {
  /** A number from 0 to below 1. */
  readonly draw: () => number;
  readonly yes: (probability: number) => boolean;
  /** A whole number from `low` to `high`, both included. */
  readonly between: (low: number, high: number) => number;
  readonly pick: <T>(list: readonly [T, ...T[]]) => T;
  /** A separate stream: drawing from it does not change the other streams. */
  readonly fork: (name: string) => Chance;
};

export function chanceOf(seed: string): Chance {
  const draw = numbersFrom(hashed(seed));
  const between = (low: number, high: number): number => low + Math.floor(draw() * (high - low + 1));
  return {
    draw,
    yes: (probability) => draw() < probability,
    between,
    pick: (list) => list[between(0, list.length - 1)] ?? list[0],
    fork: (name) => chanceOf(`${seed}/${name}`),
  };
}

/**
 * Numbers from 0 to below 1: mulberry32 (public domain). 32 bits of state suffice for a few thousand draws per world.
 */
export function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** FNV-1a; also used to compare two traces. */
export function hashed(text: string, from = 0x811c9dc5): number {
  let hash = from;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
