// Success rate: how reliably due work was done, with one meaning everywhere.

type Counted = { readonly total: number; readonly successful: number; readonly refused: number };

/**
 * Successes over due runs, rounded down to four places; 1 if nothing was due. Runs refused for their config are the
 * client's mistake, and do not count.
 */
export function successRate({ total, successful, refused }: Counted): number {
  const due = total - refused;
  // Rounding up to 1 would hide a failure.
  return due <= 0 ? 1 : Math.floor((successful / due) * 10_000) / 10_000;
}
