// Execution erasure: deletes an ended execution. It erases the rows in its object first, then its catalog data and its
// tasks. If the catalog does not answer, the client's retry erases the rest.
import { findExecution } from "#catalog/executions.ts";
import { eraseRows } from "#catalog/projections/erased.ts";
import type { Reply } from "#schema/engine/cell.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { waitsForPerson } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { auditRow } from "../audit/audit.ts";
import { createdAround } from "../cells/ids-and-cells.ts";
import type { TenantCaller, Deps } from "../deps.ts";
import { eraseReports } from "../hooks/delivery-status.ts";
import { eraseTasks } from "../tasks/tasks.ts";
import { controlExecution } from "./control-execution.ts";

export type EraseExecution = { readonly execution: string; readonly reason: string | null; readonly dryRun: boolean };
/**
 * `deadLetters`: the number of unresolved dead letters that were erased. Null if the object no longer stored the
 * execution, only the catalog.
 */
export type ErasedExecution = { readonly id: string; readonly deadLetters: number | null };

export async function eraseExecution(
  deps: Deps,
  caller: TenantCaller,
  { execution, reason, dryRun }: EraseExecution,
): Promise<Result<ErasedExecution>> {
  const verb = { kind: "erase", reason } as const;
  const answer = await controlExecution(deps, caller, { execution, verb, key: null, dryRun });
  if (answer.ok) return eraseFromCatalog(deps, answer.value, dryRun);
  if (answer.refusal.code !== "not_found") return answer;
  const row = await findExecution(deps.db, caller.tenant, execution, createdAround(execution));
  if (row === null || !isFinalStatus(row.status)) return answer;
  if (!dryRun && !row.erasedAt) await eraseRetired(deps, caller, row, reason);
  return accept({ id: execution, deadLetters: null });
}

async function eraseFromCatalog(deps: Deps, { state }: Reply, dryRun: boolean): Promise<Result<ErasedExecution>> {
  const deadLetters = state.runs.filter(waitsForPerson).length;
  if (!dryRun) {
    // The audit entry is null here, because the execution's object has projected it already.
    await eraseRows(deps.db, rowOf(state), deps.now(), null);
    await eraseTasks(deps, state.tenant, { execution: state.id, incarnation: state.createdAt });
    await eraseReports(deps, state);
  }
  return accept({ id: state.id, deadLetters });
}

async function eraseRetired(deps: Deps, caller: TenantCaller, row: ExecutionRow, reason: string | null): Promise<void> {
  await eraseRows(deps.db, row, deps.now(), auditRow(deps, caller, "execution.erase", row.id, reason));
  await eraseTasks(deps, row.tenant, { execution: row.id, incarnation: row.createdAt });
  await eraseReports(deps, row);
}

/** Returns the row fields that an erased row keeps. eraseRows empties all other fields. */
function rowOf(state: ExecutionState): ExecutionRow {
  const { tenant, id, createdAt, seq, namespace, definition, placement, status, updatedAt, finishedAt } = state;
  const { id: definitionId, name: definitionName, version: definitionVersion } = definition;
  const named = { definitionId, definitionName, definitionVersion, placement };
  const empty = { states: [], correlationId: null, wakeAt: null, reason: null, error: null };
  return { tenant, id, createdAt, seq, namespace, ...named, status, updatedAt, finishedAt, ...empty };
}
