// What one occurrence asks for: an action alone, or an execution of a definition, under a key that follows from it.
import { isFixedLength } from "#kernel/language/instant.ts";
import { durationMs } from "#kernel/language/timing.ts";
import { defaults } from "#schema/defaults.ts";
import { ACTION_REF } from "#schema/definition/standalone.ts";
import type { StartItem } from "#schema/engine/cell.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import type { DispatchItem, DispatchTerms } from "#schema/recurring/calls.ts";
import type { Result } from "#schema/refusal.ts";
import { assert } from "#kernel/assert.ts";
import { planAction, type PlanActionDeps } from "../actions/plan-action.ts";
import type { TenantCaller } from "../deps.ts";
import { planStart } from "../executions/plan-start.ts";

export function planOccurrence(
  deps: PlanActionDeps,
  terms: DispatchTerms,
  item: DispatchItem,
): Promise<Result<StartItem>> {
  const { tenant, id, namespace, work } = terms;
  const caller: TenantCaller = { actor: { kind: "engine", id }, tenant, scopes: [] };
  const about = { namespace, correlationId: id, key: `recurring/${id}/${item.id}` };
  switch (work.kind) {
    case "action": {
      const dedup = work.dedupKey === null ? null : { key: filled(work.dedupKey, id, item), windowMs: windowMs() };
      const variables = { ...work.metadata, ...whichOne(id, item) };
      return planAction(deps, caller, { ...about, variables, action: work.action, dedup }, ACTION_REF);
    }
    case "definition": {
      const variables = filledIn(work.variables, id, item) as JsonObject; // an object stays one
      return planStart(deps, caller, { ...about, variables, definition: work.definition, id: null });
    }
  }
}

/** Templates see it as `execution.variables`, and it goes before what somebody called the same. */
function whichOne(id: string, item: DispatchItem): JsonObject {
  return { _recurring_dispatch: "true", _recurring_id: id, execution_time: executionTime(item) };
}

/** A definition may have declared what comes in: nothing is added to it. */
function filledIn(value: Json, id: string, item: DispatchItem): Json {
  if (typeof value === "string") return filled(value, id, item);
  if (value === null || typeof value !== "object") return value;
  if (Array.isArray(value)) return value.map((each: Json) => filledIn(each, id, item));
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filledIn(each, id, item)]));
}

function filled(template: string, id: string, item: DispatchItem): string {
  return template.replaceAll("{{recurring_id}}", id).replaceAll("{{execution_time}}", executionTime(item));
}

/** The scheduled instant in UTC, with seconds; of one that somebody triggered, when that was. */
function executionTime({ nominal, at }: DispatchItem): string {
  return `${new Date(nominal ?? at).toISOString().slice(0, 19)}Z`;
}

function windowMs(): number {
  assert(isFixedLength(defaults.dedupWindow), "The default window has a length of its own.");
  return durationMs(defaults.dedupWindow);
}
