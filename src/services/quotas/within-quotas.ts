// Attempts within quotas: executes an attempt if its tenant's quotas allow it. Otherwise the run is held: nothing was
// sent, and the run keeps its attempt.
import {
  ATTEMPT_OVER_GRACE_MS,
  HELD_FOR_DAY_MS,
  HELD_FOR_IN_FLIGHT_MS,
  HELD_FOR_SUSPENSION_MS,
  IN_FLIGHT_REPORT_MS,
} from "#schema/limits/tenants/used-quotas.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import type { Limits } from "#schema/quota.ts";
import { tenantHold } from "./tenant-hold.ts";
import { reportUse, type QuotaDeps } from "./isolate-lease.ts";
import { beginAttempt, takeOne } from "./take-quota.ts";
import { tenantSettingsOf } from "./tenant-settings.ts";

export async function withinQuotas(deps: QuotaDeps, ticket: Ticket, run: () => Promise<Outcome>): Promise<Outcome> {
  const { limits, suspended } = await tenantSettingsOf(deps, ticket.tenant);
  if (suspended !== null) return tenantHold(deps, "suspended", HELD_FOR_SUSPENSION_MS, "the tenant is suspended");
  const attempt = beginAttempt(deps, ticket.tenant, limits, ticket.deadlineAt + ATTEMPT_OVER_GRACE_MS);
  if (attempt === null) {
    return tenantHold(
      deps,
      "quota",
      HELD_FOR_IN_FLIGHT_MS,
      `the tenant has ${limits.inFlight} actions in progress (inFlight)`,
    );
  }
  const stopReporting = ticket.timeoutMs > IN_FLIGHT_REPORT_MS ? reportPeriodically(deps, ticket.tenant, limits) : null;
  try {
    const spent = await takeOne(deps, ticket.tenant, "actionsPerDay", limits);
    if (spent === null) return holdIfTenantRefused(await run(), deps);
    const waitMs = Math.min(Math.max(0, spent.at - deps.now()), HELD_FOR_DAY_MS);
    return tenantHold(deps, "quota", waitMs, `the tenant has used its ${spent.max} actions for today (actionsPerDay)`);
  } finally {
    stopReporting?.();
    attempt.end();
  }
}

/** Holds a run that starts executions, if the tenant's quota or suspension has refused that start. */
function holdIfTenantRefused(outcome: Outcome, deps: QuotaDeps): Outcome {
  if (outcome.ok || outcome.held !== undefined) return outcome;
  const { code, message } = outcome.error;
  if (code === "quota_exceeded") return tenantHold(deps, "quota", HELD_FOR_IN_FLIGHT_MS, message);
  return code === "tenant_suspended" ? tenantHold(deps, "suspended", HELD_FOR_SUSPENSION_MS, message) : outcome;
}

function reportPeriodically(deps: QuotaDeps, tenant: string, limits: Limits): () => void {
  const timer = setInterval(() => deps.background(reportUse(deps, tenant, limits)), IN_FLIGHT_REPORT_MS);
  return () => clearInterval(timer);
}
