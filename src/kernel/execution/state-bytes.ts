// The size of an execution in bytes. One row contains all of it, and the platform limits rows. Measured after every
// step, so that an oversized state fails here with a reason, and not in a commit shared with other executions.
import { STATE_BYTES_MAX, STATE_ROW_BYTES_MAX } from "#schema/limits/state-size.ts";
import type { Input } from "#schema/engine/input.ts";
import type { ActionError, Outcome } from "#schema/engine/outcome.ts";
import { refuse } from "#schema/refusal.ts";
import { isFinalRun, type Run } from "#schema/engine/run.ts";
import type { JsonObject } from "#schema/json.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { RefusalOrNull } from "./control.ts";
import { jsonBytes, roomAfter } from "../language/json-values.ts";
import { shareLists } from "./own-lists.ts";
import { changeState, type Step } from "./current-step.ts";

/**
 * A quick check that the state cannot be too large, which is true of nearly all steps. `besides`: a value to be added.
 */
export function isSurelySmall({ state }: Step, besides: JsonObject | null = null): boolean {
  let left = roomAfter(besides, STATE_BYTES_MAX);
  // States have no inherited fields.
  for (const key in state) {
    if (left < 0) return false;
    const value = state[key as keyof ExecutionState]; // the loop iterates over the state's own names
    left = key === "runs" ? roomAfterRuns(state.runs, left) : roomAfter(value, left - fieldBytes(key));
  }
  return left >= 0;
}

const GROWING: ReadonlySet<Input["kind"]> = new Set([
  ...(["event", "patch", "runNow", "retry", "skip", "hold", "complete", "desire", "observe"] as const),
]);

/** Whether an input adds to the state, so that it is refused if there is no room. */
export function addsToState({ kind }: Input): boolean {
  return GROWING.has(kind);
}

/** An upper bound for the bytes of a field's name and punctuation. */
function fieldBytes(key: string): number {
  return NAME_BYTES_MAX + key.length;
}
const NAME_BYTES_MAX = 4;

/**
 * The sizes of the latest list of runs measured. Runs are the largest part of a state and change one at a time, so the
 * next step of the same execution finds nearly all sizes here.
 */
const measuredRuns: { readonly runs: Run[]; readonly bytes: number[] } = { runs: [], bytes: [] };

function roomAfterRuns(runs: readonly Run[], room: number): number {
  let left = room;
  for (const [at, run] of runs.entries()) {
    if (measuredRuns.runs[at] !== run) {
      measuredRuns.runs[at] = run;
      measuredRuns.bytes[at] = STATE_BYTES_MAX - roomAfter(run, STATE_BYTES_MAX);
    }
    left -= Number(measuredRuns.bytes[at]); // measured with the run at this index
    if (left < 0) return left;
  }
  return left;
}

/**
 * Drops sent configs of finished runs, the oldest first, until `wanted` bytes are free. The journal keeps them; a dead
 * letter keeps its config for a retry.
 */
export function makeRoom(step: Step, wanted = 0): void {
  let excess = stateBytes(step) + wanted - STATE_BYTES_MAX;
  if (excess <= 0) return;
  const runs = step.state.runs.map((run) => {
    if (excess <= 0 || !hasUnneededConfig(run)) return run;
    const lighter = { ...run, config: null };
    excess -= jsonBytes(run) - jsonBytes(lighter);
    return lighter;
  });
  changeState(step, { runs });
}

/** The size of the state. Measured parts are cached, so the lists must not be changed in place afterwards. */
function stateBytes(step: Step): number {
  shareLists(step);
  return jsonBytes(step.state);
}

function hasUnneededConfig({ status, deadLetter, config }: Run): boolean {
  return isFinalRun(status) && !deadLetter && config !== null;
}

/**
 * Refuses input from outside when the execution is full; the rest of the row is reserved for the engine's own steps.
 */
export function refuseFull(step: Step): RefusalOrNull {
  const size = stateBytes(step);
  if (size <= STATE_BYTES_MAX) return null;
  const message = `the stored state of the execution would have ${size} bytes; the limit is ${STATE_BYTES_MAX} (STATE_BYTES_MAX)`;
  return refuse({
    code: "limit_exceeded",
    message,
    hint: "Remove variables with a patch, or retry or archive dead letters.",
  });
}

/**
 * Why a run cannot store this config; null if it can. The run fails instead of the execution: its result event is sent
 * as usual, and an operator can retry it when there is room.
 */
export function refuseConfig(step: Step, config: NonNullable<Run["config"]>): ActionError | null {
  if (isSurelySmall(step, config)) return null;
  const bytes = jsonBytes(config);
  makeRoom(step, bytes);
  const size = stateBytes(step) + bytes;
  if (size <= STATE_BYTES_MAX) return null;
  const message = `the config of the run has ${bytes} bytes, and the state of its execution would have ${size} bytes; the limit is ${STATE_BYTES_MAX} (STATE_BYTES_MAX). Retry the run after other runs have ended, or with a smaller config`;
  return { type: "invalid_configuration", code: "state_full", message, retryable: false };
}

/** The error of a step whose state exceeds a row: the execution fails with it, in the state before the step. */
export function rowSizeError(step: Step): ActionError | null {
  const size = stateBytes(step);
  if (size <= STATE_ROW_BYTES_MAX) return null;
  const message = `after its next step the state of the execution would have ${size} bytes; the limit is ${STATE_ROW_BYTES_MAX} (STATE_ROW_BYTES_MAX). Reduce variables and results, or split the work over child executions`;
  return { type: "state_too_large", message, retryable: false };
}

/** The outcome of an attempt without its result. */
export function withoutResult(outcome: Outcome): Outcome {
  return outcome.ok ? { ...outcome, result: null, events: [] } : outcome;
}
