// Action queue messages by kind. A message identifies a run or an execution. It contains neither payloads nor secrets.
import { z } from "zod";

/** The message for one attempt of a run. */
const actionMessage = z.object({
  v: z.literal(1),
  kind: z.literal("action"),
  tenant: z.string(),
  execution: z.string(),
  run: z.string(),
  attempt: z.number().int().min(1),
  priority: z.number(),
  /** The action's id in its definition. Absent in messages of 0.9.0. */
  action: z.string().optional(),
  /** The attempt's timeout in ms. Set only if the message belongs in the queue of slow actions. */
  timeoutMs: z.number().optional(),
});
export type ActionMessage = z.infer<typeof actionMessage>;

/** Returns true if the message belongs in the queue of slow actions. */
export function isSlow({ timeoutMs }: ActionMessage): boolean {
  return timeoutMs !== undefined;
}

export type ActionQueue = "short" | "slow";

export function queueOf(message: ActionMessage): ActionQueue {
  return isSlow(message) ? "slow" : "short";
}

/** The message that sends an outbox. Its consumer reads the outbox messages from the execution, and delivers them. */
const outboxQueueMessage = z.object({
  v: z.literal(1),
  kind: z.literal("outbox"),
  tenant: z.string(),
  execution: z.string(),
});
export type OutboxQueueMessage = z.infer<typeof outboxQueueMessage>;

export const queueMessage = z.discriminatedUnion("kind", [actionMessage, outboxQueueMessage]);
export type QueueMessage = z.infer<typeof queueMessage>;
