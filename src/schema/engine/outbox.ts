// Outbox of an execution: messages to other objects and to the catalog. A message is sent again with growing gaps until
// its recipient confirms it. A recipient may therefore get the same message twice.
import type { TaskUpdateResult } from "./own-task.ts";
import type { ChildRequestResult } from "./child.ts";

export const outboxKinds = [
  /** To the parent that waits for this execution: the execution has ended. */
  "child_ended",
  /** To the tasks in the catalog: withdraw, remind of or escalate a task. */
  "task_update",
  /** To a child: cancel it, or check whether it has ended. */
  "child_request",
  /** To the tenant's directory: register the execution under its correlation key. */
  "correlation_key",
  /** To the subject's object: the execution has ended. */
  "subject_ended",
] as const;
export type OutboxKind = (typeof outboxKinds)[number];

/** The identity of an outbox message. A confirmation with another key confirms nothing. */
export type OutboxRef = { readonly kind: OutboxKind; readonly key: string };

export type OutboxMessage = OutboxRef & {
  readonly sentAt: number;
  /** How many times the message was sent. 0 during the step that adds the message. */
  readonly tries: number;
};

type Confirms<Kind extends OutboxKind, Result> = { readonly kind: Kind; readonly key: string } & Result;

/** The confirmation of an outbox message, with the result that belongs to the message's kind. */
export type Confirmation =
  | Confirms<"child_ended", ParentAnswer>
  | Confirms<"task_update", TaskUpdateResult>
  | Confirms<"child_request", ChildRequestResult>
  | Confirms<"correlation_key" | "subject_ended", unknown>;

/**
 * The parent's answer. `refused`: why the parent did not accept the event; null if it accepted the event. `took`: the
 * parent's states afterwards.
 */
export type ParentAnswer = { readonly refused: string | null; readonly took?: string };
