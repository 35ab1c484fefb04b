// The executions of a bulk operation: counts them in the catalog for the preview, finds them once, and checks them
// while the operation runs. The catalog may be slightly out of date, so each execution checks again whether it still
// matches.
import {
  countMatchingExecutions,
  findMatchingExecutions,
  healthOf,
  type MatchingCount,
} from "#catalog/operation-executions.ts";
import type { ExecutionStatus } from "#schema/engine/state.ts";
import type {
  MatchedExecution,
  MatchedPage,
  Health,
  ExecutionFilter,
  ExecutionCommand,
} from "#schema/engine/execution-command.ts";
import type { Deps } from "../deps.ts";

export async function findMatching(
  { db }: Pick<Deps, "db">,
  tenant: string,
  filter: ExecutionFilter,
  steer: ExecutionCommand,
  page: { readonly cursor: string | null; readonly limit: number },
): Promise<MatchedPage> {
  const found = await findMatchingExecutions(
    db,
    tenant,
    { ...filter, statuses: statusesFor(filter, steer) },
    page.cursor,
    page.limit,
  );
  // findMatchingExecutions refuses only an invalid cursor, and an earlier call of this search issued the cursor.
  if (!found.ok) throw new Error(found.refusal.message);
  return found.value;
}

export async function countMatching(
  { db }: Pick<Deps, "db">,
  tenant: string,
  filter: ExecutionFilter,
  steer: ExecutionCommand,
): Promise<readonly MatchingCount[]> {
  return countMatchingExecutions(db, tenant, { ...filter, statuses: statusesFor(filter, steer) });
}

export async function healthOfMatching(
  { db }: Pick<Deps, "db">,
  tenant: string,
  found: readonly MatchedExecution[],
  states: readonly string[],
): Promise<Health> {
  return healthOf(db, tenant, found, states);
}

/**
 * Returns the statuses of executions to which the operation's verb can apply. An ended execution accepts only a retry.
 */
function statusesFor({ status }: ExecutionFilter, { verb }: ExecutionCommand): readonly ExecutionStatus[] {
  if (status !== undefined) return [status];
  return verb === "retry" ? [...liveStatuses, "failed", "canceled"] : liveStatuses;
}

const liveStatuses: readonly ExecutionStatus[] = ["active", "waiting", "paused"];
