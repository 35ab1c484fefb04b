// Wakes executions whose own alarm is overdue, cell by cell.
import { forgetWake, overdueExecutions, type OverdueRow } from "#catalog/executions.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Result } from "#schema/refusal.ts";
import { OVERDUE_MS, OVERDUE_MAX } from "#schema/limits/upkeep.ts";
import { byCell, callCells, type CellCall } from "../cells/by-cell.ts";
import { cellName } from "../cells/placement.ts";
import type { Deps } from "../deps.ts";

export async function pokeOverdue(deps: Deps): Promise<{ overdue: number; cellsFailed: number }> {
  const overdue = await overdueExecutions(deps.db, deps.now() - OVERDUE_MS, OVERDUE_MAX);
  const answered = await callCells(
    byCell(overdue),
    (call) => pokeCell(deps, call, overdue).then(() => true),
    (call, fault) => {
      deps.log({ level: "error", event: "cell_not_poked", cell: call.cell, message: String(fault) });
      return false;
    },
  );
  const cellsFailed = answered.filter((isAnswered) => !isAnswered).length;
  return { overdue: overdue.length, cellsFailed };
}

async function pokeCell(deps: Deps, { cell, ids }: CellCall, overdue: readonly OverdueRow[]): Promise<void> {
  const answers = await deps.cell(cell).poke(ids);
  for (const [index, answer] of answers.entries()) {
    for (const row of overdue.filter(({ tenant, id }) => id === ids[index] && cellName(tenant, id) === cell)) {
      if (!isOver(row, answer)) continue;
      deps.log({ level: "error", message: "an execution in the catalog has no object", cell, execution: row.id });
      await forgetWake(deps.db, row);
    }
  }
}

/** Nobody knows it, or only a later life of its id answers. */
function isOver({ createdAt }: OverdueRow, answer: Result<ExecutionState>): boolean {
  return answer.ok ? answer.value.createdAt > createdAt : answer.refusal.code === "not_found";
}
