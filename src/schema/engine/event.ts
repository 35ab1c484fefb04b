// Events: messages to executions from clients and from other executions. A runner's result events have the same shape.
import { z } from "zod";
import { json } from "../json.ts";
import { ID_CHARS_MAX } from "../limits/api-requests.ts";

export const eventType = z
  .string()
  .min(1)
  .max(ID_CHARS_MAX)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.:-]*$/, { message: "must be a letter or digit, then letters, digits, . _ : or -" })
  .refine((type) => !type.startsWith("xstate."), { message: "must not begin with xstate., which is for the engine" });

/** Event types that the engine sends to executions: ends of children and tasks, and updates of open tasks. */
export const engineEvents = [
  ...["child_completed", "child_failed", "child_canceled"],
  ...["task_completed", "task_canceled", "task_reminder", "task_escalated"],
];

/**
 * Returns true for types of run results and of the execution's own events. From outside such an event would be forged.
 */
export function isReserved(type: string): boolean {
  return type.startsWith("action.") || type.startsWith("execution.");
}

/** Returns true for events of children and tasks. Executions trust these events, so only the engine may send them. */
export function isEngineEvent(type: string): boolean {
  return type.startsWith("child_") || type.startsWith("task_");
}

/** The type of an event that a client or another execution's action may send. */
export const clientEventType = eventType.refine((type) => !isEngineEvent(type), {
  message: "must not begin with child_ or task_: only the engine sends these events",
});

/** The type of a published event. It is never checked against a definition, so all reserved types are refused. */
export const publishedEventType = clientEventType.refine((type) => !isReserved(type), {
  message: "must not begin with action. or execution.: only the engine sends these events",
});

export const eventMessage = z.strictObject({
  id: z.string().min(1).max(ID_CHARS_MAX),
  type: eventType,
  payload: json,
  source: z.string().max(200),
  correlationId: z.string().max(200).nullable(),
});
export type EventMessage = z.infer<typeof eventMessage>;
