// How a tenant's webhooks are signed: with a key for each receiver or one for all, since when, and what else signs until
// when.
import type { StoredRotation } from "#catalog/signing.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { TENANT_WIDE } from "#schema/outgoing/signing.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { findRotations } from "./find-rotations.ts";

export type RotationView = {
  readonly since: number;
  /** Until when the key before signs as well; null: it does not. */
  readonly previousUntil: number | null;
};
export type SigningView = {
  readonly mode: "endpoint" | "tenant";
  /** null: as it was for every tenant once. */
  readonly since: number | null;
  readonly previousUntil: number | null;
  /** Whether it is the tenant-wide key that signs as well until then. */
  readonly previousMode: "endpoint" | "tenant" | null;
  /** Those that were rotated by themselves, and not by a later rotation of all. */
  readonly endpoints: readonly (RotationView & { readonly endpoint: string })[];
};

export async function getSigning(deps: Deps, caller: TenantCaller): Promise<Result<SigningView>> {
  const { tenant, endpoints } = await findRotations(deps.db, caller.tenant);
  if (tenant === null)
    return accept({ mode: "tenant", since: null, previousUntil: null, previousMode: null, endpoints: [] });
  const view = rotationView(tenant, deps.now());
  const before = tenant.previous === TENANT_WIDE ? "tenant" : "endpoint";
  const own = [...endpoints.values()].filter(({ since }) => since > tenant.since);
  return accept({
    mode: "endpoint",
    ...view,
    previousMode: view.previousUntil === null ? null : before,
    endpoints: own.map((row) => ({ endpoint: row.shown, ...rotationView(row, deps.now()) })),
  });
}

export function rotationView({ since, previousUntil }: StoredRotation, now: number): RotationView {
  return { since, previousUntil: previousUntil > now ? previousUntil : null };
}
