// Outcomes of started occurrences: computed from the catalog's rows of the executions and of their runs. A recurring
// action whose started work fails is not healthy.
import { RECURRING_ERROR_CHARS_MAX, RECURRING_UNLISTED_MS } from "#schema/limits/recurring-actions.ts";
import type { RunStatus } from "#schema/engine/run.ts";
import type { ExecutionStatus } from "#schema/engine/state.ts";
import type { RecurringHealth } from "#schema/recurring/calls.ts";
import type { StartedOccurrence } from "#schema/recurring/state.ts";
import type { WorkHistory, WorkOutcome, WorkRow } from "#schema/recurring/work-outcome.ts";

/** `isAction`: the occurrences started standalone actions, otherwise executions of a definition. */
export function workHistory(
  recent: readonly StartedOccurrence[],
  rows: ReadonlyMap<string, WorkRow>,
  isAction: boolean,
  now: number,
): WorkHistory {
  const occurrences = recent.toReversed().map((started) => {
    const row = rows.get(started.execution);
    const outcome = outcomeOf(row, isAction) ?? unlisted(started, now);
    return { ...started, outcome, error: outcome === "failed" && row !== undefined ? errorOf(row, isAction) : null };
  });
  const ended = occurrences.map(({ outcome }) => outcome).filter((outcome) => !isOpen(outcome));
  return { occurrences, lastOutcome: ended[0] ?? null, failuresInARow: failuresInARow(ended) };
}

function errorOf({ error, runError, deadLetter }: WorkRow, isAction: boolean): string | null {
  return (isAction ? runError : null) ?? error ?? deadLetter;
}

/** Returns null if the catalog has no row. */
function outcomeOf(row: WorkRow | undefined, isAction: boolean): WorkOutcome | null {
  if (row === undefined) return null;
  if (isAction && row.run !== null) return ofRun(row.run);
  const outcome = row.status && ofExecution(row.status);
  return outcome === "pending" && row.deadLetter !== null ? "failed" : outcome;
}

function ofRun(status: RunStatus): WorkOutcome {
  switch (status) {
    case "ok":
    case "failed":
    case "canceled":
    case "skipped":
      return status;
    case "scheduled":
    case "queued":
    case "running":
    case "retry":
      return "pending";
  }
}

function ofExecution(status: ExecutionStatus): WorkOutcome {
  switch (status) {
    case "completed":
      return "ok";
    case "failed":
    case "canceled":
      return status;
    case "active":
    case "waiting":
    case "paused":
      return "pending";
  }
}

/** An execution without a row was started just now, or its rows were deleted after their retention. */
function unlisted({ nominal, createdAt }: StartedOccurrence, now: number): WorkOutcome {
  const startedAt = createdAt ?? nominal;
  return startedAt !== null && now - startedAt < RECURRING_UNLISTED_MS ? "pending" : "unknown";
}

function isOpen(outcome: WorkOutcome): boolean {
  return outcome === "pending" || outcome === "unknown";
}

/** Counts failures up to the newest success. Work that was skipped or canceled is neither. */
function failuresInARow(ended: readonly WorkOutcome[]): number {
  const newestSuccess = ended.indexOf("ok");
  const since = newestSuccess < 0 ? ended : ended.slice(0, newestSuccess);
  return since.filter((outcome) => outcome === "failed").length;
}

/** Returns the health that takes the outcomes into account. A fault of the schedule itself comes first. */
export function healthWithWork(
  health: RecurringHealth,
  { occurrences, failuresInARow: failed }: WorkHistory,
): RecurringHealth {
  if (health.status !== "healthy" || failed === 0) return health;
  const error = occurrences.find(({ outcome }) => outcome === "failed")?.error ?? null;
  const what = failed === 1 ? "the last started occurrence failed" : `the last ${failed} started occurrences failed`;
  const reason = error === null ? what : `${what}: ${error}`;
  return { status: "failing", reason: reason.slice(0, RECURRING_ERROR_CHARS_MAX) };
}
