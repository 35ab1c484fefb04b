// Signing-key rotation: creates a new key version, either for one receiver or for all receivers of a tenant. The first
// rotation of all receivers also gives each receiver a key of its own. Earlier versions keep signing for the requested
// time.
import { ALL_RECEIVERS, deleteOutdatedRotations, putRotation, type StoredRotation } from "#catalog/signing.ts";
import { overlapEnds, rotateKey } from "#policy/gates/signing.ts";
import { lengthMs } from "#schema/definition/duration-text.ts";
import { SIGNING_ENDPOINTS_MAX } from "#schema/limits/outgoing/secret-sizes.ts";
import { accept, refuse, type Refusal, type Result } from "#schema/refusal.ts";
import { endpointShown } from "#schema/outgoing/signing.ts";
import { auditRow } from "../audit/audit.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { findRotations, evictRotations, receiverOf, type Rotations } from "./find-rotations.ts";
import { requestedEndpoint, type EndpointAsk, rotationView, type RotationView } from "./signing-keys.ts";

export type RotateSigning = {
  /** The receiver; null: all receivers. */
  readonly of: EndpointAsk | null;
  /** How long earlier keys keep signing, as an ISO 8601 duration. */
  readonly overlap: string;
  readonly reason: string | null;
  readonly dryRun: boolean;
};
export type RotatedSigning = RotationView & { readonly endpoint: string | null };

export async function rotateSigning(
  deps: Deps,
  caller: TenantCaller,
  { of, overlap, reason, dryRun }: RotateSigning,
): Promise<Result<RotatedSigning>> {
  const endpoint = of === null ? null : requestedEndpoint(of);
  const receiver = endpoint === null ? ALL_RECEIVERS : await receiverOf(endpoint);
  const now = deps.now();
  const overlapMs = lengthMs(overlap);
  const all = await findRotations(deps.db, caller.tenant);
  const ownRotation = all.endpoints.get(receiver) ?? null;
  const refusal = refusalOf(all, ownRotation, { isOne: endpoint !== null, overlapMs, now });
  if (refusal !== null) return refuse(refusal);
  const displayed = endpoint === null ? ALL_RECEIVERS : endpointShown(endpoint);
  const kind = endpoint === null ? "tenant" : "endpoint";
  // The time is later than every existing rotation, even if the clock of another machine set one of them.
  const since = Math.max(now, ...[...all.endpoints.values()].map(({ since }) => since + 1));
  const rotation = rotateKey({ tenant: all.tenant, endpoint: ownRotation }, kind, since, overlapMs);
  const row: StoredRotation = { tenant: caller.tenant, receiver, shown: displayed, ...rotation };
  const view = { endpoint: endpoint === null ? null : displayed, ...rotationView(row, now) };
  if (dryRun) return accept(view);
  const audit = auditRow(deps, caller, "signing.rotate", endpoint === null ? "signing" : displayed, reason);
  deps.answerWith?.(view);
  const previous = endpoint === null ? all.tenant : ownRotation;
  if (!(await putRotation(deps.db, row, previous?.since ?? null, audit))) return refuse(changedMeanwhile);
  await deleteOutdatedRotations(deps.db, caller.tenant, now);
  evictRotations(caller.tenant);
  return accept(view);
}

type RotationRequest = { readonly isOne: boolean; readonly overlapMs: number; readonly now: number };

function refusalOf(
  all: Rotations,
  ownRotation: StoredRotation | null,
  { isOne, overlapMs, now }: RotationRequest,
): Refusal | null {
  if (isOne && all.tenant === null) return tenantWide;
  const ends =
    all.tenant === null ? null : overlapEnds({ tenant: all.tenant, endpoint: isOne ? ownRotation : null }, now);
  if (ends !== null && overlapMs > 0) return overlapInProgress(ends);
  return isOne && ownRotation === null && countOwnRotations(all, now) >= SIGNING_ENDPOINTS_MAX ? tooMany : null;
}

/**
 * Counts the receivers with a rotation of their own. Once the overlap of a rotation of all receivers has ended, earlier
 * rotations of single receivers are not counted. The next rotation deletes them.
 */
function countOwnRotations({ tenant, endpoints }: Rotations, now: number): number {
  const isOver = tenant !== null && tenant.previousUntil <= now;
  return [...endpoints.values()].filter(({ since }) => !isOver || since > tenant.since).length;
}

const tenantWide: Refusal = {
  code: "invalid_input",
  message: "This tenant signs with one key for all its receivers, so this receiver has no key to rotate.",
  hint: 'First rotate without "url" and "endpoint". Then each receiver has its own key.',
};

/**
 * Refuses a second rotation while the previous key still signs. Otherwise the key before that would stop signing
 * immediately, and receivers that still use it would refuse every message.
 */
function overlapInProgress(ends: number): Refusal {
  return {
    code: "rotation_in_progress",
    message: `Keys of an earlier rotation still sign until ${new Date(ends).toISOString()}.`,
    hint: 'Wait until then. If a key has leaked, rotate with {"overlap":"PT0S"}, so that older keys stop signing immediately.',
  };
}

const tooMany: Refusal = {
  code: "limit_exceeded",
  message: `At most ${SIGNING_ENDPOINTS_MAX} receivers can have an individual rotation (SIGNING_ENDPOINTS_MAX).`,
  hint: "Rotate without url and endpoint. All receivers then get new keys, and their individual rotations are deleted after the overlap.",
};

const changedMeanwhile: Refusal = {
  code: "unavailable",
  message: "Another request has just rotated the signing keys.",
  hint: "Read GET /v1/signing, then decide whether to rotate again.",
};
