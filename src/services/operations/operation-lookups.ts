// Operation lookups: finds the next executions of an operation, and checks the health of the executions that it has
// processed.
import type { OperationTerms } from "#schema/operation.ts";
import type { MatchedExecution, MatchedPage, Health } from "#schema/engine/execution-command.ts";
import type { NumberedLine } from "#schema/subject/enrolling.ts";
import { COMMANDED_ROW_EXECUTIONS } from "#schema/limits/upkeep/bulk-operations.ts";
import type { Deps } from "../deps.ts";
import { isBreakerOpen } from "../connections/connection-terms.ts";
import { findMatching, healthOfMatching } from "../executions/matching-executions.ts";
import { executionsOf } from "./operations.ts";

export async function findOperationExecutions(
  deps: Pick<Deps, "db">,
  operation: OperationTerms,
  cursor: string | null,
): Promise<MatchedPage> {
  const { steer } = operation;
  if (steer === undefined) throw new Error(`operation ${operation.id} contains no verb for executions`);
  return findMatching(deps, operation.tenant, executionsOf(operation), steer, {
    cursor,
    limit: COMMANDED_ROW_EXECUTIONS,
  });
}

export async function checkOperationHealth(
  deps: Pick<Deps, "db" | "gate">,
  { tenant, stopAt, heal }: OperationTerms,
  lines: readonly NumberedLine[],
): Promise<Health> {
  if (heal !== undefined) {
    return { looked: 0, failed: 0, ...((await isBreakerOpen(deps, tenant, heal.connection)) ? { away: true } : {}) };
  }
  // findForOperation stored the lines in this form.
  const found = lines.map(({ line }) => line as unknown as MatchedExecution);
  return healthOfMatching(deps, tenant, found, stopAt?.states ?? []);
}
