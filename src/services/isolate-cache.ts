// Isolate cache: keeps catalog data in memory, so that requests neither wait for D1 nor fail with it. While one request
// refreshes an entry, the others use the cached value: a stalled D1 delays one request, not all.
import { CACHE_REFRESH_MS } from "#schema/limits/isolates/caches.ts";

type CacheEntry<T> = { readonly value: T; readonly knownAt: number; lookAgainAt: number };

export type IsolateCache<T> = {
  readonly entries: Map<string, CacheEntry<T>>;
  readonly sizeMax: number;
  /** How long a value is used without a refresh, in ms. */
  readonly freshMs: (value: T) => number;
  /** How old a value may be while D1 does not answer, in ms; 0 for values that must be fresh. */
  readonly staleMs: (value: T) => number;
};

export function openIsolateCache<T>(options: Omit<IsolateCache<T>, "entries">): IsolateCache<T> {
  return { ...options, entries: new Map() };
}

export async function readCached<T>(
  cache: IsolateCache<T>,
  key: string,
  now: () => number,
  look: () => Promise<T>,
): Promise<T> {
  const known = cache.entries.get(key);
  const askedAt = now();
  if (known !== undefined && askedAt < known.lookAgainAt) return known.value;
  const standsIn = known !== undefined && askedAt < known.knownAt + cache.staleMs(known.value);
  if (standsIn) known.lookAgainAt = askedAt + CACHE_REFRESH_MS;
  try {
    const value = await look();
    // If another request set or dropped the entry meanwhile, that change is newer than this value.
    if (cache.entries.get(key) === known) putCached(cache, key, value, askedAt);
    return value;
  } catch (cause) {
    if (standsIn) return known.value;
    throw cause;
  }
}

/**
 * Returns the cached value at once, and refreshes it in the background if it is not fresh; returns a promise if nothing
 * is cached.
 */
export function cachedOrRefresh<T>(
  cache: IsolateCache<T>,
  key: string,
  { now, background }: { readonly now: () => number; readonly background: (work: Promise<unknown>) => void },
  look: () => Promise<T>,
): T | Promise<T> {
  const known = cache.entries.get(key);
  const at = now();
  if (known === undefined || at >= known.knownAt + Math.max(cache.freshMs(known.value), cache.staleMs(known.value)))
    return readCached(cache, key, now, look);
  if (at >= known.lookAgainAt) background(readCached(cache, key, now, look));
  return known.value;
}

/** Returns the cached value if it is fresh; null otherwise. Never queries D1. */
export function peekCached<T>(cache: IsolateCache<T>, key: string, at: number): T | null {
  const known = cache.entries.get(key);
  return known !== undefined && at < known.lookAgainAt ? known.value : null;
}

/** Caches a value that was looked up, or that this isolate has just stored itself. */
export function putCached<T>(cache: IsolateCache<T>, key: string, value: T, knownAt: number): void {
  const { entries, sizeMax } = cache;
  entries.delete(key);
  if (cache.freshMs(value) === 0 && cache.staleMs(value) === 0) return;
  for (const oldest of entries.keys()) {
    if (entries.size < sizeMax) break;
    entries.delete(oldest);
  }
  entries.set(key, { value, knownAt, lookAgainAt: knownAt + cache.freshMs(value) });
}

export function dropCached<T>(cache: IsolateCache<T>, isMeant: (value: T, key: string) => boolean): void {
  for (const [key, known] of cache.entries) if (isMeant(known.value, key)) cache.entries.delete(key);
}
