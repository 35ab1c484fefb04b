// The action of a reconciler: the status of its current or last run, in the format of the action executor pattern. At
// most one run is unfinished.
import type { ProgramAction } from "#schema/definition/action.ts";
import { reconcilerDefaults } from "#schema/definition/reconciler-defaults.ts";
import { isFinalRun, type Run } from "#schema/engine/run.ts";
import type { ActionStatus, ExecutionState } from "#schema/engine/state.ts";
import { refuse } from "#schema/refusal.ts";
import { assert } from "../../assert.ts";
import type { RefusalOrNull } from "../control.ts";
import type { Step } from "../current-step.ts";
import { resolveRetry, shouldRetry } from "../retries/retry.ts";

type ReconcilerRuns = {
  readonly actions: ReadonlyMap<string, ProgramAction>;
  readonly state: Pick<ExecutionState, "runs" | "reconciling">;
};

const NONE: ActionStatus = {
  inProgress: false,
  actionName: "",
  startedAt: null,
  succeeded: false,
  failed: false,
  errorMessage: null,
  retries: 0,
};

export function actionInFlight({ runs }: Pick<ExecutionState, "runs">): Run | undefined {
  return runs.find(({ status }) => !isFinalRun(status));
}

export function actionStatusOf({ actions, state }: ReconcilerRuns): ActionStatus {
  const run = actionInFlight(state) ?? lastEnded(state);
  if (run === undefined) return NONE;
  const base = {
    ...NONE,
    actionName: run.action,
    startedAt: run.attempts.at(-1)?.startedAt ?? null,
    retries: Math.max(0, run.attempts.length - 1),
    ...(run.report && { delivery: run.report }),
  };
  switch (run.status) {
    case "scheduled":
    case "queued":
    case "running":
    case "retry":
      return { ...base, inProgress: true };
    case "ok":
      return { ...base, succeeded: true };
    case "failed":
      return { ...base, failed: true, errorMessage: failureOf(run, actions.get(run.action)) };
    case "canceled":
      return { ...base, errorMessage: `canceled: ${run.error?.message ?? run.reason}` };
    case "skipped":
      if (run.assumed) return { ...base, succeeded: true };
      return { ...base, errorMessage: `skipped: ${run.reason}` };
  }
}

/** The run that ended last since the last restart. If several ended at the same instant, the newest of them. */
function lastEnded({ runs, reconciling }: ReconcilerRuns["state"]): Run | undefined {
  const since = reconciling?.restartedAt ?? -Infinity;
  const ended = runs.filter(({ createdAt }) => createdAt > since);
  const last = Math.max(...ended.map(({ finishedAt }) => Number(finishedAt)));
  return ended.findLast(({ finishedAt }) => Number(finishedAt) === last);
}

/** The error message of a failed run, in the format of the action executor. */
function failureOf({ action: id, error }: Run, action: ProgramAction | undefined): string {
  const { retryPolicy, timeout } = { ...DEFAULTS, ...action };
  assert(error, "a failed run must have an error");
  const policy = resolveRetry(retryPolicy, DEFAULTS.retryPolicy);
  const isTerminal = !shouldRetry({ ...policy, maxAttempts: Infinity }, error, 0).retry;
  const said =
    error.type === "timeout" ? `action ${id} timed out after ${durationText(Number(timeout))}` : error.message;
  return `${isTerminal ? "non-retriable" : "max retries reached"}: ${said}`;
}

const DEFAULTS = { retryPolicy: reconcilerDefaults.retryPolicy, timeout: reconcilerDefaults.timeoutMs };

/** A duration in the format of the action executor: 5m0s, 30s, 1.5s, 250ms. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${ms}ms`;
  const seconds = ms / 1_000;
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const rest = `${Number((seconds % 60).toFixed(3))}s`;
  return hours > 0 ? `${hours}h${minutes}m${rest}` : minutes > 0 ? `${minutes}m${rest}` : rest;
}

export function refuseBusy({ state }: Step): RefusalOrNull {
  const current = state.reconciling && actionInFlight(state);
  if (!current) return null;
  const message = `action queue full, worker blocked by: ${current.action}`;
  const hint =
    "The next action can start after the current action has ended. To drop the current action, cancel the execution.";
  return refuse({ code: "action_queue_full", message, hint, details: { run: current.id, action: current.action } });
}
