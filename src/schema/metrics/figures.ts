// Figures: what is derived from the counters of runs.

/** In ms; null without values. The percentiles are within 2.2 % of the exact values. */
export type Durations = {
  readonly count: number;
  readonly average: number | null;
  readonly min: number | null;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly max: number | null;
};

/** One type and code of errors. attempts: the attempts that failed so. failures: the runs that failed permanently so. */
export type ErrorCount = {
  readonly type: string;
  readonly code: string | null;
  readonly attempts: number;
  readonly failures: number;
};

export type Figures = {
  /** The ends of runs. A run that ended again after a redrive is counted again. */
  readonly outcomes: {
    readonly ok: number;
    readonly failed: number;
    readonly refused: number;
    readonly canceled: number;
    readonly skipped: number;
    readonly expired: number;
  };
  /** The ends with a result: ok, failed and refused. */
  readonly total: number;
  readonly successRate: number | null;
  readonly errorRate: number | null;
  readonly attempts: number;
  readonly timeouts: number;
  readonly timeoutRate: number | null;
  /** The runs with more than one attempt; the rates count the runs with an attempt. */
  readonly retried: number;
  readonly retryRate: number | null;
  readonly averageRetries: number | null;
  readonly latency: Durations;
  readonly startDelay: Durations;
  readonly cost: number;
  readonly costPerRun: number | null;
  /** New dead letters, and those that were retried. */
  readonly deadLetters: number;
  readonly redriven: number;
  /** The error mix, the most frequent first. `*` represents rare types and codes. */
  readonly errors: readonly ErrorCount[];
};
