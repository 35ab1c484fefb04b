// Groups executions by the cell they live in: one call with many ids is one request and one commit.
import { CELL_CALL_IDS_MAX, CELL_CALLS_AT_ONCE } from "#schema/limits/placement.ts";
import { cellName } from "./placement.ts";

export type CellCall = { readonly cell: string; readonly tenant: string; readonly ids: readonly string[] };

export function byCell(
  executions: readonly { readonly tenant: string; readonly id: string }[],
  idsMax: number = CELL_CALL_IDS_MAX,
): readonly CellCall[] {
  const groups = new Map<string, { readonly tenant: string; readonly ids: Set<string> }>();
  for (const { tenant, id } of executions) {
    const cell = cellName(tenant, id);
    const group = groups.get(cell) ?? { tenant, ids: new Set() };
    group.ids.add(id);
    groups.set(cell, group);
  }
  return [...groups].flatMap(([cell, { tenant, ids }]) =>
    slices([...ids], idsMax).map((some) => ({ cell, tenant, ids: some })),
  );
}

/** So many cells at once, one answer each. `failed` says what a call that threw is worth: the others go on. */
export async function callCells<Answer>(
  calls: readonly CellCall[],
  call: (one: CellCall) => Promise<Answer>,
  failed: (one: CellCall, fault: unknown) => Answer,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const some of slices(calls, CELL_CALLS_AT_ONCE)) {
    answers.push(...(await Promise.all(some.map((one) => call(one).catch((fault: unknown) => failed(one, fault))))));
  }
  return answers;
}

function slices<One>(all: readonly One[], size: number): readonly (readonly One[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
}
