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

/** What the engine tells executions: how their children and their tasks have ended, and what has become of tasks that are open. */
export const toldEvents = [
  ...["child_completed", "child_failed", "child_canceled"],
  ...["task_completed", "task_canceled", "task_reminder", "task_escalated"],
];

/** What only the engine says: results of runs, and news of the execution itself. From outside it would be forged. */
export function isReserved(type: string): boolean {
  return type.startsWith("action.") || type.startsWith("execution.");
}

/** Whoever hears of one believes that it was the engine who said it. */
export function isTold(type: string): boolean {
  return type.startsWith("child_") || type.startsWith("task_");
}

/** An event as a caller, or an action of another execution, may send it. */
export const sentType = eventType.refine((type) => !isTold(type), {
  message: "names beginning with child_ or task_ tell of children and tasks: only the engine sends them",
});

/** One that is posted for whom it concerns: nobody is asked first whether the engine alone may send it. */
export const postedType = sentType.refine((type) => !isReserved(type), {
  message: "names beginning with action. or execution. report what the engine did: only the engine sends them",
});

export const eventMessage = z.strictObject({
  id: z.string().min(1).max(limits.idLengthMax),
  type: eventType,
  payload: json,
  source: z.string().max(200),
  correlationId: z.string().max(200).nullable(),
});
export type EventMessage = z.infer<typeof eventMessage>;
