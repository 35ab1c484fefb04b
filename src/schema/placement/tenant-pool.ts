// Tenant pools: how many cells a tenant's new executions are distributed over, now and earlier. The calls between cells
// make sure that a key stays in the cell that used it first.
import { z } from "zod";

/** A tenant's pool. For each size (1, 2, 4 … 64) there are separate cells, called a layer. */
export type Pool = {
  /**
   * How many times the pool has changed. If two cells claim the same key, the cell that knows the later epoch owns it.
   */
  readonly epoch: number;
  /** The number of cells in the layer that gets new executions. */
  readonly size: number;
  /** The sizes of all layers that were ever used, including the current one. */
  readonly layers: readonly number[];
};

/** A call to a cell that may have owned a range of keys, from the cell that owns the range now. */
export type YieldKeysRequest = {
  /** The number of the calling cell. */
  readonly cell: number;
  readonly pool: Pool;
  /** The last key of the previous page; null for the first page. */
  readonly after: string | null;
};

export type YieldKeysAnswer =
  /**
   * From now on the called cell accepts no new keys of the range. `keys`: the keys of the range that it has already
   * used.
   */
  | { readonly kind: "taken"; readonly keys: readonly string[]; readonly after: string | null }
  /** The called cell knows a later epoch. So the caller's pool is outdated. */
  | { readonly kind: "stale"; readonly pool: Pool };

/** The question whether the called cell already has the execution of a start with this key. */
export type KeyQuery = {
  /** The id that the execution has if it is in the called cell. */
  readonly execution: string;
  readonly inputId: string;
};

/** The calls between the cells of one pool. */
export type PoolCell = {
  yieldKeys(ask: YieldKeysRequest): Promise<YieldKeysAnswer>;
  hasKey(ask: KeyQuery): Promise<boolean>;
};

/** A cell's report of its load. */
export type PoolReport = { readonly epoch: number; readonly startsPerS: number; readonly bytes: number };

const pool = z.object({ epoch: z.number().int(), size: z.number().int(), layers: z.array(z.number().int()) });

/** The details of a refusal that names another cell for the key. */
export const poolMove = z.discriminatedUnion("why", [
  z.object({ why: z.literal("pool_moved"), pool }),
  z.object({ why: z.literal("key_elsewhere"), cell: z.number().int() }),
]);
