// Scale: the durations and counts of a measurement, or of a smoke run that only proves that all workloads work.
export type Scale = {
  readonly seconds: number;
  readonly warmUpMs: number;
  readonly timers: number;
  /**
   * Milliseconds from the first start until all timers are due. By then all are created, and their objects are still in
   * memory.
   */
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
