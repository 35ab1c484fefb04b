// Step inspector: checks the invariants on a sample of the object's steps. A violation is a bug. It is logged, and the
// step is still committed. The tick log reports steps whose rules wait for an action in progress.
import { actionInFlight } from "#kernel/execution/reconciling/action-status.ts";
import { isSameJson } from "#kernel/language/json-values.ts";
import { brokenInvariants, type ObservedStep } from "#kernel/invariants/invariants.ts";
import { INVARIANTS_CHECKED_EVERY_STEPS } from "#schema/limits/executions.ts";
import type { Ports } from "./ports.ts";

export function openInspector(log: Ports["log"]): (observed: ObservedStep) => void {
  let steps = 0;
  return (observed) => {
    steps += 1;
    if (steps % INVARIANTS_CHECKED_EVERY_STEPS !== 1) return;
    const { id, seq } = observed.state;
    const report = (message: string): void =>
      log({ level: "error", event: "invariant_broken", execution: id, seq, input: observed.input.kind, message });
    try {
      brokenInvariants(observed).forEach(report);
    } catch (fault) {
      report(String(fault));
    }
  };
}

/**
 * Logs when the rules of a reconciler wait for an action in progress, although one of their inputs has changed. It
 * is off by default, because log lines are billed.
 */
export function openTickLog(isOn: boolean, log: Ports["log"]): (observed: Stepped) => void {
  if (!isOn) return () => {};
  return ({ before, state }) => {
    const run = actionInFlight(state);
    if (run === undefined || before === null || !hasNewInput(before, state)) return;
    const message = `Worker ${state.id} blocked by action: ${run.action}`;
    log({ level: "debug", event: "tick_blocked", execution: state.id, action: run.action, run: run.id, message });
  };
}

type Stepped = Pick<ObservedStep, "before" | "state">;

/** True if a value that the rules read has changed. Always false if the execution is no reconciler. */
function hasNewInput(before: Stepped["state"], { reconciling, variables }: Stepped["state"]): boolean {
  const was = before.reconciling;
  if (was === undefined || reconciling === undefined) return false;
  return (
    was.desired.revision !== reconciling.desired.revision ||
    was.observed?.revision !== reconciling.observed?.revision ||
    !isSameJson(before.variables, variables)
  );
}
