// Outbox of an execution: its messages to other objects and to the catalog. Each message is sent again with growing
// gaps until its recipient confirms it. So a recipient may get the same message twice.
import type { TaskUpdateResult } from "./own-task.ts";
import type { ChildRequestResult } from "./child.ts";
import type { StartPlaceResult } from "../key-limits/start-place.ts";

export const outboxKinds = [
  /** To the parent that waits for this execution: the execution has ended. */
  "child_ended",
  /** To the catalog's tasks: withdraw a task, remind of it, or escalate it. */
  "task_update",
  /** To a child: cancel it, or check whether it has ended. */
  "child_request",
  /** To the tenant's directory: register the execution under its correlation key. */
  "correlation_key",
  /** To the subject's object: the execution has ended. */
  "subject_ended",
  /** To the limits on starts: ask for the execution's place, or release it after the execution's end. */
  "start_place",
] as const;
export type OutboxKind = (typeof outboxKinds)[number];

/** Identifies an outbox message. A confirmation with another key has no effect. */
export type OutboxRef = { readonly kind: OutboxKind; readonly key: string };

export type OutboxMessage = OutboxRef & {
  readonly sentAt: number;
  /** How many times the message was sent. It is 0 in the step that adds the message. */
  readonly tries: number;
};

type Confirms<Kind extends OutboxKind, Result> = { readonly kind: Kind; readonly key: string } & Result;

/** The confirmation of an outbox message, with a result whose form depends on the kind of the message. */
export type Confirmation =
  | Confirms<"child_ended", ParentAnswer>
  | Confirms<"task_update", TaskUpdateResult>
  | Confirms<"child_request", ChildRequestResult>
  | Confirms<"start_place", StartPlaceResult>
  | Confirms<"correlation_key" | "subject_ended", unknown>;

/**
 * The parent's answer to the end of its child. `refused`: why it did not accept the event; null if it did. `took`: its
 * states afterwards.
 */
export type ParentAnswer = { readonly refused: string | null; readonly took?: string };
