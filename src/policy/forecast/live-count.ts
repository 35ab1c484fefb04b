// Live executions of a forecast: counts how many are live at the same time. The simulation plays each execution up to
// its next attempt before it turns to another. The order of its steps therefore differs from the order of their
// instants.

type LiveSpan = { readonly startAt: number; readonly endAt: number };

export function openLiveCount() {
  const spans: LiveSpan[] = [];
  return {
    /** `endAt`: null if the execution had not ended when the forecast ended. */
    add: (startAt: number, endAt: number | null): void => {
      // An execution that ends at the instant of its start counts as live for one millisecond.
      spans.push({ startAt, endAt: Math.max(endAt ?? Infinity, startAt + 1) });
    },
    max: () => maxLive(spans),
  };
}

/** If one execution starts at the instant at which another ends, they are not live at the same time. */
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
