// The size of an execution in bytes. The whole execution is one row, and the platform limits the size of a row. The
// size is measured after every step. An oversized state therefore fails here with a reason, and not in a commit that
// other executions share.
import { STATE_BYTES_MAX, STATE_ROW_BYTES_MAX } from "#schema/limits/executions.ts";
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
 * A quick check that the state cannot be too large, which is true after nearly all steps. `besides`: a value that will
 * be added to the state.
 */
export function isSurelySmall({ state }: Step, besides: JsonObject | null = null): boolean {
  let left = roomAfter(besides, STATE_BYTES_MAX);
  // The loop needs no check for inherited fields, because states have none.
  for (const key in state) {
    if (left < 0) return false;
    const value = state[key as keyof ExecutionState]; // The loop iterates over the state's own names.
    left = key === "runs" ? roomAfterRuns(state.runs, left) : roomAfter(value, left - fieldBytes(key));
  }
  return left >= 0;
}

const GROWING: ReadonlySet<Input["kind"]> = new Set([
  ...(["event", "patch", "runNow", "retry", "skip", "hold", "complete", "desire", "observe"] as const),
]);

/** Whether an input adds data to the state. Such an input is refused if the state is full. */
export function addsToState({ kind }: Input): boolean {
  return GROWING.has(kind);
}

/** An upper bound for the bytes of a field's name with its quotes, colon and comma. */
function fieldBytes(key: string): number {
  return NAME_BYTES_MAX + key.length;
}
const NAME_BYTES_MAX = 4;

/**
 * The sizes of the runs in the list that was measured last. Runs are the largest part of a state and change one at a
 * time. The next step of the same execution therefore finds nearly all sizes here.
 */
const measuredRuns: { readonly runs: Run[]; readonly bytes: number[] } = { runs: [], bytes: [] };

function roomAfterRuns(runs: readonly Run[], room: number): number {
  let left = room;
  for (const [at, run] of runs.entries()) {
    if (measuredRuns.runs[at] !== run) {
      measuredRuns.runs[at] = run;
      measuredRuns.bytes[at] = STATE_BYTES_MAX - roomAfter(run, STATE_BYTES_MAX);
    }
    left -= Number(measuredRuns.bytes[at]); // The size was measured together with the run at this index.
    if (left < 0) return left;
  }
  return left;
}

/**
 * Removes the sent configs of finished runs from the state, the oldest first, until `wanted` bytes are free. The
 * journal keeps the configs. A dead letter keeps its config, because a retry needs it.
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

/** The size of the state. The sizes of its parts are cached, so the lists are no longer changed in place afterwards. */
function stateBytes(step: Step): number {
  shareLists(step);
  return jsonBytes(step.state);
}

function hasUnneededConfig({ status, deadLetter, config }: Run): boolean {
  return isFinalRun(status) && !deadLetter && config !== null;
}

/** Refuses input from outside when the state is full. The rest of the row is reserved for the engine's own steps. */
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
 * Why the state has no room for this config; null if it has room. Without room the run fails instead of the execution.
 * Its result event is sent as usual, and an operator can retry the run when there is room.
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

/**
 * The error of a step whose state exceeds a row; null if the state fits. The execution then fails with this error, in
 * the state before the step.
 */
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
