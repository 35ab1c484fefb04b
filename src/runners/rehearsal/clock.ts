// Virtual clock: advances only on request, so a rehearsal never waits, and its deadlines still pass.

type Timer = { readonly at: number; readonly act: () => void };

export type RehearsalClock = {
  readonly now: () => number;
  readonly set: (at: number) => void;
  /** Calls back after this many milliseconds; the returned function cancels that. */
  readonly later: (ms: number, act: () => void) => () => void;
  /** Advances, with everything due on the way; stops once `isOver` returns true. */
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
    later: (ms, act) => {
      const timer = { at: now + ms, act };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    pass: (ms, isOver = () => false) => {
      const end = now + ms;
      for (let timer = nextUntil(end); timer !== undefined; timer = nextUntil(end)) {
        timers.delete(timer);
        now = Math.max(now, timer.at);
        timer.act();
        if (isOver()) return;
      }
      now = end;
    },
  };
}
