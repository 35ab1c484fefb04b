// Installation: the Worker's queues, their batch sizes, and the Worker's bindings.

/** The depth of a queue. The platform reports it some seconds late. */
export type Backlog = {
  readonly messages: number;
  readonly bytes: number;
  /**
   * When the oldest message was sent, in epoch ms. Null if the queue is empty, or if the platform does not report it.
   */
  readonly oldestAt: number | null;
};

export type Installation = {
  /** Returns the depth of each queue in `actionQueues`, in the same order. */
  readonly backlogs: () => Promise<readonly Backlog[]>;
  /** The base URL at which clients reach this Worker, without a trailing slash. Null if the deployment names none. */
  readonly publicUrl: string | null;
  /** Returns the names of the bindings that the Worker requires but does not have. */
  readonly missingBindings: () => readonly string[];
};

/** The Worker's name in wrangler.toml. It identifies the Worker as the consumer of its queues. */
export const CONSUMER = "escapement";

/** The settings of an action queue. A test compares them with wrangler.toml. */
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
