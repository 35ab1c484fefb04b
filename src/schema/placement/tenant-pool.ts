// Tenant pools: the number of cells for a tenant's new executions, and earlier numbers of cells. The calls between
// cells keep a key in the cell that used the key first.
import { z } from "zod";

/** A tenant's pool. Each size (1, 2, 4 … 64 cells) has cells of its own, called a layer. */
export type Pool = {
  /**
   * The number of changes of the pool. If two cells claim the same key, the cell that knows the later epoch owns the
   * key.
   */
  readonly epoch: number;
  /** The number of cells in the layer for new executions. */
  readonly size: number;
  /** The sizes of all layers that were ever used, including the current layer. */
  readonly layers: readonly number[];
};

/** A call from the cell that now owns a range of keys to a cell that may have owned it before. */
export type YieldKeysRequest = {
  /** The number of the calling cell. */
  readonly cell: number;
  readonly pool: Pool;
  /** The last key of the previous page; null for the first page. */
  readonly after: string | null;
};

export type YieldKeysAnswer =
  /** The called cell accepts no new keys of the range from now on. `keys`: the keys of the range that it has used. */
  | { readonly kind: "taken"; readonly keys: readonly string[]; readonly after: string | null }
  /** The called cell knows a later epoch, so the caller's pool is outdated. */
  | { readonly kind: "stale"; readonly pool: Pool };

/** A query whether the called cell already has the execution that a start with this key would create. */
export type KeyQuery = {
  /** The id that the execution would have in the called cell. */
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
