// Spreads assumed outcomes evenly over the attempts, so that exactly the assumed share fails. The same request always
// gives the same result. First attempts and later attempts are counted separately.
import type { AssumedOutcome } from "#schema/virtual/assumptions.ts";
import type { Shares } from "#schema/virtual/forecast.ts";

export type OutcomeShares = (action: string, attempt: number) => AssumedOutcome | null;

/**
 * Opens the shares of one forecast. Each outcome depends on the number of earlier ones. The returned function gives
 * null if no shares are assumed for the action.
 */
export function openOutcomeShares(shares: Shares): OutcomeShares {
  const seen = new Map<string, number>();
  return (action, attempt) => {
    const written = Object.hasOwn(shares, action) ? shares[action] : shares["*"];
    if (written === undefined) return null;
    const key = JSON.stringify([action, attempt]);
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    // The position of this attempt in [0, 1). With steps of the golden ratio, each new position divides the largest gap
    // between the earlier ones.
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
