// Audit details of recurring actions: what a recurring action did, because its audit entries outlive its row.
import type { JsonObject } from "#schema/json.ts";
import type { RecurringSpec } from "#schema/recurring/spec.ts";

export function auditDetails({ namespace, rule, work }: RecurringSpec, enabled: boolean): JsonObject {
  const { cron, timezone } = rule;
  const what =
    work.kind === "action" ? { provider: work.provider, actionType: work.actionType } : { definition: work.definition };
  return { namespace, cron, timezone, ...what, enabled };
}
