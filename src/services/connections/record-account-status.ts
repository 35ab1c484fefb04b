// Account status reports: stores the status that a connection's object reports about its account. Raises an alert if an
// operator must act. Idempotent. Throws if the status could not be stored.
import { findConnection, storeAttention } from "#catalog/connections.ts";
import type { AttentionReport } from "#schema/gate.ts";
import { type AlertDeps, raiseTenantAlert } from "../alerts/raise-alerts.ts";
import { evictConnections } from "./find-connection.ts";

export async function recordAccountStatus(
  deps: AlertDeps,
  { tenant, connection, attention }: AttentionReport,
): Promise<void> {
  const row = await findConnection(deps.db, tenant, connection);
  if (row === null) return;
  await storeAttention(deps.db, tenant, connection, attention);
  evictConnections(tenant);
  if (attention === null) return;
  const { since, code, reason, nextStep } = attention;
  await raiseTenantAlert(deps, {
    severity: "high",
    code: "connection_needs_attention",
    tenant,
    subject: row.name,
    at: since,
    error: { type: "authentication_failed", code, message: reason },
    nextStep,
    look: [`/v1/connections/${row.name}`],
  });
}
