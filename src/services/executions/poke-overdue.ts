// Overdue wakes: wakes executions whose alarm is overdue according to the catalog, cell by cell. Each check stores in
// the row either the actual wake or the time of the next check. So rows that stay overdue do not block the rows behind
// them. The sweep calls this.
import { noteChecks, overdueExecutions, type OverdueCheck, type OverdueRow } from "#catalog/executions.ts";
import { nextWake } from "#kernel/waiting/next-instants.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { OVERDUE_MAX, OVERDUE_MS, OVERDUE_RECHECK_MS } from "#schema/limits/upkeep/sweeps.ts";
import type { Result } from "#schema/refusal.ts";
import { byCell, callCells, type CellCall } from "../cells/call-cell.ts";
import { cellName } from "../cells/ids-and-cells.ts";
import type { Deps } from "../deps.ts";

type Answer = Result<ExecutionState> | null;
type PokedCell = { readonly call: CellCall; readonly answers: readonly Result<ExecutionState>[] | null };
/**
 * `overdue`: the number of checked rows. `unhealed`: those that are still overdue and will be checked again.
 * `cellsFailed`: the number of cells that did not answer.
 */
export type PokeSummary = { readonly overdue: number; readonly unhealed: number; readonly cellsFailed: number };

export async function pokeOverdue(deps: Deps): Promise<PokeSummary> {
  const now = deps.now();
  const overdue = await overdueExecutions(deps.db, { before: now - OVERDUE_MS, now }, OVERDUE_MAX);
  const rowsOf = Map.groupBy(overdue, ({ tenant, id }) => rowKey(cellName(tenant, id), id));
  const answered = await callCells<PokedCell>(
    byCell(overdue),
    async (call) => ({ call, answers: await deps.cell(call.cell).poke(call.ids) }),
    (call, fault) => {
      deps.log({ level: "error", event: "cell_not_poked", cell: call.cell, message: String(fault) });
      return { call, answers: null };
    },
  );
  const checks = answered.flatMap(({ call, answers }) =>
    call.ids.flatMap((id, n) =>
      (rowsOf.get(rowKey(call.cell, id)) ?? []).map((row) => checkOf(deps, call, row, answers?.[n] ?? null)),
    ),
  );
  await noteChecks(deps.db, checks);
  const unhealed = checks.filter(({ checkAt }) => checkAt !== null).length;
  return { overdue: overdue.length, unhealed, cellsFailed: answered.filter(({ answers }) => answers === null).length };
}

function checkOf(deps: Deps, { cell }: CellCall, row: OverdueRow, answer: Answer): OverdueCheck {
  const now = deps.now();
  if (isExecutionGone(row, answer)) {
    deps.log({
      level: "error",
      message: "the catalog lists an execution whose object does not exist",
      cell,
      execution: row.id,
    });
    return { ...row, nextWakeAt: null, checkAt: null };
  }
  const nextWakeAt = actualWake(row, answer, now);
  if (nextWakeAt === null || nextWakeAt > now) return { ...row, nextWakeAt, checkAt: null };
  return { ...row, nextWakeAt: row.wakeAt, checkAt: now + nextCheckDelayMs(row.checks ?? 0) };
}

/**
 * True if the row's execution no longer exists: its object does not store it, or stores only a later execution with the
 * same id.
 */
function isExecutionGone({ createdAt }: OverdueRow, answer: Answer): boolean {
  if (answer === null) return false;
  return answer.ok ? answer.value.createdAt > createdAt : answer.refusal.code === "not_found";
}

/**
 * Returns the actual wake of an execution that has not changed since it projected this row. If it has changed, another
 * projection is on its way, and the row's own wake is returned.
 */
function actualWake({ seq, wakeAt }: OverdueRow, answer: Answer, now: number): number | null {
  if (!answer?.ok || answer.value.seq !== seq || answer.value.finishedAt !== null) return wakeAt;
  return nextWake(answer.value, now);
}

function nextCheckDelayMs(checks: number): number {
  return Math.min(OVERDUE_RECHECK_MS.most, OVERDUE_RECHECK_MS.first * 2 ** checks);
}

function rowKey(cell: string, execution: string): string {
  return `${cell}#${execution}`;
}
