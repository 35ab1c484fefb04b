// When a local queue delivers its next batch. Pure. A batch that ends at once is waited for, so that those behind it go
// together; one that lasts holds nothing up, as it would not when deployed.

export type ConsumerSettings = {
  readonly maxBatchSize: number;
  /** In seconds. */
  readonly maxBatchTimeout: number;
  readonly maxRetries: number;
  readonly deadLetterQueue?: string;
};

export type Backlog = {
  readonly count: number;
  /** When the one that waits longest came. */
  readonly oldestAt: number;
  /** When each batch under way was begun. */
  readonly begun: readonly number[];
};

/** As many as the platform has of each queue. */
const BATCHES_MAX = 250;
/** A batch that has lasted so long holds up no other. */
const LASTS_MS = 250;

/** null: not before something changes. */
export function nextBatchAt({ count, oldestAt, begun }: Backlog, settings: ConsumerSettings): number | null {
  if (count === 0 || begun.length >= BATCHES_MAX) return null;
  const gatheredAt = count >= settings.maxBatchSize ? oldestAt : oldestAt + settings.maxBatchTimeout * 1_000;
  return begun.reduce((at, since) => Math.max(at, since + LASTS_MS), gatheredAt);
}
