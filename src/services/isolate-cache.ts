// Isolate cache: keeps catalog data in memory, so that requests neither wait for D1 nor fail with it. While one request
// refreshes an entry, all other requests use the cached value. So if D1 stalls, only one request is delayed.
import { CACHE_REFRESH_MS } from "#schema/limits/isolates/caches.ts";

type CacheEntry<T> = { readonly value: T; readonly cachedAt: number; refreshAt: number };

export type IsolateCache<T> = {
  readonly entries: Map<string, CacheEntry<T>>;
  readonly sizeMax: number;
  /** Returns for how long, in ms, a value is used without a refresh. */
  readonly freshMs: (value: T) => number;
  /** Returns the age in ms up to which a value is used while D1 does not answer; 0 for values that must be fresh. */
  readonly staleMs: (value: T) => number;
};

export function openIsolateCache<T>(options: Omit<IsolateCache<T>, "entries">): IsolateCache<T> {
  return { ...options, entries: new Map() };
}

export async function readCached<T>(
  cache: IsolateCache<T>,
  key: string,
  now: () => number,
  load: () => Promise<T>,
): Promise<T> {
  const entry = cache.entries.get(key);
  const queriedAt = now();
  if (entry !== undefined && queriedAt < entry.refreshAt) return entry.value;
  const isUsableWhenStale = entry !== undefined && queriedAt < entry.cachedAt + cache.staleMs(entry.value);
  if (isUsableWhenStale) entry.refreshAt = queriedAt + CACHE_REFRESH_MS;
  try {
    const value = await load();
    // If another request has set or evicted the entry since the query, that change is newer than this value.
    if (cache.entries.get(key) === entry) putCached(cache, key, value, queriedAt);
    return value;
  } catch (cause) {
    if (isUsableWhenStale) return entry.value;
    throw cause;
  }
}

/**
 * Returns the cached value immediately, and refreshes it in the background if it is not fresh. If nothing is cached,
 * returns a promise of the looked-up value.
 */
export function cachedOrRefresh<T>(
  cache: IsolateCache<T>,
  key: string,
  { now, background }: { readonly now: () => number; readonly background: (work: Promise<unknown>) => void },
  load: () => Promise<T>,
): T | Promise<T> {
  const entry = cache.entries.get(key);
  const queriedAt = now();
  if (
    entry === undefined ||
    queriedAt >= entry.cachedAt + Math.max(cache.freshMs(entry.value), cache.staleMs(entry.value))
  )
    return readCached(cache, key, now, load);
  if (queriedAt >= entry.refreshAt) background(readCached(cache, key, now, load));
  return entry.value;
}

/** Returns the cached value if it is fresh; null otherwise. Never queries D1. */
export function peekCached<T>(cache: IsolateCache<T>, key: string, now: number): T | null {
  const entry = cache.entries.get(key);
  return entry !== undefined && now < entry.refreshAt ? entry.value : null;
}

/** Caches a value that was looked up, or that this isolate itself has just stored. */
export function putCached<T>(cache: IsolateCache<T>, key: string, value: T, cachedAt: number): void {
  const { entries, sizeMax } = cache;
  entries.delete(key);
  if (cache.freshMs(value) === 0 && cache.staleMs(value) === 0) return;
  for (const oldest of entries.keys()) {
    if (entries.size < sizeMax) break;
    entries.delete(oldest);
  }
  entries.set(key, { value, cachedAt, refreshAt: cachedAt + cache.freshMs(value) });
}

export function dropCached<T>(cache: IsolateCache<T>, shouldDrop: (value: T, key: string) => boolean): void {
  for (const [key, entry] of cache.entries) if (shouldDrop(entry.value, key)) cache.entries.delete(key);
}
