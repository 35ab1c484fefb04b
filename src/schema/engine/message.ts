// What travels through the queues. Identities only: no payload, no secret.
import { z } from "zod";

export const actionMessage = z.object({
  v: z.literal(1),
  tenant: z.string(),
  execution: z.string(),
  run: z.string(),
  attempt: z.number().int().min(1),
  priority: z.number(),
});
export type ActionMessage = z.infer<typeof actionMessage>;

/** An execution has ended, and another one waits for that. What it has to say is read where it lives. */
export const signalMessage = z.object({
  v: z.literal(1),
  kind: z.literal("signal"),
  tenant: z.string(),
  execution: z.string(),
  parent: z.string(),
});
export type SignalMessage = z.infer<typeof signalMessage>;
