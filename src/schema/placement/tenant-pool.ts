// Tenant pools: the number of cells that new executions of a tenant are spread over, and earlier numbers. The calls
// between the cells keep a key in the cell that used it first.
import { z } from "zod";

/** A tenant's pool. Each number of cells (1, 2, 4 … 64) has its own layer of cells. */
export type Pool = {
  /** The number of changes. Of two cells that may own a key, the one with the later epoch is right. */
  readonly epoch: number;
  /** The number of cells of the layer for new executions. */
  readonly size: number;
  /** The numbers of cells of all layers that were ever used, the current one included. */
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
  /** The called cell begins no new keys of the range any more. `keys`: its keys of the range. */
  | { readonly kind: "taken"; readonly keys: readonly string[]; readonly after: string | null }
  /** The called cell has a later epoch. */
  | { readonly kind: "stale"; readonly pool: Pool };

/** A query whether the called cell has the execution that a start would repeat. */
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
