// How much of everything: to measure, or to prove in some seconds that it all works.
export type Scale = {
  readonly seconds: number;
  readonly warmUpMs: number;
  readonly timers: number;
  /** From when the first of them is made to when all are due: they are awake still, and all have been made. */
  readonly timerMs: number;
  readonly burst: number;
  readonly sleepers: number;
  readonly crashed: number;
  readonly recurring: number;
};

export const FULL: Scale = {
  seconds: 5,
  warmUpMs: 1_500,
  timers: 1_000,
  timerMs: 8_000,
  burst: 5_000,
  sleepers: 1_000,
  crashed: 600,
  recurring: 10_000,
};
export const QUICK: Scale = {
  seconds: 0.5,
  warmUpMs: 300,
  timers: 50,
  timerMs: 1_500,
  burst: 200,
  sleepers: 100,
  crashed: 60,
  recurring: 50,
};
