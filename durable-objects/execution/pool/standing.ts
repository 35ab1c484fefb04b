// What a cell is in its tenant's pool: whether new keys lead to it, or it has told a cell of a later pool that none begins
// here any more. One row, written when that changes; a cell that nobody ever asked, and that had nobody to ask, has none.
import { POOL_FENCE_KEPT_MS } from "#schema/limits/placement.ts";
import type { Pool } from "#schema/placement/tenant-pool.ts";
import type { CellStorage } from "../storage.ts";

type Kept = {
  readonly v: 1;
  /** The pool of the last one it gave way to, and when. */
  readonly superseded: { readonly pool: Pool; readonly at: number } | null;
  /** The last pool for which all others that a key may have led to have given way. */
  readonly owned: Pool | null;
  /** Those of them that have keys of its own stretch still. */
  readonly others: readonly number[];
};

/** superseded: new keys lead elsewhere. unasked: it is to ask the others first. */
export type Right = "ours" | "superseded" | "unasked";

export type Standing = {
  readonly rightAt: (epoch: number) => Right;
  /** The pool whose keys begin here; null: none, as far as is known. */
  readonly owned: () => Pool | null;
  /** The pool that it gave way to. */
  readonly superseded: () => Pool | null;
  readonly others: () => readonly number[];
  readonly own: (pool: Pool, others: readonly number[]) => void;
  readonly keepOthers: (others: readonly number[]) => void;
  /** False: to that one, or a later one, it gave way before. */
  readonly giveWay: (to: Pool, now: number) => boolean;
  /** Until when it must not be forgotten; null: it may be; Infinity: as long as it is so. */
  readonly keptUntil: (now: number) => number | null;
};

const nothing: Kept = { v: 1, superseded: null, owned: null, others: [] };
const NEVER = -1;

export function openStanding(storage: Pick<CellStorage, "readPool" | "writePool">): Standing {
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
      // Where there never was another cell nobody has to be told, and nothing to be remembered.
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
