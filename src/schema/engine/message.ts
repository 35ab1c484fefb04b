// Action queue messages, distinguished by kind. Ids only: no payload, no secret.
import { z } from "zod";

/** An attempt to execute. */
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
  /** The attempt's timeout, if that or its action's recent attempts are too long for the queue of short actions. */
  timeoutMs: z.number().optional(),
});
export type ActionMessage = z.infer<typeof actionMessage>;

/** Whether the message uses the queue for slow actions. */
export function isSlow({ timeoutMs }: ActionMessage): boolean {
  return timeoutMs !== undefined;
}

export type ActionQueue = "short" | "slow";

export function queueOf(message: ActionMessage): ActionQueue {
  return isSlow(message) ? "slow" : "short";
}

/** The execution's outbox has messages to deliver. The consumer reads them from the execution. */
const outboxQueueMessage = z.object({
  v: z.literal(1),
  kind: z.literal("outbox"),
  tenant: z.string(),
  execution: z.string(),
});
export type OutboxQueueMessage = z.infer<typeof outboxQueueMessage>;

export const queueMessage = z.discriminatedUnion("kind", [actionMessage, outboxQueueMessage]);
export type QueueMessage = z.infer<typeof queueMessage>;
