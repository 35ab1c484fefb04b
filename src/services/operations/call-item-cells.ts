// Cell calls of operations: calls the cells of a slice's items, a few at a time. A cell that does not answer leaves its
// items for a retry; the others continue.
import type { ItemOutcome, OperationTerms } from "#schema/operation.ts";
import { byCell, callCells, type CellCall } from "../cells/call-cell.ts";
import type { Deps } from "../deps.ts";

/** `id` is the operation's own name for it. */
export type CellItem = { readonly id: string; readonly execution: string };

export async function callItemCells<Item extends CellItem>(
  deps: Pick<Deps, "log">,
  { id: operation, tenant }: OperationTerms,
  items: readonly Item[],
  ask: (cell: string, items: readonly Item[]) => Promise<readonly ItemOutcome[]>,
): Promise<readonly ItemOutcome[]> {
  const calls = byCell(items.map(({ execution }) => ({ tenant, id: execution })));
  const itemsOf = ({ ids }: CellCall): readonly Item[] => {
    const theirs = new Set(ids);
    return items.filter(({ execution }) => theirs.has(execution));
  };
  const answers = await callCells(
    calls,
    (call) => ask(call.cell, itemsOf(call)),
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
