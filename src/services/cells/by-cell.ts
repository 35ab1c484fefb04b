// Groups executions by the cell they live in: one call with many ids is one request and one commit.
import { cellName } from "./placement.ts";

export type CellCall = { readonly cell: string; readonly ids: readonly string[] };

export function byCell(
  executions: readonly { readonly tenant: string; readonly id: string }[],
  idsMax: number,
): readonly CellCall[] {
  const groups = new Map<string, Set<string>>();
  for (const { tenant, id } of executions) {
    const cell = cellName(tenant, id);
    groups.set(cell, (groups.get(cell) ?? new Set()).add(id));
  }
  return [...groups].flatMap(([cell, ids]) => slices([...ids], idsMax).map((some) => ({ cell, ids: some })));
}

function slices(ids: readonly string[], size: number): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(ids.length / size) }, (_, n) => ids.slice(n * size, (n + 1) * size));
}
