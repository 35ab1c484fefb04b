// A clock that only goes when it is told to: a rehearsal waits for nobody, and its deadlines pass all the same.

type Timer = { readonly at: number; readonly act: () => void };

export type RehearsalClock = {
  readonly now: () => number;
  readonly set: (at: number) => void;
  /** Calls after so many milliseconds; what it returns takes that back. */
  readonly later: (ms: number, act: () => void) => () => void;
  /** Lets time pass, with all that comes due on the way; stops there once `isOver` says so. */
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
