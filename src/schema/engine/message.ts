// What travels through the action queue, told apart by kind. Identities only: no payload, no secret.
import { z } from "zod";

/** An attempt to be carried out. */
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
  /** Its timeout, where that is too long for the queue of short actions, or its recent attempts took too long for it. */
  timeoutMs: z.number().optional(),
});
export type ActionMessage = z.infer<typeof actionMessage>;

/** It travels by the queue for slow ones. */
export function isSlow({ timeoutMs }: ActionMessage): boolean {
  return timeoutMs !== undefined;
}

export type ActionQueue = "short" | "slow";

export function queueOf(message: ActionMessage): ActionQueue {
  return isSlow(message) ? "slow" : "short";
}

/** The execution's outbox holds messages to deliver. The consumer reads them from the execution. */
const outboxQueueMessage = z.object({
  v: z.literal(1),
  kind: z.literal("outbox"),
  tenant: z.string(),
  execution: z.string(),
});
export type OutboxQueueMessage = z.infer<typeof outboxQueueMessage>;

export const queueMessage = z.discriminatedUnion("kind", [actionMessage, outboxQueueMessage]);
export type QueueMessage = z.infer<typeof queueMessage>;
