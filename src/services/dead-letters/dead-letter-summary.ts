// A dead letter in a line of a list: what failed, for whom, and what to do about it.
import { isCritical } from "#kernel/execution/endings.ts";
import { fixFor, type Fix } from "#policy/advice/suggested-fix.ts";
import type { RunRow } from "#schema/engine/projection.ts";
import { isHandled, type Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";

export type DeadLetterSummary = {
  readonly execution: string;
  readonly run: string;
  readonly action: string;
  readonly type: string;
  /** The definition's name. */
  readonly definition: string;
  readonly namespace: string;
  readonly correlationId: string | null;
  readonly priority: number;
  readonly critical: boolean;
  readonly attempts: number;
  readonly failedAt: number | null;
  /** Its machine has taken care of it. */
  readonly handled: boolean;
  /** By its id. */
  readonly connection: string | null;
  readonly error: { readonly type: string | null; readonly code: string | null; readonly message: string | null };
  readonly fix: Fix;
};

/** As lists know it. */
export function summaryOfRow(row: RunRow): DeadLetterSummary {
  const { execution, id, action, type, definition, namespace, correlationId, priority } = row;
  const error = { type: row.errorType, code: row.errorCode, message: row.error };
  return {
    ...{ execution, run: id, action, type, definition, namespace, correlationId, priority, error },
    critical: isCritical(row),
    attempts: row.attempt,
    failedAt: row.finishedAt,
    handled: row.handled,
    connection: row.connection ?? null,
    fix: fixFor({ errorType: error.type, code: error.code, reason: row.reason }),
  };
}

/** As its execution knows it. One that was sent again has its last error in its attempts. */
export function summaryOf(state: ExecutionState, run: Run): DeadLetterSummary {
  const last = run.attempts.findLast(({ error }) => error !== null);
  const found = run.error ?? last?.error ?? null;
  const error = { type: found?.type ?? null, code: found?.code ?? null, message: found?.message ?? null };
  const { namespace, correlationId } = state;
  const { action, type, priority } = run;
  return {
    ...{ execution: state.id, run: run.id, action, type, namespace, correlationId, priority, error },
    definition: state.definition.name,
    critical: isCritical(run),
    attempts: run.attempt,
    handled: isHandled(run),
    connection: found?.connection ?? last?.error?.connection ?? null,
    failedAt: run.status === "failed" ? run.finishedAt : (last?.endedAt ?? null),
    fix: fixFor({ errorType: error.type, code: error.code, reason: run.reason }),
  };
}
