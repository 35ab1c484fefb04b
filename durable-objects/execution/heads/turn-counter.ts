// Turn counter: counts the committed turns of a cell, and up to which turn the catalog has everything. Each head row
// has both numbers, so a new instance of the object can find the executions that may be unprojected.
import type { HeadKey } from "./key-rows.ts";

export type TurnCounter = {
  /** The number of the last committed turn. */
  readonly last: () => number;
  /** Returns the latest turn up to which the catalog has every commit. */
  readonly projected: () => number;
  /** Returns the columns with which the heads of the current turn are written. */
  readonly turnColumns: () => Pick<HeadKey, "turn" | "sent">;
  readonly committed: () => void;
  /** Records that the catalog has every commit up to this turn. */
  readonly markProjected: (turn: number) => void;
  /**
   * Returns the wanted executions of turns that an earlier instance may not have projected. Only the first successful
   * call returns them: if `isWanted` throws, the next call returns them again.
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
    turnColumns: () => ({ turn: last + 1, sent: projected }),
    committed: () => {
      last += 1;
    },
    markProjected: (turn) => {
      projected = Math.max(projected, turn);
    },
    takeUnprojected: (isWanted) => {
      const wanted = unprojected.filter(isWanted);
      unprojected = [];
      return wanted;
    },
  };
}

/** Math.max is not used, because it limits the number of arguments and a cell may have very many executions. */
function highest(keys: readonly HeadKey[], numberOf: (key: HeadKey) => number): number {
  let max = 0;
  for (const key of keys) max = Math.max(max, numberOf(key));
  return max;
}
