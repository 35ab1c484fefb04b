// Outbox of an execution: its messages to other objects and to the catalog. A message stays in the state, and is sent
// again with growing gaps, until its recipient confirms it. A recipient may receive it twice.
import type { TaskUpdateResult } from "./own-task.ts";
import type { ChildRequestResult } from "./child.ts";

export const outboxKinds = [
  /** To the parent that waits: the execution has ended. */
  "child_ended",
  /** To the list of tasks: withdraw, remind of or escalate a task. */
  "task_update",
  /** To a child: cancel it, or check whether it has ended. */
  "child_request",
  /** To the tenant's directory: register the execution under its correlation key. */
  "correlation_key",
  /** To the subject's object: the execution has ended. */
  "subject_ended",
] as const;
export type OutboxKind = (typeof outboxKinds)[number];

/** `key`: what the message is about. A confirmation of another key changes nothing. */
export type OutboxRef = { readonly kind: OutboxKind; readonly key: string };

export type OutboxMessage = OutboxRef & {
  readonly sentAt: number;
  /** How often it was sent: 0 until the end of the step that adds it. */
  readonly tries: number;
};

type Confirms<Kind extends OutboxKind, Result> = { readonly kind: Kind; readonly key: string } & Result;

/** A recipient received the message, or the consumer handled it: with the result. */
export type Confirmation =
  | Confirms<"child_ended", ParentAnswer>
  | Confirms<"task_update", TaskUpdateResult>
  | Confirms<"child_request", ChildRequestResult>
  | Confirms<"correlation_key" | "subject_ended", unknown>;

/** `refused`: why the parent did not accept the event. `took`: the parent's states after it handled the event. */
export type ParentAnswer = { readonly refused: string | null; readonly took?: string };
