// Wakes executions whose own alarm is overdue, cell by cell.
import { forgetWake, overdueExecutions } from "#catalog/executions.ts";
import { OVERDUE_MS, OVERDUE_MAX } from "#schema/limits/upkeep.ts";
import { byCell, callCells, type CellCall } from "../cells/by-cell.ts";
import type { Deps } from "../deps.ts";

export async function pokeOverdue(deps: Deps): Promise<{ overdue: number; cellsFailed: number }> {
  const overdue = await overdueExecutions(deps.db, deps.now() - OVERDUE_MS, OVERDUE_MAX);
  const answered = await callCells(
    byCell(overdue),
    (call) => pokeCell(deps, call).then(() => true),
    (call, fault) => {
      deps.log({ level: "error", event: "cell_not_poked", cell: call.cell, message: String(fault) });
      return false;
    },
  );
  const cellsFailed = answered.filter((isAnswered) => !isAnswered).length;
  return { overdue: overdue.length, cellsFailed };
}

async function pokeCell(deps: Deps, { cell, ids }: CellCall): Promise<void> {
  const answers = await deps.cell(cell).poke(ids);
  for (const [index, answer] of answers.entries()) {
    const execution = ids[index];
    if (answer.ok || answer.refusal.code !== "not_found" || execution === undefined) continue;
    deps.log({ level: "error", message: "an execution in the catalog has no object", cell, execution });
    await forgetWake(deps.db, cell.split("/")[0] ?? "", execution);
  }
}
