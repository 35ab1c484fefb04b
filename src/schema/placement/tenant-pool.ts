// A tenant's pool: over how many cells what it starts is spread just now, and over how many it ever was. And what its
// cells ask each other, so that a key keeps to what it began first, wherever that lives.
import { z } from "zod";

/** Layers of cells are called by how many they are: 1, 2, 4 … 64. */
export type Pool = {
  /** Counts the changes: of two cells that a key may lead to, the one of the later epoch is right. */
  readonly epoch: number;
  /** The layer that new executions go to. */
  readonly size: number;
  /** Every layer that was ever used, this one included. */
  readonly layers: readonly number[];
};

/** From a cell that new keys lead to now, to one that they may have led to before. */
export type SupersedeAsk = {
  /** The number of the one that asks. */
  readonly cell: number;
  readonly pool: Pool;
  /** Where the page before ended; null: from the beginning. */
  readonly after: string | null;
};

export type Superseded =
  /** Nothing new begins there from now on under keys of this epoch or one before; these are there already. */
  | { readonly kind: "taken"; readonly keys: readonly string[]; readonly after: string | null }
  /** The asked one is of the later epoch. */
  | { readonly kind: "stale"; readonly pool: Pool };

/** Whether what a start would repeat is there. */
export type HoldsAsk = {
  /** As its id would be there. */
  readonly execution: string;
  readonly inputId: string;
};

/** What cells of one pool ask each other. */
export type PoolCell = { supersede(ask: SupersedeAsk): Promise<Superseded>; holds(ask: HoldsAsk): Promise<boolean> };

/** What a cell has seen of its load. */
export type PoolReport = { readonly epoch: number; readonly startsPerS: number; readonly bytes: number };

const pool = z.object({ epoch: z.number().int(), size: z.number().int(), layers: z.array(z.number().int()) });

/** What is in the details of a refusal that says: ask elsewhere. */
export const poolMove = z.discriminatedUnion("why", [
  z.object({ why: z.literal("pool_moved"), pool }),
  z.object({ why: z.literal("key_elsewhere"), cell: z.number().int() }),
]);
