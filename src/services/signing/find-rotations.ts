// Signing-key rotations, cached in the isolate. One entry contains all rotations of a tenant, so one read serves any
// number of receivers.
import { ALL_RECEIVERS, listRotations, type StoredRotation } from "#catalog/signing.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import type { Deps } from "../deps.ts";
import { sha256 } from "../hash.ts";
import { readCached, dropCached, openIsolateCache } from "../isolate-cache.ts";
import { withTimeLimit } from "../time-limit.ts";

export type Rotations = {
  readonly tenant: StoredRotation | null;
  readonly endpoints: ReadonlyMap<string, StoredRotation>;
};

const rotationCache = openIsolateCache<Rotations>({
  sizeMax: isolateCaches.signing.sizeMax,
  freshMs: () => isolateCaches.signing.freshMs,
  staleMs: () => isolateCaches.signing.staleMs,
});

/** Returns the rotations for signing, from the cache if possible. Throws the catalog's error if nothing is cached. */
export function cachedRotations(deps: Pick<Deps, "db" | "now">, tenant: string): Promise<Rotations> {
  return readCached(rotationCache, tenant, deps.now, () =>
    withTimeLimit(isolateCaches.signing.lookMs, findRotations(deps.db, tenant)),
  );
}

/** Reads the rotations from the catalog, for changes and for display. */
export async function findRotations(db: Deps["db"], tenant: string): Promise<Rotations> {
  const rows = await listRotations(db, tenant);
  const endpoints = rows.filter(({ receiver }) => receiver !== ALL_RECEIVERS);
  return {
    tenant: rows.find(({ receiver }) => receiver === ALL_RECEIVERS) ?? null,
    endpoints: new Map(endpoints.map((row) => [row.receiver, row])),
  };
}

/** Evicts the rotations that this isolate has just changed. */
export function evictRotations(tenant: string): void {
  dropCached(rotationCache, (_rotations, key) => key === tenant);
}

/**
 * Returns the digest that identifies a receiver. The URL itself is not stored, because hook URLs are confidential like
 * passwords.
 */
export function receiverOf(endpoint: string): Promise<string> {
  return sha256(endpoint);
}
