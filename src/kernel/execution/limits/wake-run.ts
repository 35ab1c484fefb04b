// Wake-up of a run that a limit by key holds: the run returns before the end of its hold, because a slot is free.
import type { WakeAnswer } from "#schema/engine/cell.ts";
import type { Command } from "#schema/engine/input.ts";
import { currentHold, type Run } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import type { LimitHoldReason } from "#schema/key-limits/calls.ts";
import type { Hold } from "#schema/engine/outcome.ts";
import { changeRun, runOf, type Step } from "../current-step.ts";

type WakeCommand = Extract<Command, { kind: "wakeRun" }>;
type Wanted = Pick<WakeCommand, "run" | "limit">;

/** Holds that end when a slot is free. A run that waits for its turn or a quiet time has its exact instant. */
const slotReasons: ReadonlySet<Hold["reason"]> = new Set<LimitHoldReason>(["limit_concurrency", "limit_singleton"]);

/** Returns whether the run waits for a slot of the limit. Changes nothing. */
export function answerWake(state: ExecutionState | null, { run: id, limit }: Wanted): WakeAnswer {
  const run = state?.runs.find((each) => each.id === id);
  if (state === null || run === undefined || isFinalStatus(state.status)) return "gone";
  if (run.status === "queued" || run.status === "running") return "asks";
  return state.status !== "paused" && slotHold(run, limit) !== null ? "waits" : "gone";
}

/** Changes nothing if the run does not wait for the limit any more. */
export function wakeRun(step: Step, { run: id, limit, at }: WakeCommand): null {
  const run = runOf(step, id);
  const hold = run === undefined ? null : slotHold(run, limit);
  if (run === undefined || hold === null || hold.until <= at) return null;
  const until = Math.max(at, step.now);
  changeRun(step, run, { dueAt: until, held: { ...hold, until } });
  step.hasUnjournaledChange = true;
  return null;
}

/** The run's hold by this limit. null if the limit does not hold it, or if an operator has moved or held the run. */
function slotHold(run: Run, limit: string): Hold | null {
  const { status, held, dueAt } = run;
  if (status !== "scheduled" || held == null || held.until !== dueAt || currentHold(run) !== null) return null;
  const isOfLimit = held.places?.some(({ name }) => name === limit) === true;
  return isOfLimit && slotReasons.has(held.reason) ? held : null;
}
