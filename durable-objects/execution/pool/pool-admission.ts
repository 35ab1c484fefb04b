// Pool admission: ensures that only one cell begins a key, even after the pool was resized. A cell accepts a start with
// a key if no other cell can have begun that key. Nothing is awaited between this check and the start. A cell that
// yields its keys answers only after all accepted starts are stored.
import { keysOf } from "#policy/pools/layout.ts";
import type { Reply, StartItem } from "#schema/engine/cell.ts";
import { keyOf } from "#schema/ids.ts";
import { POOL_TRIES_MAX } from "#schema/limits/pool-cells.ts";
import { refuse, type Result } from "#schema/refusal.ts";
import type { Pool, PoolCell, YieldKeysAnswer, YieldKeysRequest } from "#schema/placement/tenant-pool.ts";
import type { CellStorage } from "../storage.ts";
import { holdsKey, judgeStart, type KeyedHeads, type AdmissionVerdict, type AdmissionFacts } from "./judge-start.ts";
import { openOtherCells } from "./other-cells.ts";
import { otherCellsUnavailable } from "./refusals.ts";
import { openPoolRole } from "./pool-role.ts";

type Start = (items: readonly StartItem[]) => Promise<readonly Result<Reply>[]>;

export type PoolAdmission = PoolCell & {
  readonly start: Start;
  /**
   * Returns until when an empty cell must keep its role in storage, epoch ms; null if the cell may delete its storage.
   */
  readonly keptUntil: () => number | null;
};

export type PoolParts = {
  /** The number of this cell. */
  readonly cell: number;
  readonly storage: Pick<CellStorage, "readPool" | "writePool" | "idsInRange">;
  readonly heads: KeyedHeads;
  readonly now: () => number;
  /** How many keys one answer to another cell may have. */
  readonly keysPerPage: number;
  /** Returns another cell of the pool. */
  readonly stubOf: (cell: number) => PoolCell;
  readonly start: Start;
  /** Called after the cell has yielded. `until`: when an empty cell may delete its role, epoch ms. */
  readonly onYield: (until: number) => void;
  readonly log: (line: { readonly [key: string]: unknown }) => void;
};

export function openPoolAdmission(poolParts: PoolParts): PoolAdmission {
  const { cell, storage, heads, now, keysPerPage, stubOf, start, onYield, log } = poolParts;
  const role = openPoolRole(storage);
  const logFault = (cause: unknown): void =>
    log({ level: "warn", event: "pool_cell_not_reached", message: String(cause) });
  const others = openOtherCells({ cell, stubOf, logFault, cellsWithKeys: role.others() });
  const startsInProgress = new Set<Promise<unknown>>();
  let obtaining: Promise<Pool | null> | null = null;

  const obtainOnce = async (pool: Pool): Promise<Pool | null> => {
    const laterPool = await others.yieldKeys(pool);
    if (laterPool === null) role.becomeOwner(pool, others.cellsWithKeys());
    return laterPool;
  };
  /** Concurrent calls share one request to the other cells. */
  const obtainKeys = (pool: Pool): Promise<Pool | null> => {
    obtaining ??= obtainOnce(pool).finally(() => (obtaining = null));
    return obtaining;
  };
  const judgeParts = { cell, heads, now, role, others, obtainKeys };

  const startTracked: Start = (items) => {
    const started = start(items);
    const settled = started.catch(() => {}).finally(() => startsInProgress.delete(settled));
    startsInProgress.add(settled);
    return started;
  };

  const readKeysInBackground = (): void => {
    const owned = role.owned();
    if (owned !== null) others.readRemaining(owned, () => role.setOthers(others.cellsWithKeys()));
  };

  const yieldKeys = async ({ cell: newOwner, pool, after }: YieldKeysRequest): Promise<YieldKeysAnswer> => {
    const owned = role.owned();
    if (owned !== null && owned.epoch >= pool.epoch) return { kind: "stale", pool: owned };
    if (role.yieldTo(pool, now())) onYield(role.keptUntil(now()) ?? now());
    await Promise.all(startsInProgress);
    const ids = storage.idsInRange(keysOf(newOwner), after, keysPerPage);
    const keys = [...new Set(ids.flatMap((id) => keyOf(id) ?? []))];
    return { kind: "taken", keys, after: ids.length < keysPerPage ? null : (ids.at(-1) ?? null) };
  };

  return {
    start: async (items) => {
      const facts: AdmissionFacts = { elsewhere: new Map(), newer: null, isCellUnavailable: false };
      for (let tries = 0; ; tries++) {
        const verdicts = items.map((item) => judgeStart(judgeParts, item, facts));
        const lookups = verdicts.flatMap((verdict) => (typeof verdict === "function" ? [verdict] : []));
        if (lookups.length === 0 || tries === POOL_TRIES_MAX) {
          readKeysInBackground();
          return startAccepted(startTracked, items, verdicts);
        }
        await Promise.all(lookups.map((lookup) => lookup())).catch((cause: unknown) => {
          facts.isCellUnavailable = true;
          logFault(cause);
        });
      }
    },
    yieldKeys,
    hasKey: async (query) => holdsKey(query, heads, now()),
    keptUntil: () => role.keptUntil(now()),
  };
}

/**
 * Starts the accepted items, and refuses the others. An item whose verdict is still a lookup is refused as unavailable.
 */
async function startAccepted(
  start: Start,
  items: readonly StartItem[],
  verdicts: readonly AdmissionVerdict[],
): Promise<readonly Result<Reply>[]> {
  const accepted = items.filter((_item, n) => verdicts[n] === "go");
  const replies = (accepted.length === 0 ? [] : await start(accepted)).values();
  return verdicts.map((verdict): Result<Reply> => {
    if (verdict === "go") return replies.next().value ?? refuse(otherCellsUnavailable);
    return refuse(typeof verdict === "function" ? otherCellsUnavailable : verdict);
  });
}
