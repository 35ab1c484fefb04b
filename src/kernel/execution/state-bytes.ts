// The size of an execution in bytes. The whole execution is stored in one row, whose size the platform limits. The size
// is measured after every step. Too large a state therefore fails only this execution, and not a commit that other
// executions share.
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
 * A quick estimate: true if the state is certainly small enough, which is the usual case. False means that the caller
 * must measure. `besides`: a value that will be added to the state.
 */
export function isSurelySmall({ state }: Step, besides: JsonObject | null = null): boolean {
  let left = roomAfter(besides, STATE_BYTES_MAX);
  // States inherit no fields, so the loop visits only the state's own fields.
  for (const key in state) {
    if (left < 0) return false;
    const value = state[key as keyof ExecutionState]; // The name comes from the state itself.
    left = key === "runs" ? roomAfterRuns(state.runs, left) : roomAfter(value, left - fieldBytes(key));
  }
  return left >= 0;
}

const GROWING: ReadonlySet<Input["kind"]> = new Set([
  ...(["event", "patch", "runNow", "retry", "skip", "cancelAction", "hold", "complete", "desire", "observe"] as const),
]);

/** Whether an input adds data to the state. Such an input is refused if the state is full. */
export function addsToState({ kind }: Input): boolean {
  return GROWING.has(kind);
}

/** An upper bound for the bytes that a field's name takes, with quotes, colon and comma. */
function fieldBytes(key: string): number {
  return NAME_BYTES_MAX + key.length;
}
const NAME_BYTES_MAX = 4;

/**
 * The sizes of the runs in the list that was measured last. Runs are the largest part of a state, and few change in one
 * step. If the next step is of the same execution, nearly all sizes are found here.
 */
const measuredRuns: { readonly runs: Run[]; readonly bytes: number[] } = { runs: [], bytes: [] };

function roomAfterRuns(runs: readonly Run[], room: number): number {
  let left = room;
  for (const [at, run] of runs.entries()) {
    if (measuredRuns.runs[at] !== run) {
      measuredRuns.runs[at] = run;
      measuredRuns.bytes[at] = STATE_BYTES_MAX - roomAfter(run, STATE_BYTES_MAX);
    }
    left -= Number(measuredRuns.bytes[at]); // Each run in the list has its size at the same index.
    if (left < 0) return left;
  }
  return left;
}

/**
 * Removes the sent configs of finished runs from the state, the oldest first, until `wanted` bytes are free. The
 * journal still contains these configs. A dead letter keeps its config, because a retry sends it.
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

/**
 * The size of the state. Measuring caches the sizes of lists. The lists are therefore copied before their next change.
 */
function stateBytes(step: Step): number {
  shareLists(step);
  return jsonBytes(step.state);
}

function hasUnneededConfig({ status, deadLetter, config }: Run): boolean {
  return isFinalRun(status) && !deadLetter && config !== null;
}

/** Refuses an input from outside when the state is full. The rest of the row is reserved for the engine's own steps. */
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
 * The error if the state has no room for this config; null if it has. With this error the run fails, and not the
 * execution. The run sends its result event as usual, and an operator can retry it later.
 */
export function refuseConfig(step: Step, config: NonNullable<Run["config"]>): ActionError | null {
  if (isSurelySmall(step, config)) return null;
  const bytes = jsonBytes(config);
  makeRoom(step, bytes);
  const size = stateBytes(step) + bytes;
  if (size <= STATE_BYTES_MAX) return null;
  const message = `with the run's config of ${bytes} bytes, the state of the execution would have ${size} bytes; the limit is ${STATE_BYTES_MAX} (STATE_BYTES_MAX). Retry the run after other runs have ended, or with a smaller config`;
  return { type: "invalid_configuration", code: "state_full", message, retryable: false };
}

/**
 * The error of a step whose resulting state exceeds a row; null if the state fits. The caller discards the step and
 * fails the execution with this error.
 */
export function rowSizeError(step: Step): ActionError | null {
  const size = stateBytes(step);
  if (size <= STATE_ROW_BYTES_MAX) return null;
  const message = `after the next step, the state of the execution would have ${size} bytes; the limit is ${STATE_ROW_BYTES_MAX} (STATE_ROW_BYTES_MAX). Reduce variables and results, or split the work over child executions`;
  return { type: "state_too_large", message, retryable: false };
}

/** The outcome of an attempt without its result. */
export function withoutResult(outcome: Outcome): Outcome {
  return outcome.ok ? { ...outcome, result: null, events: [] } : outcome;
}
