// What an isolate remembers of the catalog, so that requests do not wait for D1, nor fail with it.
// While one request looks again, the others go on with what is held: a stalled D1 holds up one of them, not all.

/** How long the others go on with what is held while one request looks again. */
const LOOKING_MS = 5_000;

type Held<T> = { readonly value: T; readonly knownAt: number; lookAgainAt: number };

export type Memory<T> = {
  readonly entries: Map<string, Held<T>>;
  readonly sizeMax: number;
  /** How long an answer is simply believed. */
  readonly freshMs: (value: T) => number;
  /** How old an answer may be that stands in while D1 does not answer; 0 for answers that must not. */
  readonly staleMs: (value: T) => number;
};

export function memory<T>(options: Omit<Memory<T>, "entries">): Memory<T> {
  return { ...options, entries: new Map() };
}

export async function remembered<T>(
  memory: Memory<T>,
  key: string,
  now: () => number,
  look: () => Promise<T>,
): Promise<T> {
  const held = memory.entries.get(key);
  const askedAt = now();
  if (held !== undefined && askedAt < held.lookAgainAt) return held.value;
  const standsIn = held !== undefined && askedAt < held.knownAt + memory.staleMs(held.value);
  if (standsIn) held.lookAgainAt = askedAt + LOOKING_MS;
  try {
    const value = await look();
    // What was learned or forgotten meanwhile is newer than this answer.
    if (memory.entries.get(key) === held) learn(memory, key, value, askedAt);
    return value;
  } catch (cause) {
    if (standsIn) return held.value;
    throw cause;
  }
}

/** What is held and still fresh, without looking. */
export function recall<T>(memory: Memory<T>, key: string, at: number): T | null {
  const held = memory.entries.get(key);
  return held !== undefined && at < held.lookAgainAt ? held.value : null;
}

/** Also for what this isolate has just changed itself. */
export function learn<T>(memory: Memory<T>, key: string, value: T, knownAt: number): void {
  const { entries, sizeMax } = memory;
  entries.delete(key);
  if (memory.freshMs(value) === 0 && memory.staleMs(value) === 0) return;
  for (const oldest of entries.keys()) {
    if (entries.size < sizeMax) break;
    entries.delete(oldest);
  }
  entries.set(key, { value, knownAt, lookAgainAt: knownAt + memory.freshMs(value) });
}

export function forget<T>(memory: Memory<T>, isMeant: (value: T, key: string) => boolean): void {
  for (const [key, held] of memory.entries) if (isMeant(held.value, key)) memory.entries.delete(key);
}
