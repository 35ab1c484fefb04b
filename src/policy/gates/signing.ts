// Key versions of a receiver: which of them sign now. A rotation, of one receiver or of the whole tenant, starts a
// version; the previous one continues to sign for the requested overlap.
import { TENANT_WIDE, type SigningGeneration, type SigningRotation } from "#schema/outgoing/signing.ts";

type Rotations = {
  /** null: a tenant without per-receiver keys. */
  readonly tenant: SigningRotation | null;
  /** null: it was never rotated separately. */
  readonly endpoint: SigningRotation | null;
};

/** Newest first. */
export function generationsOf({ tenant, endpoint }: Rotations, now: number): readonly SigningGeneration[] {
  if (tenant === null) return [{ generation: TENANT_WIDE, until: null }];
  const isOwn = endpoint !== null && endpoint.since > tenant.since;
  const [current, ...before] = isOwn
    ? [endpoint.since, ownBefore(endpoint)]
    : [tenant.since, ...allBefore(tenant, endpoint)];
  const lasting = before.filter(({ until }) => until > now);
  return [{ generation: current, until: null }, ...lasting];
}

type Lasting = { readonly generation: number; readonly until: number };

function ownBefore({ previous, previousUntil }: SigningRotation): Lasting {
  return { generation: previous, until: previousUntil };
}

/** The versions that the receiver had when its tenant rotated, and the one before if it was still signing. */
function allBefore(tenant: SigningRotation, endpoint: SigningRotation | null): readonly Lasting[] {
  const until = tenant.previousUntil;
  if (endpoint === null || endpoint.since <= tenant.previous) return [{ generation: tenant.previous, until }];
  const own = { generation: endpoint.previous, until: Math.min(endpoint.previousUntil, until) };
  return [{ generation: endpoint.since, until }, own];
}

/** `overlapMs` 0 is for a leaked key: no older version signs from then on. */
export function rotateKey(
  rotations: Rotations,
  of: "tenant" | "endpoint",
  now: number,
  overlapMs: number,
): SigningRotation {
  const { tenant, endpoint } = rotations;
  const begun = [tenant?.since ?? TENANT_WIDE, of === "endpoint" ? (endpoint?.since ?? TENANT_WIDE) : TENANT_WIDE];
  const previous = Math.max(...begun);
  const since = Math.max(now, previous + 1);
  return { since, previous, previousUntil: since + overlapMs };
}

/** The end of an overlap that another rotation would cut short; null if there is none. */
export function overlapEnds(rotations: Rotations, now: number): number | null {
  const ends = generationsOf(rotations, now).flatMap(({ until }) => (until === null ? [] : [until]));
  return ends.length === 0 ? null : Math.max(...ends);
}
