// Cell calls of operations: calls the cells of a slice's items, a few at a time. If a cell does not answer, its items
// are retried later, and the other cells are called anyway.
import type { ItemOutcome, OperationRequest } from "#schema/operation.ts";
import { byCell, callCells, type CellCall } from "../cells/call-cell.ts";
import type { Deps } from "../deps.ts";

/** An item of an operation. `id` is the id that the operation gives to the item. */
export type CellItem = { readonly id: string; readonly execution: string };

export async function callItemCells<Item extends CellItem>(
  deps: Pick<Deps, "log">,
  { id: operation, tenant }: OperationRequest,
  items: readonly Item[],
  command: (cell: string, items: readonly Item[]) => Promise<readonly ItemOutcome[]>,
): Promise<readonly ItemOutcome[]> {
  const calls = byCell(items.map(({ execution }) => ({ tenant, id: execution })));
  const itemsOf = ({ ids }: CellCall): readonly Item[] => {
    const executions = new Set(ids);
    return items.filter(({ execution }) => executions.has(execution));
  };
  const answers = await callCells(
    calls,
    (call) => command(call.cell, itemsOf(call)),
    (call, fault) => {
      const message = String(fault);
      deps.log({ level: "error", event: "cell_not_reached", operation, cell: call.cell, message });
      return unreached(itemsOf(call), message);
    },
  );
  return answers.flat();
}

export function unreached(items: readonly CellItem[], error: string): readonly ItemOutcome[] {
  return items.map(({ id }) => ({ id, kind: "unreached", error }));
}
