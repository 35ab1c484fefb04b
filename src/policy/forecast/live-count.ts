// Live executions of a forecast: counts how many are live at the same time. The simulation plays an execution up to its
// next attempt at once, so the order in which executions begin and end in it says nothing about their times.

type LiveSpan = { readonly startAt: number; readonly endAt: number };

export function openLiveCount() {
  const spans: LiveSpan[] = [];
  return {
    /** `endAt`: null if the execution had not ended when the forecast ended. */
    add: (startAt: number, endAt: number | null): void => {
      // An execution that ends at its start is live for the shortest time.
      spans.push({ startAt, endAt: Math.max(endAt ?? Infinity, startAt + 1) });
    },
    max: () => maxLive(spans),
  };
}

/** An execution that starts when another one ends is not live beside it. */
function maxLive(spans: readonly LiveSpan[]): number {
  const starts = spans.map(({ startAt }) => startAt).toSorted((a, b) => a - b);
  const ends = spans.map(({ endAt }) => endAt).toSorted((a, b) => a - b);
  let ended = 0;
  let max = 0;
  for (const [started, startAt] of starts.entries()) {
    while (Number(ends[ended]) <= startAt) ended += 1;
    max = Math.max(max, started + 1 - ended);
  }
  return max;
}
