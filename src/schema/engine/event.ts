// Events: messages that clients and other executions send to an execution. The result events of runs have the same
// shape.
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
 * Returns true for the types of run results and of an execution's own events. If clients or other executions could send
 * them, they could forge a result.
 */
export function isReserved(type: string): boolean {
  return type.startsWith("action.") || type.startsWith("execution.");
}

/** Returns true for events of children and tasks. Executions trust their content, so only the engine may send them. */
export function isEngineEvent(type: string): boolean {
  return type.startsWith("child_") || type.startsWith("task_");
}

/** Returns true for the types of events with which providers and devices report about messages (docs/reference/callbacks.md). */
export function isReportEvent(type: string): boolean {
  return /^(?:email|sms|push|envelope)_/.test(type);
}

/** An event type that clients, and actions of other executions, may send. */
export const clientEventType = eventType.refine((type) => !isEngineEvent(type), {
  message: "must not begin with child_ or task_: only the engine sends these events",
});

/**
 * The type of a published event. All reserved types are refused, because the event may reach executions of many
 * definitions.
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
