// Virtual clock of rehearsals: advances only when the rehearsal calls it, so that delays and deadlines pass without
// waiting.

type Timer = { readonly at: number; readonly callback: () => void };

export type RehearsalClock = {
  readonly now: () => number;
  readonly set: (at: number) => void;
  /** Starts a timer, and returns a function that cancels it. */
  readonly startTimer: (ms: number, callback: () => void) => () => void;
  /** Advances the clock by `ms` and runs the timers that are due. Stops early when `isOver` returns true. */
  readonly pass: (ms: number, isOver?: () => boolean) => void;
};

export function rehearsalClock(): RehearsalClock {
  let now = 0;
  const timers = new Set<Timer>();
  const nextUntil = (end: number): Timer | undefined =>
    [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
  return {
    now: () => now,
    set: (at) => {
      now = at;
    },
    startTimer: (ms, callback) => {
      const timer = { at: now + ms, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    pass: (ms, isOver = () => false) => {
      const end = now + ms;
      for (let timer = nextUntil(end); timer !== undefined; timer = nextUntil(end)) {
        timers.delete(timer);
        now = Math.max(now, timer.at);
        timer.callback();
        if (isOver()) return;
      }
      now = end;
    },
  };
}
