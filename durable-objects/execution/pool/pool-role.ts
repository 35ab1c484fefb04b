// Pool role: whether new keys are routed to this cell, or it has yielded to a cell of a later pool. One row, written
// when the role changes; a cell that never yielded and never had to ask has no row.
import { POOL_FENCE_KEPT_MS } from "#schema/limits/pool-cells.ts";
import type { Pool } from "#schema/placement/tenant-pool.ts";
import type { CellStorage } from "../storage.ts";

type Kept = {
  readonly v: 1;
  /** The pool of the last cell it yielded to, and when. */
  readonly superseded: { readonly pool: Pool; readonly at: number } | null;
  /** The last pool for which all other possible owners have yielded. */
  readonly owned: Pool | null;
  /** Those of them that still have keys in its own range. */
  readonly others: readonly number[];
};

/** superseded: new keys are routed elsewhere. unasked: it must query the other cells first. */
export type KeyOwnership = "ours" | "superseded" | "unasked";

export type PoolRole = {
  readonly rightAt: (epoch: number) => KeyOwnership;
  /** The pool whose keys begin here; null if unknown or none. */
  readonly owned: () => Pool | null;
  /** The pool that it yielded to. */
  readonly superseded: () => Pool | null;
  readonly others: () => readonly number[];
  readonly own: (pool: Pool, others: readonly number[]) => void;
  readonly keepOthers: (others: readonly number[]) => void;
  /** False if it yielded to that pool or a later one before. */
  readonly giveWay: (to: Pool, now: number) => boolean;
  /** Until when its role must be stored; null: not needed; Infinity: as long as the role lasts. */
  readonly keptUntil: (now: number) => number | null;
};

const nothing: Kept = { v: 1, superseded: null, owned: null, others: [] };
const NEVER = -1;

export function openPoolRole(storage: Pick<CellStorage, "readPool" | "writePool">): PoolRole {
  const text = storage.readPool();
  let kept = text === null ? nothing : (JSON.parse(text) as Kept); // written below
  const epochOf = (pool: Pool | null | undefined): number => pool?.epoch ?? NEVER;
  const write = (changed: Kept): void => {
    storage.writePool(JSON.stringify(changed));
    kept = changed;
  };
  const isOwner = (): boolean => epochOf(kept.owned) > epochOf(kept.superseded?.pool);

  return {
    rightAt: (epoch) => {
      if (isOwner() && epoch <= epochOf(kept.owned)) return "ours";
      return epoch <= epochOf(kept.superseded?.pool) ? "superseded" : "unasked";
    },
    owned: () => (isOwner() ? kept.owned : null),
    superseded: () => kept.superseded?.pool ?? null,
    others: () => (isOwner() ? kept.others : []),
    own: (owned, others) => {
      if (owned.epoch <= epochOf(kept.owned)) return;
      // With a single layer there is no other cell, so nothing needs to be sent or stored.
      if (owned.layers.length === 1) kept = { ...kept, owned };
      else write({ ...kept, owned, others });
    },
    keepOthers: (others) => {
      if (isOwner() && others.length < kept.others.length) write({ ...kept, others });
    },
    giveWay: (pool, at) => {
      if (pool.epoch <= epochOf(kept.superseded?.pool)) return false;
      write({ ...kept, superseded: { pool, at } });
      return true;
    },
    keptUntil: (now) => {
      if (isOwner()) return kept.owned !== null && kept.owned.layers.length > 1 ? Number.POSITIVE_INFINITY : null;
      const until = kept.superseded === null ? now : kept.superseded.at + POOL_FENCE_KEPT_MS;
      return until > now ? until : null;
    },
  };
}
