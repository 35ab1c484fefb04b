// Turn counter: counts a cell's turns, and up to which of them the catalog has everything. Both numbers are in every
// head row, so a new instance of the object knows what may be unprojected.
import type { HeadKey } from "./key-rows.ts";

export type TurnCounter = {
  /** The last committed turn. */
  readonly last: () => number;
  /** Up to this turn the catalog has everything. */
  readonly projected: () => number;
  /** The numbers that heads of the current turn are written with. */
  readonly mark: () => Pick<HeadKey, "turn" | "sent">;
  readonly committed: () => void;
  /** The catalog has everything committed up to that turn. */
  readonly markProjected: (turn: number) => void;
  /**
   * Executions of turns that an earlier instance may not have projected. Returned once; again if checking one failed.
   */
  readonly takeUnprojected: (isWanted: (execution: string) => boolean) => readonly string[];
};

export function openTurnCounter(keys: readonly HeadKey[]): TurnCounter {
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
