// Tenant holds: builds the outcome of a run that a limit of its tenant holds. Nothing was sent, and the run is retried
// at `until`.
import { HELD_FOR_SUSPENSION_MS } from "#schema/limits/tenants/used-quotas.ts";
import type { Hold, Outcome } from "#schema/engine/outcome.ts";
import type { Deps } from "../deps.ts";

type HeldDeps = Pick<Deps, "now" | "randomBytes">;

/**
 * Returns the held outcome. A random part of the wait prevents that runs which were held together are all retried at
 * the same time.
 */
export function tenantHold(deps: HeldDeps, reason: Hold["reason"], waitMs: number, why: string): Outcome {
  const now = deps.now();
  const spread = (deps.randomBytes(1)[0] ?? 0) / 256;
  const until = now + waitMs + Math.floor(Math.min(waitMs, HELD_FOR_SUSPENSION_MS) * spread);
  return {
    ok: false,
    error: { type: "rate_limit", message: `the attempt was not sent: ${why}`, retryable: true, code: reason },
    held: { reason, until, connection: null },
    startedAt: now,
    endedAt: now,
  };
}
