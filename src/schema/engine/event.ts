// Events: messages from outside. Result events of runners have the same shape inside.
import { z } from "zod";
import { json } from "../json.ts";
import { ID_CHARS_MAX } from "../limits/api-requests.ts";

export const eventType = z
  .string()
  .min(1)
  .max(ID_CHARS_MAX)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.:-]*$/, { message: "must be letters, digits, and . _ : - after the first" })
  .refine((type) => !type.startsWith("xstate."), { message: "must not begin with xstate., which is for the engine" });

/** The engine's events for executions: the ends of children and tasks, and updates of open tasks. */
export const engineEvents = [
  ...["child_completed", "child_failed", "child_canceled"],
  ...["task_completed", "task_canceled", "task_reminder", "task_escalated"],
];

/** Sent only by the engine: results of runs, and events of the execution itself. From outside it would be forged. */
export function isReserved(type: string): boolean {
  return type.startsWith("action.") || type.startsWith("execution.");
}

/** Executions trust these events, so only the engine may send them. */
export function isEngineEvent(type: string): boolean {
  return type.startsWith("child_") || type.startsWith("task_");
}

/** An event that a client, or another execution's action, may send. */
export const clientEventType = eventType.refine((type) => !isEngineEvent(type), {
  message: "must not begin with child_ or task_: only the engine sends these events",
});

/** A published event: it is never checked against a definition, so all reserved types are refused. */
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
