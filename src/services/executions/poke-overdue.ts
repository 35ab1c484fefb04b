// Wakes executions whose own alarm is overdue, cell by cell.
import { forgetWake, overdueExecutions } from "#catalog/executions.ts";
import { CELL_CALL_IDS_MAX, CELL_CALLS_AT_ONCE } from "#schema/limits/placement.ts";
import { OVERDUE_MS, OVERDUE_MAX } from "#schema/limits/upkeep.ts";
import { byCell, type CellCall } from "../cells/by-cell.ts";
import type { Deps } from "../deps.ts";

export async function pokeOverdue(deps: Deps): Promise<{ overdue: number; cellsFailed: number }> {
  const overdue = await overdueExecutions(deps.db, deps.now() - OVERDUE_MS, OVERDUE_MAX);
  const calls = byCell(overdue, CELL_CALL_IDS_MAX);
  let cellsFailed = 0;
  for (let n = 0; n < calls.length; n += CELL_CALLS_AT_ONCE) {
    const some = calls.slice(n, n + CELL_CALLS_AT_ONCE);
    const answers = await Promise.allSettled(some.map((call) => pokeCell(deps, call)));
    cellsFailed += answers.filter((answer) => answer.status === "rejected").length;
  }
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
