// What rotations of a tenant's signing keys have come to, as isolates remember it: all of them at once, so that a tenant
// that calls very many addresses asks no more often than one that calls one.
import { ALL_RECEIVERS, listRotations, type StoredRotation } from "#catalog/signing.ts";
import { remembered } from "#schema/limits/isolates.ts";
import type { Deps } from "../deps.ts";
import { sha256 } from "../hash.ts";
import { cached, drop, isolateCache } from "../isolate-cache.ts";
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

/** For signing. Throws what the catalog throws, where nothing is remembered. */
export function knownRotations(deps: Pick<Deps, "db" | "now">, tenant: string): Promise<Rotations> {
  return cached(seen, tenant, deps.now, () => withTimeLimit(remembered.signing.lookMs, findRotations(deps.db, tenant)));
}

/** For whoever changes them, or wants to know. */
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
  drop(seen, (_rotations, key) => key === tenant);
}

/** Addresses of hooks are as good as passwords: what is kept of one is its digest. */
export function receiverOf(endpoint: string): Promise<string> {
  return sha256(endpoint);
}
