// Cancelable runs: finds out by simulation which runs in flight an operator can give up with cancel-action.
import type { Wait } from "#schema/engine/explanation.ts";
import { STEP_WORK_MAX } from "#schema/limits/executions.ts";
import { PREDICTED_RUNS_MAX } from "#schema/limits/planning/explanation-sizes.ts";
import type { ExplanationInput } from "./explanation-input.ts";
import { ASSUMED, simulateStep, type ExplanationBudget } from "./predict-next.ts";

/** Marks the waits for runs in flight that the execution would let an operator cancel. */
export function markCancelable(known: ExplanationInput, waits: readonly Wait[]): readonly Wait[] {
  if (known.quarantined) return waits;
  const purse: ExplanationBudget = { left: STEP_WORK_MAX };
  const running = waits.flatMap((wait) => (wait.for === "run" && wait.status === "running" ? [wait.run] : []));
  const cancelable = new Set(running.slice(0, PREDICTED_RUNS_MAX).filter((run) => isCancelable(known, run, purse)));
  return waits.map((wait) => (wait.for === "run" && cancelable.has(wait.run) ? { ...wait, canCancel: true } : wait));
}

function isCancelable(known: ExplanationInput, run: string, purse: ExplanationBudget): boolean {
  const command = { kind: "cancelAction", target: { run }, reason: null, ...ASSUMED } as const;
  return simulateStep(known, command, purse) !== null;
}
