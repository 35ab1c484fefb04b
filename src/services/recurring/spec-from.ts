// What was asked for, as it is stored: with what holds where nothing is said, and its work worked out.
import type { JsonObject } from "#schema/json.ts";
import { recurringDefaults } from "#schema/recurring/defaults.ts";
import type { Metadata, RecurringSpec, RecurringWork } from "#schema/recurring/spec.ts";
import { accept, refuse, type Result } from "#schema/refusal.ts";
import { defaults } from "#schema/defaults.ts";
import type { Deps } from "../deps.ts";
import { cronFindings, invalid } from "./check-spec.ts";
import { planWork } from "./plan-work.ts";

/** Each field as the API has it; absent where nothing is said. */
export type AskedSpec = {
  readonly namespace?: string | undefined;
  readonly description?: string | null | undefined;
  readonly labels?: Metadata | undefined;
  readonly cron: string;
  readonly timezone?: string | undefined;
  readonly gap?: RecurringSpec["rule"]["gap"] | undefined;
  readonly fold?: RecurringSpec["rule"]["fold"] | undefined;
  readonly startsAt?: number | null | undefined;
  readonly endsAt?: number | null | undefined;
  readonly maxExecutions?: number | null | undefined;
  readonly overlap?: RecurringSpec["overlap"] | undefined;
  readonly catchUp?: RecurringSpec["catchUp"] | undefined;
  readonly graceMs?: number | undefined;
  readonly catchUpWindowMs?: number | undefined;
  readonly jitterMs?: number | undefined;
  readonly work: AskedWorkOf;
};

export type AskedWorkOf =
  | {
      readonly kind: "action";
      readonly provider: string;
      readonly actionType: string;
      readonly payload: JsonObject;
      readonly metadata?: Metadata | undefined;
      readonly dedupKey?: string | null | undefined;
    }
  | {
      readonly kind: "definition";
      readonly definition: string;
      readonly variables?: JsonObject | undefined;
    };

export async function specFrom(deps: Deps, tenant: string, asked: AskedSpec): Promise<Result<RecurringSpec>> {
  const findings = cronFindings(asked.cron);
  if (findings.length > 0) return refuse(invalid(findings));
  const work = await workFrom(deps, tenant, asked.work);
  if (!work.ok) return work;
  const { timezone = "UTC", gap = recurringDefaults.gap, fold = recurringDefaults.fold } = asked;
  return accept({
    namespace: asked.namespace ?? defaults.namespace,
    description: asked.description ?? null,
    labels: asked.labels ?? {},
    rule: { cron: asked.cron, timezone, gap, fold },
    startsAt: asked.startsAt ?? null,
    endsAt: asked.endsAt ?? null,
    maxExecutions: asked.maxExecutions ?? null,
    overlap: asked.overlap ?? recurringDefaults.overlap[work.value.kind],
    catchUp: asked.catchUp ?? recurringDefaults.catchUp,
    graceMs: asked.graceMs ?? recurringDefaults.graceMs,
    catchUpWindowMs: asked.catchUpWindowMs ?? recurringDefaults.catchUpWindowMs,
    jitterMs: asked.jitterMs ?? 0,
    work: work.value,
  });
}

export async function workFrom(deps: Deps, tenant: string, asked: AskedWorkOf): Promise<Result<RecurringWork>> {
  if (asked.kind === "definition") {
    const { definition, variables = {} } = asked;
    return accept({ kind: "definition", definition, variables });
  }
  const planned = await planWork(deps, tenant, asked);
  if (!planned.ok) return refuse(invalid([planned.finding]));
  const { provider, actionType, payload, metadata = {}, dedupKey = null } = asked;
  return accept({ kind: "action", provider, actionType, payload, metadata, dedupKey, action: planned.action });
}
