// Which generations of a receiver's key sign now. A rotation, of one receiver or of all that a tenant has, begins a
// generation; the one before goes on signing for as long as was asked for.
import { TENANT_WIDE, type SigningGeneration, type SigningRotation } from "#schema/outgoing/signing.ts";

type Rotations = {
  /** null: a tenant from before there were keys for each receiver, that has not changed over. */
  readonly tenant: SigningRotation | null;
  /** null: it has never been rotated by itself. */
  readonly endpoint: SigningRotation | null;
};

/** The newest first. */
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

/** What the receiver had when its tenant rotated, and what it had before that, if that was still signing. */
function allBefore(tenant: SigningRotation, endpoint: SigningRotation | null): readonly Lasting[] {
  const until = tenant.previousUntil;
  if (endpoint === null || endpoint.since <= tenant.previous) return [{ generation: tenant.previous, until }];
  const own = { generation: endpoint.previous, until: Math.min(endpoint.previousUntil, until) };
  return [{ generation: endpoint.since, until }, own];
}

/** `overlapMs` 0 is for a key that has leaked: from then on nothing older signs. */
export function rotated(
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

/** Until when an overlap is under way that another rotation would cut short; null: none is. */
export function overlapEnds(rotations: Rotations, now: number): number | null {
  const ends = generationsOf(rotations, now).flatMap(({ until }) => (until === null ? [] : [until]));
  return ends.length === 0 ? null : Math.max(...ends);
}
