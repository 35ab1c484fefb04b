// The turns of a cell, counted, and up to which of them the catalog is known to have everything. Both numbers stand in
// every head row, which is how a new life of the object learns what the last one may not have projected.
import type { HeadKey } from "./key-rows.ts";

export type Turns = {
  /** The last one that was committed. */
  readonly last: () => number;
  /** Up to which of them the catalog has everything. */
  readonly projected: () => number;
  /** What the heads of the turn under way are written with. */
  readonly mark: () => Pick<HeadKey, "turn" | "sent">;
  readonly committed: () => void;
  /** The catalog has all that was committed up to that turn. */
  readonly markProjected: (turn: number) => void;
  /** Executions of turns that an earlier life may not have projected. Asked for once; again, if looking at one failed. */
  readonly takeUnprojected: (isWanted: (execution: string) => boolean) => readonly string[];
};

export function openTurns(keys: readonly HeadKey[]): Turns {
  let last = highest(keys, ({ turn }) => turn);
  let projected = highest(keys, ({ sent }) => sent);
  let unprojected: readonly string[] = keys.filter(({ turn }) => turn > projected).map(({ execution }) => execution);
  return {
    last: () => last,
    projected: () => projected,
    mark: () => ({ turn: last + 1, sent: projected }),
    committed: () => {
      last += 1;
    },
    markProjected: (turn) => {
      projected = Math.max(projected, turn);
    },
    takeUnprojected: (isWanted) => {
      const taken = unprojected.filter(isWanted);
      unprojected = [];
      return taken;
    },
  };
}

/** Not Math.max over a spread, which has an argument limit: cells may hold very many executions. */
function highest(keys: readonly HeadKey[], of: (key: HeadKey) => number): number {
  let most = 0;
  for (const key of keys) most = Math.max(most, of(key));
  return most;
}
