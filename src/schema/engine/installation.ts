// What an installation is made of, as the Worker finds it: its queues, what they take at a time, and its bindings.

/** How much waits in a queue, as the platform counts it; it is a moment behind. */
export type Backlog = {
  readonly messages: number;
  readonly bytes: number;
  /** When the oldest of them was sent; null where none waits, or the platform does not say. */
  readonly oldestAt: number | null;
};

export type Installation = {
  /** Of the queues in `actionQueues`, in their order. */
  readonly backlogs: () => Promise<readonly Backlog[]>;
  /** What the Worker cannot do without and has not got. */
  readonly missingBindings: () => readonly string[];
};

/** The Worker's name in wrangler.toml, under which the platform knows the consumer of its queues. */
export const CONSUMER = "escapement";

/** What wrangler.toml says of each queue that actions travel by; a test compares the two. */
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
