// Dispatch of due occurrences: builds the action of a recurring action and the start of each occurrence, and sends the
// starts. The recurring action's object calls this.
import { assert } from "#kernel/assert.ts";
import { hasAccepted } from "#kernel/execution/receipts/receipts.ts";
import { isFixedLength } from "#kernel/language/instant.ts";
import { durationMs } from "#kernel/language/timing.ts";
import { intervalMsOf, tooSoon } from "#policy/calendar/rate.ts";
import { executionTime, occurrenceAction, occurrenceVariables } from "#policy/calendar/occurrence-action.ts";
import { defaults } from "#schema/defaults.ts";
import { ACTION_REF } from "#schema/definition/standalone.ts";
import type { StartItem } from "#schema/engine/cell.ts";
import type { DispatchItem, DispatchSource, DispatchOutcome } from "#schema/recurring/calls.ts";
import { type Result, isUndecided, type Refusal } from "#schema/refusal.ts";
import { planAction, type PlanActionDeps } from "../actions/dispatch-actions.ts";
import { answerEach } from "../cells/call-cell.ts";
import { openDefinitions, type FindDefinition } from "../definitions/find-definition.ts";
import type { Deps, TenantCaller } from "../deps.ts";
import { planStart } from "../executions/plan-start.ts";
import { startPlanned } from "../executions/start-executions.ts";
import { tenantSettingsOf } from "../quotas/tenant-settings.ts";
import { openTemplateLookup, type TemplateLookup } from "../templates/pin-templates.ts";
import { dedupKeyOf, fillVariables } from "./fill-placeholders.ts";

/** Lookups that are shared by all occurrences of one call. */
type Lookups = { readonly templates?: TemplateLookup; readonly find?: FindDefinition };

export async function planOccurrence(
  deps: PlanActionDeps,
  terms: DispatchSource,
  item: DispatchItem,
  { templates, find }: Lookups = {},
): Promise<Result<StartItem>> {
  const { tenant, id, namespace, work, timezone, calendars } = terms;
  const caller: TenantCaller = { actor: { kind: "engine", id }, tenant, scopes: [] };
  const common = { namespace, correlationId: id, key: `recurring/${id}/${item.id}` };
  const names = { recurring_id: id, execution_time: executionTime(item) };
  switch (work.kind) {
    case "action": {
      const variables = occurrenceVariables(work, id, item);
      const key = work.dedupKey === null ? null : dedupKeyOf(work.dedupKey, { ...names, execution: { variables } });
      if (key?.ok === false) return key;
      const dedup = key && { key: key.value, windowMs: dedupWindowMs() };
      const action = occurrenceAction(work, timezone);
      return planAction(deps, caller, { ...common, variables, action, dedup, calendars }, ACTION_REF, templates);
    }
    case "definition": {
      const filled = fillVariables(work.variables, names);
      if (!filled.ok) return filled;
      return planStart(
        deps,
        caller,
        { ...common, variables: filled.value, definition: work.definition, id: null },
        find,
      );
    }
  }
}

function dedupWindowMs(): number {
  assert(isFixedLength(defaults.dedupWindow), "the default window must be set");
  return durationMs(defaults.dedupWindow);
}

/** Starts the due occurrences; returns one outcome for each. */
export async function dispatchOccurrences(
  deps: Deps,
  terms: DispatchSource,
  items: readonly DispatchItem[],
): Promise<readonly DispatchOutcome[]> {
  const { limits } = await tenantSettingsOf(deps, terms.tenant);
  if (limits.recurring === 0) return items.map(({ id }) => ({ id, kind: "refused", ...disabledByQuota }));
  const intervalMs = intervalMsOf(limits.recurringPerMinute);
  const refused = tooSoon(items, terms.lastNominal ?? null, intervalMs);
  const started = await startOccurrences(
    deps,
    terms,
    items.filter(({ id }) => !refused.has(id)),
  );
  return [...[...refused].map((id) => ({ id, kind: "refused", ...slowedByQuota(intervalMs) }) as const), ...started];
}

/** Starts the occurrences that the tenant's quotas allow. */
async function startOccurrences(
  deps: Deps,
  terms: DispatchSource,
  items: readonly DispatchItem[],
): Promise<readonly DispatchOutcome[]> {
  if (items.length === 0) return [];
  const lookups = { templates: openTemplateLookup(deps, terms.tenant), find: openDefinitions(deps, terms.tenant) };
  const plans = await answerEach(deps, items, (item) => planOccurrence(deps, terms, item, lookups));
  const replies = await startPlanned(deps, terms.tenant, plans, false);
  return items.map(({ id }, n) => {
    const [plan, reply] = [plans[n], replies[n]];
    if (reply === undefined || plan === undefined)
      return { id, kind: "unreached", message: UNANSWERED, retryAfterMs: null };
    if (reply.ok) {
      const { state, repeated } = reply.value;
      const isOwn = !plan.ok || hasAccepted(state, plan.value.command.inputId, "start");
      const { id: execution, createdAt } = state;
      return { id, kind: "taken", execution, createdAt, ...(repeated && !isOwn ? { isDuplicate: true } : {}) };
    }
    const { code, message, retryAfterS, details } = reply.refusal;
    // An earlier attempt has started this occurrence, and the recurring action was changed since. So the occurrence
    // counts as started.
    if (code === "idempotency_conflict" && plan.ok) {
      const startedId = details?.execution;
      const execution = typeof startedId === "string" ? startedId : plan.value.command.execution;
      return { id, kind: "taken", execution };
    }
    if (!mayBeStartedLater(reply.refusal)) return { id, kind: "refused", code, message };
    return { id, kind: "unreached", message, retryAfterMs: retryAfterS === undefined ? null : retryAfterS * 1_000 };
  });
}

const disabledByQuota = {
  code: "quota_exceeded",
  message: "The tenant's quota of recurring actions is 0, which disables them.",
} as const;

function slowedByQuota(intervalMs: number) {
  const message = `The tenant's quota recurringPerMinute allows an occurrence every ${intervalMs / 1_000} s.`;
  return { code: "quota_exceeded", message } as const;
}

const UNANSWERED = "no answer";

function mayBeStartedLater(refusal: Refusal): boolean {
  return isUndecided(refusal) || refusal.code === "quota_exceeded" || refusal.code === "receipts_full";
}
