// Settlements of one cell on their way home. Those that come in together share a call; a slow neighbour delays nobody.
import type { SettleItem } from "#schema/cell.ts";
import type { Deps } from "#services/deps.ts";

/** How long a first settlement waits for company. */
const TOGETHER_MS = 2;
const TRIES = 3;

/** Resolves to false if the cell could not be reached: the message must come back. */
export type Settling = { readonly settle: (item: SettleItem) => Promise<boolean> };

type Waiting = { readonly item: SettleItem; readonly done: (settled: boolean) => void };

export function openSettling(deps: Deps, cell: string): Settling {
  let waiting: Waiting[] = [];
  const send = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    const settled = await call(deps, cell, batch.map(({ item }) => item));
    for (const { done } of batch) done(settled);
  };
  return {
    settle: (item) =>
      new Promise((done) => {
        waiting.push({ item, done });
        if (waiting.length === 1) setTimeout(() => void send(), TOGETHER_MS);
      }),
  };
}

/** An answer of any kind will do: accepted, or stale because somebody else was first. */
async function call(deps: Deps, cell: string, items: readonly SettleItem[]): Promise<boolean> {
  for (let tries = 1; tries <= TRIES; tries++) {
    try {
      await deps.cell(cell).settleMany(items);
      return true;
    } catch (fault) {
      deps.log({ level: "warn", event: "not_settled", cell, tries, count: items.length, message: String(fault) });
    }
  }
  return false;
}
