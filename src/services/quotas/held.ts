// The outcome of an attempt that its tenant's limits keep back: nothing was tried, and it comes back then.
import { HELD_FOR_SUSPENSION_MS } from "#schema/limits/tenant-quotas.ts";
import type { Hold, Outcome } from "#schema/engine/outcome.ts";
import type { Deps } from "../deps.ts";

type HeldDeps = Pick<Deps, "now" | "randomBytes">;

/** Spread, so that what was held together does not come back together. */
export function held(deps: HeldDeps, reason: Hold["reason"], waitMs: number, why: string): Outcome {
  const now = deps.now();
  const spread = (deps.randomBytes(1)[0] ?? 0) / 256;
  const until = now + waitMs + Math.floor(Math.min(waitMs, HELD_FOR_SUSPENSION_MS) * spread);
  return {
    ok: false,
    error: { type: "rate_limit", message: `not tried: ${why}`, retryable: true, code: reason },
    held: { reason, until, connection: null },
    startedAt: now,
    endedAt: now,
  };
}
