// Spreads assumed outcomes evenly over the attempts, so that exactly the assumed share fails. The same question gives
// the same answer. First and later attempts are counted separately.
import type { AssumedOutcome } from "#schema/virtual/assumptions.ts";
import type { Shares } from "#schema/virtual/forecast.ts";

export type OutcomeShares = (action: string, attempt: number) => AssumedOutcome | null;

/**
 * Opens the shares of one forecast, because earlier draws determine the next. The function returns null if no shares
 * are assumed for the action.
 */
export function openOutcomeShares(shares: Shares): OutcomeShares {
  const seen = new Map<string, number>();
  return (action, attempt) => {
    const written = Object.hasOwn(shares, action) ? shares[action] : shares["*"];
    if (written === undefined) return null;
    const key = JSON.stringify([action, attempt]);
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    // The position in [0, 1). Steps of the golden section always fall into the largest gap.
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
