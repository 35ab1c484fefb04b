// An event: a message that comes in from outside. Inside, result events of runners have the same shape.
import { z } from "zod";
import { json } from "../json.ts";
import { limits } from "../limits.ts";

export const eventType = z
  .string()
  .min(1)
  .max(limits.idLengthMax)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.:-]*$/, { message: "letters, digits, and . _ : - after the first" })
  .refine((type) => !type.startsWith("xstate."), { message: "names beginning with xstate. are the engine's own" });

export const eventMessage = z.strictObject({
  id: z.string().min(1).max(limits.idLengthMax),
  type: eventType,
  payload: json,
  source: z.string().max(200),
  correlationId: z.string().max(200).nullable(),
});
export type EventMessage = z.infer<typeof eventMessage>;
