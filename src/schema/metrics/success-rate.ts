// How reliably what was due was done: one figure with one meaning, wherever it is shown.

type Counted = { readonly total: number; readonly successful: number; readonly refused: number };

/**
 * Finished well of all that were due, rounded down to four places; 1 where there was nothing. What was refused for its
 * config is a mistake of whoever wrote it, and says nothing of how reliably the rest was done.
 */
export function successRate({ total, successful, refused }: Counted): number {
  const due = total - refused;
  // Rounded up, what is said to be whole would hide the one that failed.
  return due <= 0 ? 1 : Math.floor((successful / due) * 10_000) / 10_000;
}
