// Success rate: the share of due runs that succeeded, with the same meaning in every metric.

type Counted = { readonly total: number; readonly successful: number; readonly refused: number };

/**
 * Returns the success rate, rounded down to four places; 1 if no run was due. Runs that were refused because of their
 * config do not count, because they are the client's mistake.
 */
export function successRate({ total, successful, refused }: Counted): number {
  const due = total - refused;
  // The rate is rounded down, because rounding up to 1 would hide a failure.
  return due <= 0 ? 1 : Math.floor((successful / due) * 10_000) / 10_000;
}
