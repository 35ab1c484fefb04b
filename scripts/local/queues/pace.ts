// Local queue pacing: decides when a local queue delivers its next batch. A short batch delays the next one, so that
// messages gather. A long batch delays nothing, as on the deployed platform. Pure function.

export type ConsumerSettings = {
  readonly maxBatchSize: number;
  /** In seconds. */
  readonly maxBatchTimeout: number;
  readonly maxRetries: number;
  readonly deadLetterQueue?: string;
};

export type Backlog = {
  readonly count: number;
  /** When the oldest waiting message arrived. */
  readonly oldestAt: number;
  /** When each batch in flight was started. */
  readonly begun: readonly number[];
};

/** The platform's limit of concurrent batches per queue. */
const BATCHES_MAX = 250;
/** A batch in flight delays the next one for at most this long. */
const DELAYS_NEXT_MS_MAX = 250;

/** Null: no batch may start until a message arrives or a batch ends. */
export function nextBatchAt({ count, oldestAt, begun }: Backlog, settings: ConsumerSettings): number | null {
  if (count === 0 || begun.length >= BATCHES_MAX) return null;
  const gatheredAt = count >= settings.maxBatchSize ? oldestAt : oldestAt + settings.maxBatchTimeout * 1_000;
  return begun.reduce((at, since) => Math.max(at, since + DELAYS_NEXT_MS_MAX), gatheredAt);
}
