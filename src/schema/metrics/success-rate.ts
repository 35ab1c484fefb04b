// Success rate: the share of runs that succeeded, of those that succeeded or failed. Every metric uses this definition.
// A run with an invalid config is refused: it neither succeeded nor failed, because the client caused it.

type Counted = { readonly ok: number; readonly failed: number };

/** Returns the success rate; null if no run succeeded or failed, because the rate is then unknown. */
export function successRate({ ok, failed }: Counted): number | null {
  const due = ok + failed;
  // The rate is rounded down to four places, because rounding up to 1 would hide a failure.
  return due <= 0 ? null : Math.floor((ok / due) * 10_000) / 10_000;
}

/** Returns the share that failed, so that both rates add up to 1; null if the rate is unknown. */
export function errorRate(counted: Counted): number | null {
  const rate = successRate(counted);
  return rate === null ? null : Math.round((1 - rate) * 10_000) / 10_000;
}
