// Dead-letter summaries: the cause of each failure, its destination, and whether a repeat is safe. Lists and single
// reads of dead letters contain them.
import { listDeadLetters } from "#catalog/dead-letters.ts";
import type { Page } from "#catalog/page.ts";
import { isCritical } from "#kernel/execution/run-endings.ts";
import { fixFor, type Fix } from "#policy/advice/suggested-fix.ts";
import type { DeadLetterFilters } from "#schema/dead-letter-filter.ts";
import type { RunRow } from "#schema/engine/projection.ts";
import { isHandled, type Run } from "#schema/engine/run.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { deadLetterId } from "#schema/ids.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { Deps } from "../deps.ts";

export async function longestWaiting(
  deps: Pick<Deps, "db">,
  tenant: string,
  filters: DeadLetterFilters,
  cursor: string | null,
  limit: number,
): Promise<Result<Page<string>>> {
  const page = await listDeadLetters(deps.db, tenant, filters, cursor, limit, "oldest");
  if (!page.ok) return page;
  const { data, nextCursor } = page.value;
  return accept({ data: data.map(({ execution, id }) => deadLetterId(execution, id)), nextCursor });
}

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
  /** True if the execution's program has already reacted to the failure. */
  readonly handled: boolean;
  /** The id of the failed action's connection; null if the action used none. */
  readonly connection: string | null;
  readonly error: { readonly type: string | null; readonly code: string | null; readonly message: string | null };
  readonly fix: Fix;
};

/** Builds the summary from the dead letter's catalog row. */
export function summaryOfRow(row: RunRow): DeadLetterSummary {
  const { execution, id, action, type, definition, namespace, correlationId, priority } = row;
  const error = { type: row.errorType, code: row.errorCode, message: row.error };
  return {
    execution,
    run: id,
    action,
    type,
    definition,
    namespace,
    correlationId,
    priority,
    error,
    critical: isCritical(row),
    attempts: row.attempt,
    failedAt: row.finishedAt,
    handled: row.handled,
    connection: row.connection ?? null,
    fix: fixFor({ errorType: error.type, code: error.code, reason: row.reason }),
  };
}

/**
 * Builds the summary from the execution's state. A run that was retried has no `error`, so the last error is taken from
 * its attempts.
 */
export function summaryOf(state: ExecutionState, run: Run): DeadLetterSummary {
  const last = run.attempts.findLast(({ error }) => error !== null);
  const found = run.error ?? last?.error ?? null;
  const error = { type: found?.type ?? null, code: found?.code ?? null, message: found?.message ?? null };
  const { namespace, correlationId } = state;
  const { action, type, priority } = run;
  return {
    execution: state.id,
    run: run.id,
    action,
    type,
    namespace,
    correlationId,
    priority,
    error,
    definition: state.definition.name,
    critical: isCritical(run),
    attempts: run.attempt,
    handled: isHandled(run),
    connection: found?.connection ?? last?.error?.connection ?? null,
    failedAt: run.status === "failed" ? run.finishedAt : (last?.endedAt ?? null),
    fix: fixFor({ errorType: error.type, code: error.code, reason: run.reason }),
  };
}
