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
  /** Its timeout, where that is too long for the queue that short actions travel by. */
  timeoutMs: z.number().optional(),
});
export type ActionMessage = z.infer<typeof actionMessage>;

/** It travels by the queue for slow ones. */
export function isSlow({ timeoutMs }: ActionMessage): boolean {
  return timeoutMs !== undefined;
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
