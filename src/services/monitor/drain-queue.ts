// Queue drain: wakes the cells of a limited number of due runs, the most urgent first, and waits for their results for
// a short time. The cells would start these runs anyway. The endpoint is for clients that want to see the results.
import { dueRuns, nextPlannedOf, queueDepth, type DueRun } from "#catalog/metrics/due-runs.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { ATTEMPTS_MAX } from "#schema/limits/run-attempts.ts";
import {
  DRAIN_CHECKS_MS,
  DRAIN_MS_MAX,
  NEXT_WAKE_EXECUTIONS_MAX,
  QUEUE_DEPTH_MAX,
} from "#schema/limits/upkeep/queue-drains.ts";
import { OVERDUE_MAX } from "#schema/limits/upkeep/sweeps.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { byCell, type CellCall, callWithRetry } from "../cells/call-cell.ts";
import type { Deps, TenantCaller } from "../deps.ts";

export type DrainQueue = {
  readonly batchSize: number;
  /** Runs with more retries than this are left out; null: no limit. */
  readonly maxRetries: number | null;
  readonly dryRun: boolean;
};
export type DrainResult = {
  readonly processed: number;
  readonly successful: number;
  readonly failed: number;
  readonly queueDepth: number;
  readonly nextScheduledAt: number | null;
};

export async function drainQueue(
  deps: Deps,
  { tenant }: TenantCaller,
  { batchSize, maxRetries, dryRun }: DrainQueue,
): Promise<Result<DrainResult>> {
  const now = deps.now();
  const bounds = { now, lateMax: OVERDUE_MAX };
  const attemptsMax = maxRetries ?? ATTEMPTS_MAX;
  const due = await dueRuns(deps.db, tenant, { ...bounds, attemptsMax, limit: batchSize });
  const depth = await queueDepth(deps.db, tenant, { ...bounds, countedMax: QUEUE_DEPTH_MAX });
  const nextAt = await nextPlannedOf(deps.db, tenant, { now, lookedMax: NEXT_WAKE_EXECUTIONS_MAX });
  if (dryRun) {
    const untouched = { processed: due.length, successful: 0, failed: 0 };
    return accept({ ...untouched, queueDepth: depth, nextScheduledAt: nextAt });
  }
  const outcomes = await wakeAndWatch(deps, tenant, due, now);
  const processed = outcomes.filter(({ outcome }) => outcome !== "untouched");
  const countOf = (wanted: Outcome): number => processed.filter(({ outcome }) => outcome === wanted).length;
  const retries = processed.flatMap(({ retryAt }) => retryAt ?? []);
  return accept({
    processed: processed.length,
    successful: countOf("successful"),
    failed: countOf("failed"),
    // The catalog may not know yet that runs were begun by this drain, so they are subtracted from its count.
    queueDepth: Math.max(0, depth - outcomes.filter(({ isGone }) => isGone).length),
    nextScheduledAt: [...(nextAt === null ? [] : [nextAt]), ...retries].sort((a, b) => a - b)[0] ?? null,
  });
}

/**
 * in_progress: the run has begun and has not ended yet. untouched: the run is still held, or had begun before this
 * request.
 */
type Outcome = "successful" | "failed" | "skipped" | "in_progress" | "untouched";
type RunProgress = { readonly outcome: Outcome; readonly isGone: boolean; readonly retryAt: number | null };

/**
 * Wakes the cells one after the other, the cell with the most urgent run first, so that urgent runs begin before other
 * cells are called.
 */
async function wakeAndWatch(
  deps: Deps,
  tenant: string,
  due: readonly DueRun[],
  begunAt: number,
): Promise<readonly RunProgress[]> {
  const states = new Map<string, ExecutionState>();
  const wakeCells = async (calls: readonly CellCall[]): Promise<void> => {
    for (const { cell, ids } of calls) {
      if (deps.now() - begunAt > DRAIN_MS_MAX) return;
      const answers = await callWithRetry(() => deps.cell(cell).poke(ids));
      if (!answers.ok) continue;
      for (const answer of answers.value) if (answer.ok) states.set(answer.value.id, answer.value);
    }
  };
  const progress = (): readonly RunProgress[] => due.map((run) => progressOf(states.get(run.execution), run, begunAt));
  await wakeCells(callsFor(tenant, due));
  for (const waitMs of DRAIN_CHECKS_MS) {
    const now = progress();
    const open = due.filter((_, n) => now[n]?.outcome === "in_progress");
    if (open.length === 0) break;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    await wakeCells(callsFor(tenant, open));
  }
  return progress();
}

function callsFor(tenant: string, due: readonly DueRun[]): readonly CellCall[] {
  return byCell(due.map(({ execution }) => ({ tenant, id: execution })));
}

function progressOf(state: ExecutionState | undefined, due: DueRun, begunAt: number): RunProgress {
  const run = state?.runs.find(({ id }) => id === due.run);
  // The run counts as untouched, because its cell does not answer or no longer stores the run. In the second case the
  // run ended long ago.
  if (run === undefined) return { outcome: "untouched", isGone: state !== undefined, retryAt: null };
  const attemptNumber = due.status === "queued" ? due.attempt : due.attempt + 1;
  const attempt = run.attempts.find((each) => each.attempt === attemptNumber);
  const retryAt = run.status === "retry" ? run.dueAt : null;
  if (attempt !== undefined && attempt.endedAt !== null) {
    const outcome = attempt.endedAt < begunAt ? "untouched" : attempt.error === null ? "successful" : "failed";
    return { outcome, isGone: true, retryAt };
  }
  if (attempt !== undefined || run.status === "queued") return { outcome: "in_progress", isGone: true, retryAt: null };
  if (run.status === "skipped") return { outcome: "skipped", isGone: true, retryAt: null };
  return { outcome: "untouched", isGone: run.finishedAt !== null, retryAt: null };
}
