// Children: one execution starts another or sends it an event. Types of the runners' requests, and of the records that
// parent and child store of each other.
import type { Actor } from "./input.ts";
import type { Json, JsonObject } from "../json.ts";
import type { ActionError } from "./outcome.ts";

/** The execution that started this execution, as the child stores it. */
export type Parent = {
  readonly execution: string;
  readonly run: string;
  readonly action: string;
  /** Creation time of the parent. A later execution with the same id does not wait for this child. */
  readonly incarnation: number;
  /** False: the parent does not wait for this child's end. */
  readonly waits?: false;
  /** The number of executions above this one that wait for the execution below them. Absent: none. */
  readonly depth?: number;
  /** The number of consecutive starts without waiting that led to this execution. Absent: none. */
  readonly relays?: number;
};

/** The handling of a running child when its parent is canceled, fails or exits. */
export const childPolicies = ["cancel", "leave", "wait"] as const;
export type ChildPolicy = (typeof childPolicies)[number];

/** A child that has not ended, or may not have ended. It is recorded as soon as its run may start it. */
export type OwnChild = {
  readonly run: string;
  readonly action: string;
  readonly onCancel: ChildPolicy;
  /** The child's id; null if it is not known yet, or if the child was never started. */
  readonly execution: string | null;
  /** The deadline of the last attempt that may start the child, in epoch ms. The child cannot start later. */
  readonly startBy: number;
  /** Set while the child is to be canceled: since when, and why. */
  readonly stopping?: { readonly at: number; readonly reason: string };
};

/** Set after an execution has ended, while it waits for children. No other input changes such an execution. */
export type Ending =
  | { readonly as: "canceled"; readonly at: number; readonly reason: string | null; readonly actor: Actor }
  | { readonly as: "failed"; readonly at: number; readonly error: ActionError };

/** An outbox message to a child: cancel, or check whether it has ended (`look`). `key` identifies the message. */
export type ChildRequest = {
  readonly key: string;
  readonly kind: "cancel" | "look";
  readonly run: string;
  readonly execution: string | null;
  readonly reason: string;
};

/**
 * canceled: the child accepted the cancellation. ended: the child had ended before. live: the child is running. none:
 * the child does not exist.
 */
export const childFindings = ["canceled", "ended", "live", "none"] as const;
export type ChildRequestResult = {
  readonly run: string;
  readonly found: (typeof childFindings)[number];
  readonly execution: string | null;
  /** When the child was read, in epoch ms. */
  readonly at: number;
};

export type ChildStartRequest = {
  /** Name, name@version or id of the definition. */
  readonly definition: string;
  readonly variables: JsonObject;
  readonly namespace: string;
  readonly correlationId: string | null;
  /** True: the parent receives an event when the child ends. */
  readonly wait: boolean;
};

export type SendEventRequest = {
  readonly execution: string;
  readonly type: string;
  readonly payload: Json;
  /** The event's id. null: the id is derived from the run that sends the event. */
  readonly eventId: string | null;
};

/** The payload of the event that the parent receives. `variables` is null if they exceed the limit of a payload. */
export type ChildEnd = {
  readonly execution: string;
  readonly status: string;
  readonly run: string;
  readonly actionId: string;
  readonly variables: JsonObject | null;
};

export function childEvent(status: string): string {
  return `child_${status}`;
}

/** The action type of the runner that starts executions. */
export const STARTING_TYPE = "start_execution";

/** Returns the id of the event for the parent. The prefix distinguishes it from ids that senders choose. */
export function childEventId(execution: string): string {
  return `child/${execution}`;
}
