// Desired and observed state of a reconciler. Each has a revision, so that a client cannot overwrite a value that it
// has not read. Storing an equal value does not change the revision.
import type { Command } from "#schema/engine/input.ts";
import { isStale, type DesiredState, type ObservedState, type Reconciling } from "#schema/engine/reconciling.ts";
import type { JsonObject } from "#schema/json.ts";
import { DESIRED_BYTES_MAX, OBSERVED_BYTES_MAX } from "#schema/limits/definition-sizes.ts";
import { JOURNALED_VALUES_BYTES_MAX } from "#schema/limits/executions.ts";
import { refuse } from "#schema/refusal.ts";
import type { RefusalOrNull } from "../control.ts";
import { changeState, addEntry, type Step } from "../current-step.ts";
import { assert } from "../../assert.ts";
import { derivedPart, refuseDerivedFields } from "./derived-desired.ts";
import { isSameJson, mergePatch, jsonBytes } from "../../language/json-values.ts";

type Of<Kind extends Command["kind"]> = Extract<Command, { kind: Kind }>;

/** Changes some fields of the reconciler's part of the state. */
export function changeReconciling(step: Step, reconciling: Reconciling, part: Partial<Reconciling>): void {
  changeState(step, { reconciling: { ...reconciling, ...part } });
}

/** The reconciler's part of the state. The caller ensures that the execution is a reconciler. */
export function reconcilingOf({ state: { reconciling } }: Step): Reconciling {
  assert(reconciling, "a reconciler must have a desired and an observed state from its start on");
  return reconciling;
}

export function changeDesired(step: Step, input: Of<"desire">): RefusalOrNull {
  const { reconciling } = step.state;
  if (reconciling === undefined) return refuseNoReconciler(step, "desired");
  const { desired } = reconciling;
  const other = refuseOtherRevision("desired", desired, input.ifRevision);
  if (other) return other;
  const derived = refuseDerivedFields(step, input.desired, desired.value);
  if (derived) return derived;
  const value =
    input.mode === "merge"
      ? mergePatch(desired.value, input.desired)
      : { ...input.desired, ...derivedPart(step, desired.value) };
  const large = refuseLarge("desired", value, DESIRED_BYTES_MAX, "DESIRED_BYTES_MAX");
  if (large || isSameJson(desired.value, value)) return large;
  const revision = desired.revision + 1;
  changeReconciling(step, reconciling, { desired: { value, revision, at: step.now } });
  addEntry(step, { kind: "desired", revision, desired: value, actor: input.actor, reason: input.reason });
  return null;
}

export function acceptObservation(step: Step, input: Of<"observe">): RefusalOrNull {
  const { reconciling } = step.state;
  if (reconciling === undefined) return refuseNoReconciler(step, "observed");
  const other = refuseOtherRevision("observed", reconciling.observed, input.ifRevision);
  const large = refuseLarge("observed", input.observed, OBSERVED_BYTES_MAX, "OBSERVED_BYTES_MAX");
  if (other || large) return other ?? large;
  // The client's time is limited to the present. If the client's clock is ahead, all later observations would otherwise
  // count as older.
  storeObservation(step, input.observed, Math.min(input.observedAt ?? step.now, step.now));
  return null;
}

/**
 * Stores an observation. An observation older than the current one changes nothing. An observation with an equal value
 * only updates the time.
 */
export function storeObservation(step: Step, value: JsonObject, at: number): void {
  const reconciling = reconcilingOf(step);
  const { observed } = reconciling;
  if (observed !== null && at < observed.at) return;
  const isSame = observed !== null && isSameJson(observed.value, value);
  if (isSame && !isTimeWorthStoring(step, reconciling, observed, at)) return;
  const revision = (observed?.revision ?? 0) + (isSame ? 0 : 1);
  changeReconciling(step, reconciling, { observed: { value: isSame ? observed.value : value, revision, at } });
  step.hasUnjournaledChange = true;
  if (isSame) return;
  const shown = jsonBytes(value) > JOURNALED_VALUES_BYTES_MAX ? null : value;
  addEntry(step, { kind: "observed", revision, observed: shown });
}

/**
 * Whether an observation with an unchanged value is stored because of its new time. It is stored if the stored time is
 * stale, or older than half of the allowed age.
 */
function isTimeWorthStoring({ now }: Step, reconciling: Reconciling, observed: ObservedState, at: number): boolean {
  const { staleAfterMs } = reconciling;
  if (isStale(reconciling, now)) return true;
  return staleAfterMs !== null && at - observed.at >= staleAfterMs / 2;
}

function refuseOtherRevision(
  what: "desired" | "observed",
  held: DesiredState | ObservedState | null,
  wanted: number | null,
): RefusalOrNull {
  const revision = held?.revision ?? 0;
  if (wanted === null || wanted === revision) return null;
  return refuse({
    code: "revision_mismatch",
    message: `the ${what} state has the revision ${revision}, not the revision ${wanted}`,
    hint: "Read the state again, then send the change with the current revision in If-Match.",
    details: { revision },
  });
}

function refuseLarge(what: string, value: JsonObject, max: number, name: string): RefusalOrNull {
  const size = jsonBytes(value);
  if (size <= max) return null;
  const message = `the ${what} state would have ${size} bytes; the limit is ${max} (${name})`;
  return refuse({ code: "limit_exceeded", message, errors: [{ pointer: `/${what}`, code: "too_large", message }] });
}

/** Refuses a start's desired state if it is too large, or if the definition is not a reconciler. */
export function refuseDesired(
  step: Step,
  { desired, restart }: Pick<Extract<Command, { kind: "start" }>, "desired" | "restart">,
): RefusalOrNull {
  if (desired === undefined) return null;
  const { ticks } = step.program;
  if (ticks) {
    const whole = mergePatch(ticks.desired, desired);
    // A restart passes the whole desired state of the earlier execution. Its derived fields are derived again.
    const derived = restart ? null : refuseDerivedFields(step, desired, {});
    return derived ?? refuseLarge("desired", whole, DESIRED_BYTES_MAX, "DESIRED_BYTES_MAX");
  }
  const message = "only a reconciler has a desired state";
  return refuse({
    code: "invalid_input",
    message,
    errors: [{ pointer: "/desired", code: "not_a_reconciler", message }],
  });
}

function refuseNoReconciler({ state }: Step, what: string): NonNullable<RefusalOrNull> {
  return refuse({
    code: "verb_not_applicable",
    message: `the execution ${state.id} runs the definition ${state.definition.name}, which is not a reconciler, so the execution has no ${what} state`,
    hint: "Patch the variables of the execution, or send the execution an event.",
  });
}
