// Success rate: the share of due runs that succeeded. Every metric uses this definition.

type Counted = { readonly total: number; readonly successful: number; readonly refused: number };

/**
 * Returns the success rate, or 1 if no run was due. Runs whose config was refused do not count, because the client
 * caused the failure.
 */
export function successRate({ total, successful, refused }: Counted): number {
  const due = total - refused;
  // The rate is rounded down to four places, because rounding up to 1 would hide a failure.
  return due <= 0 ? 1 : Math.floor((successful / due) * 10_000) / 10_000;
}
