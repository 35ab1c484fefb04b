// Installation: what the Worker finds in its environment: its queues, their batch sizes, and its bindings.

/** A queue's depth, as the platform counts it; a moment behind. */
export type Backlog = {
  readonly messages: number;
  readonly bytes: number;
  /** When the oldest of them was sent; null if the queue is empty, or the platform does not report it. */
  readonly oldestAt: number | null;
};

export type Installation = {
  /** Of the queues in `actionQueues`, in their order. */
  readonly backlogs: () => Promise<readonly Backlog[]>;
  /** Required bindings that are missing. */
  readonly missingBindings: () => readonly string[];
};

/** The Worker's name in wrangler.toml, under which the platform knows the consumer of its queues. */
export const CONSUMER = "escapement";

/** The settings in wrangler.toml of each queue for actions; a test compares the two. */
export type QueueSettings = {
  readonly queue: string;
  readonly batchSize: number;
  readonly batchTimeoutS: number;
  readonly retriesMax: number;
  readonly deadLetterQueue: string;
};

const settings = { batchSize: 100, batchTimeoutS: 0, retriesMax: 10, deadLetterQueue: "escapement-actions-dead" };
export const actionQueues: readonly [QueueSettings, ...QueueSettings[]] = [
  { queue: "escapement-actions", ...settings },
  { queue: "escapement-actions-slow", ...settings },
];
