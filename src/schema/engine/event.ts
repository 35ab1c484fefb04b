// Events: messages to executions from clients and from other executions. A runner's result events have the same shape.
import { z } from "zod";
import { json } from "../json.ts";
import { ID_CHARS_MAX } from "../limits/api-requests.ts";

export const eventType = z
  .string()
  .min(1)
  .max(ID_CHARS_MAX)
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.:-]*$/, {
    message: "must begin with a letter or digit and contain only letters, digits, . _ : and -",
  })
  .refine((type) => !type.startsWith("xstate."), {
    message: "must not begin with xstate., which is reserved for the engine",
  });

/** Event types that the engine sends to executions: ends of children and tasks, and updates of open tasks. */
export const engineEvents = [
  ...["child_completed", "child_failed", "child_canceled"],
  ...["task_completed", "task_canceled", "task_reminder", "task_escalated"],
];

/**
 * Returns true for the types of run results and of the execution's own events. A client or another execution that sends
 * such an event would forge a result.
 */
export function isReserved(type: string): boolean {
  return type.startsWith("action.") || type.startsWith("execution.");
}

/**
 * Returns true for events of children and tasks. Only the engine may send these events, because executions trust their
 * content.
 */
export function isEngineEvent(type: string): boolean {
  return type.startsWith("child_") || type.startsWith("task_");
}

/** An event type that a client may send, or an action of another execution. */
export const clientEventType = eventType.refine((type) => !isEngineEvent(type), {
  message: "must not begin with child_ or task_: only the engine sends these events",
});

/**
 * The type of a published event. Its recipients have different definitions, so all reserved types are refused without
 * checking a definition.
 */
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
