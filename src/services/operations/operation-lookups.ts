// Operation lookups: finds the next executions of an operation, and checks the health of the executions that it has
// processed.
import type { OperationPage, OperationRequest } from "#schema/operation.ts";
import type { MatchedExecution, MatchedPage, Health } from "#schema/engine/execution-command.ts";
import type { NumberedLine } from "#schema/subject/enrolling.ts";
import { COMMANDED_ROW_EXECUTIONS, OPERATION_PAGE_ROWS } from "#schema/limits/upkeep/bulk-operations.ts";
import type { Deps } from "../deps.ts";
import { isBreakerOpen } from "../connections/connection-terms.ts";
import { longestWaiting } from "../dead-letters/dead-letter-summary.ts";
import { findMatching, healthOfMatching } from "../executions/matching-executions.ts";
import { deadLettersOf, executionsOf } from "./operations.ts";

export async function findOperationExecutions(
  deps: Pick<Deps, "db">,
  operation: OperationRequest,
  cursor: string | null,
): Promise<MatchedPage> {
  const { steer } = operation;
  if (steer === undefined)
    throw new Error(`operation ${operation.id} does not act on executions: it has no verb such as cancel`);
  return findMatching(deps, operation.tenant, executionsOf(operation), steer, {
    cursor,
    limit: COMMANDED_ROW_EXECUTIONS,
  });
}

/** Lists the next dead letters of the operation, the longest waiting first. */
export async function listOperationDeadLetters(
  deps: Pick<Deps, "db">,
  operation: OperationRequest,
  cursor: string | null,
): Promise<OperationPage> {
  const page = await longestWaiting(deps, operation.tenant, deadLettersOf(operation), cursor, OPERATION_PAGE_ROWS);
  // longestWaiting refuses only an invalid cursor, and an earlier call of it issued the cursor.
  if (!page.ok) throw new Error(page.refusal.message);
  return { ids: page.value.data, cursor: page.value.nextCursor };
}

export async function checkOperationHealth(
  deps: Pick<Deps, "db" | "gate">,
  { tenant, stopAt, heal }: OperationRequest,
  lines: readonly NumberedLine[],
): Promise<Health> {
  if (heal !== undefined) {
    return { looked: 0, failed: 0, ...((await isBreakerOpen(deps, tenant, heal.connection)) ? { away: true } : {}) };
  }
  // findOperationExecutions stored the lines in this form.
  const found = lines.map(({ line }) => line as unknown as MatchedExecution);
  return healthOfMatching(deps, tenant, found, stopAt?.states ?? []);
}
