// Tenant pools: how many cells new executions are spread over, and all earlier numbers. And the calls between its
// cells, so that a key stays with what it began first, in whichever cell.
import { z } from "zod";

/** Layers of cells are named by their size: 1, 2, 4 … 64. */
export type Pool = {
  /** Counts the changes: of two possible cells of a key, the one with the later epoch is right. */
  readonly epoch: number;
  /** The layer of new executions. */
  readonly size: number;
  /** Every layer that was ever used, this one included. */
  readonly layers: readonly number[];
};

/** From the cell that now owns a key range, to one that may have owned it before. */
export type YieldKeysRequest = {
  /** The number of the calling cell. */
  readonly cell: number;
  readonly pool: Pool;
  /** The end of the page before; null: from the beginning. */
  readonly after: string | null;
};

export type YieldKeysAnswer =
  /** No new keys begin there from now on in this epoch or an earlier one; these already exist. */
  | { readonly kind: "taken"; readonly keys: readonly string[]; readonly after: string | null }
  /** The called cell has a later epoch. */
  | { readonly kind: "stale"; readonly pool: Pool };

/** Whether the execution that a start would repeat is there. */
export type KeyQuery = {
  /** With the id that it would have there. */
  readonly execution: string;
  readonly inputId: string;
};

/** Calls between cells of one pool. */
export type PoolCell = {
  yieldKeys(ask: YieldKeysRequest): Promise<YieldKeysAnswer>;
  hasKey(ask: KeyQuery): Promise<boolean>;
};

/** A cell's report of its load. */
export type PoolReport = { readonly epoch: number; readonly startsPerS: number; readonly bytes: number };

const pool = z.object({ epoch: z.number().int(), size: z.number().int(), layers: z.array(z.number().int()) });

/** The details of a refusal that names another cell. */
export const poolMove = z.discriminatedUnion("why", [
  z.object({ why: z.literal("pool_moved"), pool }),
  z.object({ why: z.literal("key_elsewhere"), cell: z.number().int() }),
]);
