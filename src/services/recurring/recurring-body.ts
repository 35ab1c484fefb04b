// Recurring bodies: a recurring action as the body that a client would send for it, with the API's field names.
import type { JsonObject } from "#schema/json.ts";
import type { RecurringSpec, RecurringWork } from "#schema/recurring/spec.ts";

/** `isPaused`: the body then has `enabled: false`. An active recurring action has no `enabled`. */
export function recurringAsWritten(spec: RecurringSpec, isPaused: boolean): JsonObject {
  const { rule, work, name, startsAt, endsAt, maxExecutions, catchUp } = spec;
  const body = {
    name,
    namespace: spec.namespace,
    description: spec.description,
    labels: spec.labels,
    cron_expr: rule.cron,
    timezone: rule.timezone,
    gap: rule.gap,
    fold: rule.fold,
    holidays: rule.holidays,
    starts_at: instant(startsAt),
    ends_at: instant(endsAt),
    max_executions: maxExecutions,
    overlap: spec.overlap,
    catch_up: catchUp,
    grace_seconds: spec.graceMs / 1_000,
    catch_up_window_seconds: spec.catchUpWindowMs / 1_000,
    jitter_seconds: spec.jitterMs / 1_000,
    ...workAsWritten(work),
    ...(isPaused ? { enabled: false } : {}),
  };
  return JSON.parse(JSON.stringify(body)) as JsonObject; // The text was just made from an object, so it is JSON of one.
}

function workAsWritten(work: RecurringWork): object {
  if (work.kind === "definition") return { definition: work.definition, variables: work.variables };
  const { provider, actionType: action_type, payload, metadata, dedupKey: dedup_key, settings } = work;
  return { provider, action_type, payload, metadata, dedup_key, ...settings };
}

function instant(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
