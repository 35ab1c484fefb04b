// Attempts within quiet hours: executes an attempt if the tenant's policies allow it now. Otherwise the outcome passes
// the policies to the execution, which holds the run until the opening.
import { pendingQuietHours } from "#policy/gates/quiet-hours.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { ENGINE_FAULT_HOLD_MS } from "#schema/limits/outgoing/connection-limits.ts";
import { freshTenantSettings, type TenantSettingsDeps } from "../quotas/tenant-settings.ts";

export async function withinQuietHours(
  deps: TenantSettingsDeps,
  ticket: Ticket,
  run: () => Promise<Outcome>,
): Promise<Outcome> {
  const { policies } = await freshTenantSettings(deps, ticket.tenant);
  const now = deps.now();
  const pending = pendingQuietHours(policies, ticket, now);
  if (pending.length === 0) return run();
  const names = pending.map(({ name }) => name).join(", ");
  const message = `the attempt was not sent: the tenant's quiet hours apply (${names})`;
  return {
    ok: false,
    error: { type: "rate_limit", message, retryable: true, code: "quiet_hours" },
    // An execution of an older version reads only `held`, and is asked again after this time.
    held: { reason: "quiet_hours", until: now + ENGINE_FAULT_HOLD_MS, connection: null },
    quietHours: [...pending],
    startedAt: now,
    endedAt: now,
  };
}
