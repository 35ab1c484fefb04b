// Pool role: whether a cell owns the new keys of its range, or has yielded them to a cell of a later pool. The role is
// one row, written when it changes. A cell that never yielded and never called another cell has no role row.
import { POOL_FENCE_KEPT_MS } from "#schema/limits/pool-cells.ts";
import type { Pool } from "#schema/placement/tenant-pool.ts";
import type { CellStorage } from "../storage.ts";

type StoredRole = {
  readonly v: 1;
  /** The latest pool to which the cell yielded, and the time of the yield, epoch ms; null if it never yielded. */
  readonly superseded: { readonly pool: Pool; readonly at: number } | null;
  /** The latest pool in which all other possible owners have yielded to this cell. */
  readonly owned: Pool | null;
  /** The cells that yielded and still have keys of this cell's range. */
  readonly others: readonly number[];
};

/** ours: this cell owns new keys. superseded: another cell does. unknown: the other cells must be called first. */
export type KeyOwnership = "ours" | "superseded" | "unknown";

export type PoolRole = {
  readonly ownershipAt: (epoch: number) => KeyOwnership;
  /** Returns the pool in which this cell owns its keys; null if it does not own them, or if this is unknown. */
  readonly owned: () => Pool | null;
  /** Returns the pool to which this cell has yielded; null if it never yielded. */
  readonly superseded: () => Pool | null;
  /** Returns the cells that yielded and still have keys of this cell's range. */
  readonly others: () => readonly number[];
  /** Records that all other cells have yielded. */
  readonly becomeOwner: (pool: Pool, others: readonly number[]) => void;
  /** Replaces the list of cells that still have keys by a shorter one. */
  readonly setOthers: (others: readonly number[]) => void;
  /** Records that this cell yields. Returns false if it has yielded to this pool or a later one before. */
  readonly yieldTo: (to: Pool, now: number) => boolean;
  /**
   * Returns until when the role must be stored, epoch ms; null if it need not be stored; Infinity while the cell is the
   * owner.
   */
  readonly keptUntil: (now: number) => number | null;
};

const noRole: StoredRole = { v: 1, superseded: null, owned: null, others: [] };
/** Lower than the epoch of any pool. */
const NO_EPOCH = -1;

export function openPoolRole(storage: Pick<CellStorage, "readPool" | "writePool">): PoolRole {
  const text = storage.readPool();
  let role = text === null ? noRole : (JSON.parse(text) as StoredRole); // `write` wrote this JSON
  const epochOf = (pool: Pool | null | undefined): number => pool?.epoch ?? NO_EPOCH;
  const write = (changed: StoredRole): void => {
    storage.writePool(JSON.stringify(changed));
    role = changed;
  };
  const isOwner = (): boolean => epochOf(role.owned) > epochOf(role.superseded?.pool);

  return {
    ownershipAt: (epoch) => {
      if (isOwner() && epoch <= epochOf(role.owned)) return "ours";
      return epoch <= epochOf(role.superseded?.pool) ? "superseded" : "unknown";
    },
    owned: () => (isOwner() ? role.owned : null),
    superseded: () => role.superseded?.pool ?? null,
    others: () => (isOwner() ? role.others : []),
    becomeOwner: (owned, others) => {
      if (owned.epoch <= epochOf(role.owned)) return;
      // A pool that always had one size has no other cells that could have the keys, so no row is needed.
      if (owned.layers.length === 1) role = { ...role, owned };
      else write({ ...role, owned, others });
    },
    setOthers: (others) => {
      if (isOwner() && others.length < role.others.length) write({ ...role, others });
    },
    yieldTo: (pool, at) => {
      if (pool.epoch <= epochOf(role.superseded?.pool)) return false;
      write({ ...role, superseded: { pool, at } });
      return true;
    },
    keptUntil: (now) => {
      if (isOwner()) return role.owned !== null && role.owned.layers.length > 1 ? Number.POSITIVE_INFINITY : null;
      const until = role.superseded === null ? now : role.superseded.at + POOL_FENCE_KEPT_MS;
      return until > now ? until : null;
    },
  };
}
