// Installation: the queues of the Worker, their batch sizes, and the Worker's bindings.

/** The number of messages in a queue, as the platform reports it some seconds late. */
export type Backlog = {
  readonly messages: number;
  readonly bytes: number;
  /** When the oldest message was sent, in epoch ms; null if the queue is empty, or the platform does not report it. */
  readonly oldestAt: number | null;
};

export type Installation = {
  /** Returns the depth of each queue in `actionQueues`, in the same order. */
  readonly backlogs: () => Promise<readonly Backlog[]>;
  /** Returns the names of the required bindings that the Worker lacks. */
  readonly missingBindings: () => readonly string[];
};

/** The Worker's name in wrangler.toml, which identifies the consumer of the queues. */
export const CONSUMER = "escapement";

/** The settings of an action queue. A test compares these values with wrangler.toml. */
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
