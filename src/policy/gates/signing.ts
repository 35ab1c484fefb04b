// Decides which key versions of a webhook receiver sign at an instant. Each rotation starts a new version, for one
// receiver or for the whole tenant. The previous version also signs until the requested overlap ends.
import { TENANT_WIDE, type SigningKeyVersion, type SigningRotation } from "#schema/outgoing/signing.ts";

type Rotations = {
  /** The tenant's rotation; null for a tenant whose receivers share one key. */
  readonly tenant: SigningRotation | null;
  /** The receiver's own rotation; null if it was never rotated separately from the tenant's other receivers. */
  readonly endpoint: SigningRotation | null;
};

/** Returns the versions that sign now, the newest first. */
export function keyVersionsOf({ tenant, endpoint }: Rotations, now: number): readonly SigningKeyVersion[] {
  if (tenant === null) return [{ generation: TENANT_WIDE, until: null }];
  const isEndpointNewer = endpoint !== null && endpoint.since > tenant.since;
  const current = isEndpointNewer ? endpoint.since : tenant.since;
  const previous: readonly EndingVersion[] = isEndpointNewer
    ? [{ generation: endpoint.previous, until: endpoint.previousUntil }]
    : beforeTenantRotation(tenant, endpoint);
  return [{ generation: current, until: null }, ...previous.filter(({ until }) => until > now)];
}

/** An older version that still signs, until this instant (epoch ms). */
type EndingVersion = { readonly generation: number; readonly until: number };

/**
 * Returns the versions that existed before the tenant's rotation: the receiver's version at that time. If its previous
 * version was still signing then, returns that one too.
 */
function beforeTenantRotation(tenant: SigningRotation, endpoint: SigningRotation | null): readonly EndingVersion[] {
  const until = tenant.previousUntil;
  if (endpoint === null || endpoint.since <= tenant.previous) return [{ generation: tenant.previous, until }];
  const own = { generation: endpoint.previous, until: Math.min(endpoint.previousUntil, until) };
  return [{ generation: endpoint.since, until }, own];
}

/** Starts a new version. `overlapMs`: 0 for a leaked key, so that only the new version signs. */
export function rotateKey(
  rotations: Rotations,
  of: "tenant" | "endpoint",
  now: number,
  overlapMs: number,
): SigningRotation {
  const { tenant, endpoint } = rotations;
  const tenantVersion = tenant?.since ?? TENANT_WIDE;
  const endpointVersion = of === "endpoint" ? (endpoint?.since ?? TENANT_WIDE) : TENANT_WIDE;
  const previous = Math.max(tenantVersion, endpointVersion);
  const since = Math.max(now, previous + 1);
  return { since, previous, previousUntil: since + overlapMs };
}

/**
 * Returns the end of a running overlap, in epoch ms, because another rotation would end it earlier. null if there is
 * none.
 */
export function overlapEnds(rotations: Rotations, now: number): number | null {
  const ends = keyVersionsOf(rotations, now).flatMap(({ until }) => (until === null ? [] : [until]));
  return ends.length === 0 ? null : Math.max(...ends);
}
