// Which attempts come to what, where only shares are assumed: evenly spread, so that of very many exactly so many fail, and
// the same question has the same answer. Firsts and each of the later attempts are counted apart.
import type { AssumedOutcome } from "#schema/virtual/assumptions.ts";
import type { Shares } from "#schema/virtual/forecast.ts";

export type ShareOut = (action: string, attempt: number) => AssumedOutcome | null;

/** Opened once a forecast: what was shared out before decides who is next. null: as it is assumed without shares. */
export function openShares(shares: Shares): ShareOut {
  const seen = new Map<string, number>();
  return (action, attempt) => {
    const written = Object.hasOwn(shares, action) ? shares[action] : shares["*"];
    if (written === undefined) return null;
    const key = JSON.stringify([action, attempt]);
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    // Where in [0, 1) this one falls: by the golden section each next one lies where there is most room.
    const place = (HALF + before * GOLDEN) % 1;
    let upTo = 0;
    for (const { share, outcome } of written) {
      upTo += share;
      if (place < upTo) return outcome;
    }
    return null;
  };
}

const HALF = 0.5;
const GOLDEN = (Math.sqrt(5) - 1) / 2;
