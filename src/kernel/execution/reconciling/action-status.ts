// How the last action of a reconciler went, in the words of the action executor pattern: read off its runs, of which one at most
// is unfinished.
import { reconcilerDefaults } from "#schema/definition/reconciler-defaults.ts";
import type { ActionDefinition } from "#schema/definition/action.ts";
import type { ActionError } from "#schema/engine/outcome.ts";
import { isFinalRun, type Run } from "#schema/engine/run.ts";
import type { ActionStatus, ExecutionState } from "#schema/engine/state.ts";
import { resolveRetry, shouldRetry } from "../retries/retry.ts";

type Told = {
  readonly actions: ReadonlyMap<string, ActionDefinition>;
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

export function actionStatusOf({ actions, state }: Told): ActionStatus {
  const run = actionInFlight(state) ?? lastEnded(state);
  if (run === undefined) return NONE;
  const last = run.attempts.at(-1);
  const base = {
    ...NONE,
    actionName: run.action,
    startedAt: last?.startedAt ?? null,
    retries: Math.max(0, run.attempts.length - 1),
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
      return { ...base, failed: true, errorMessage: run.error && failureOf(run, run.error, actions.get(run.action)) };
    case "canceled":
      return {
        ...base,
        errorMessage: run.error === null ? `canceled: ${run.reason}` : `canceled: ${run.error.message}`,
      };
    case "skipped":
      return { ...base, errorMessage: `skipped: ${run.reason}` };
  }
}

/** Of equals the one that was made last. */
function lastEnded({ runs, reconciling }: Told["state"]): Run | undefined {
  const since = reconciling?.restartedAt ?? null;
  return runs
    .filter(({ createdAt }) => since === null || createdAt > since)
    .reduce<Run | undefined>(
      (last, run) => (last && Number(last.finishedAt) > Number(run.finishedAt) ? last : run),
      undefined,
    );
}

/** As the executor composes it. */
function failureOf({ action: id }: Run, error: ActionError, action: ActionDefinition | undefined): string {
  const policy = resolveRetry(action?.retryPolicy, reconcilerDefaults.retryPolicy);
  const isTerminal = shouldRetry({ ...policy, maxAttempts: Infinity }, error, 0).retry === false;
  const timeoutMs = action?.timeout ?? reconcilerDefaults.timeoutMs;
  const said = error.type === "timeout" ? `action ${id} timed out after ${lengthOf(timeoutMs)}` : error.message;
  return `${isTerminal ? "non-retriable" : "max retries reached"}: ${said}`;
}

/** As the executor writes it: 5m0s, 30s, 1.5s, 250ms. */
export function lengthOf(ms: number): string {
  if (ms < 1_000) return `${ms}ms`;
  const seconds = ms / 1_000;
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const rest = `${Number((seconds % 60).toFixed(3))}s`;
  return hours > 0 ? `${hours}h${minutes}m${rest}` : minutes > 0 ? `${minutes}m${rest}` : rest;
}
