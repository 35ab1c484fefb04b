// Growing fleet: starts executions while the crash test resizes their tenant's pool, as load would do it.
import type { Account } from "./account.ts";
import { clientWith } from "./client.ts";
import type { Order } from "./fleet.ts";
import { repeatUntilAnswered } from "./patience.ts";

/** The pool's sizes. It starts with one cell, and a part of the fleet is started at each size. */
const SIZES = [4, 16, 64] as const;
/** The size that the largest layer is shrunk to at the end. */
const SIZE_SMALLER = 4;

export type Growing = {
  readonly startAll: (orders: readonly Order[]) => Promise<Map<string, string>>;
  /**
   * Repeats all starts under their keys, at the pool's current and at a smaller size. Returns the number of cells that
   * contain executions.
   */
  readonly everyKeyIsAnsweredAgain: (orders: readonly Order[], ids: ReadonlyMap<string, string>) => Promise<number>;
};

export function openGrowing({ engineUrl, tenant }: { engineUrl: string; tenant: string }, account: Account): Growing {
  const resize = (size: number): Promise<unknown> =>
    repeatUntilAnswered(() =>
      clientWith({}).requestJson("POST", `${engineUrl}/_crash/pool?tenant=${tenant}&size=${size}`),
    );
  const startAgain = async (orders: readonly Order[], ids: ReadonlyMap<string, string>): Promise<void> => {
    for (const [key, id] of await account.startAll(orders)) {
      if (id !== ids.get(key)) throw new Error(`${key} began ${ids.get(key)}, and ${id} when it came again`);
    }
  };
  return {
    startAll: async (orders) => {
      const ids = new Map<string, string>();
      const part = Math.ceil(orders.length / (SIZES.length + 1));
      for (const [n, size] of [null, ...SIZES].entries()) {
        if (size !== null) await resize(size);
        for (const [key, id] of await account.startAll(orders.slice(n * part, (n + 1) * part))) ids.set(key, id);
      }
      return ids;
    },
    everyKeyIsAnsweredAgain: async (orders, ids) => {
      await startAgain(orders, ids);
      await resize(SIZE_SMALLER);
      await startAgain(orders, ids);
      return new Set([...ids.values()].flatMap((id) => /_p\d+$/.exec(id) ?? [])).size;
    },
  };
}
