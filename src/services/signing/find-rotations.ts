// Signing-key rotations as isolates cache them: all of a tenant's at once, so that a tenant with very many addresses
// causes no more reads than one with a single address.
import { ALL_RECEIVERS, listRotations, type StoredRotation } from "#catalog/signing.ts";
import { remembered } from "#schema/limits/isolates.ts";
import type { Deps } from "../deps.ts";
import { sha256 } from "../hash.ts";
import { cached, dropCached, isolateCache } from "../isolate-cache.ts";
import { withTimeLimit } from "../time-limit.ts";

export type Rotations = {
  readonly tenant: StoredRotation | null;
  readonly endpoints: ReadonlyMap<string, StoredRotation>;
};

const seen = isolateCache<Rotations>({
  sizeMax: remembered.signing.sizeMax,
  freshMs: () => remembered.signing.freshMs,
  staleMs: () => remembered.signing.staleMs,
});

/** For signing. Throws the catalog's error if nothing is cached. */
export function knownRotations(deps: Pick<Deps, "db" | "now">, tenant: string): Promise<Rotations> {
  return cached(seen, tenant, deps.now, () => withTimeLimit(remembered.signing.lookMs, findRotations(deps.db, tenant)));
}

/** Uncached, for changes and for display. */
export async function findRotations(db: Deps["db"], tenant: string): Promise<Rotations> {
  const rows = await listRotations(db, tenant);
  const endpoints = rows.filter(({ receiver }) => receiver !== ALL_RECEIVERS);
  return {
    tenant: rows.find(({ receiver }) => receiver === ALL_RECEIVERS) ?? null,
    endpoints: new Map(endpoints.map((row) => [row.receiver, row])),
  };
}

/** For the isolate in which they were changed. */
export function forgetRotations(tenant: string): void {
  dropCached(seen, (_rotations, key) => key === tenant);
}

/** Addresses of hooks are confidential like passwords: only a digest is stored. */
export function receiverOf(endpoint: string): Promise<string> {
  return sha256(endpoint);
}
