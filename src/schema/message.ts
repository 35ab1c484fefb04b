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
