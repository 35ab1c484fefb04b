// Children: one execution starts another execution or sends it an event. The types are the runners' requests, and the
// records that parent and child store of each other.
import type { Actor } from "./input.ts";
import type { Json, JsonObject } from "../json.ts";
import type { ActionError } from "./outcome.ts";

/** The execution that started this execution, as the child stores it. */
export type Parent = {
  readonly execution: string;
  readonly run: string;
  readonly action: string;
  /**
   * Creation time of the parent. It distinguishes the parent from a later execution with the same id, which does not
   * wait for this child.
   */
  readonly incarnation: number;
  /** False: the parent does not wait for the end of this child. Absent: the parent waits. */
  readonly waits?: false;
  /** The number of ancestors that each wait for the end of the execution below them. Absent: 0. */
  readonly depth?: number;
  /** The number of executions in a row, up to this execution, that were each started without waiting. Absent: 0. */
  readonly relays?: number;
};

/** The handling of a running child when its parent is canceled, fails or exits. */
export const childPolicies = ["cancel", "leave", "wait"] as const;
export type ChildPolicy = (typeof childPolicies)[number];

/**
 * A child that has not ended, as its parent stores it. It is stored as soon as a run may start the child, so the child
 * may not exist.
 */
export type OwnChild = {
  readonly run: string;
  readonly action: string;
  readonly onCancel: ChildPolicy;
  /** The child's id; null if it is not known yet, or if the child was never started. */
  readonly execution: string | null;
  /** The latest time, in epoch ms, at which an attempt can start the child: the deadline of its last attempt. */
  readonly startBy: number;
  /** Since when, and why, the parent is canceling this child; absent if the parent is not canceling it. */
  readonly stopping?: { readonly at: number; readonly reason: string };
};

/** The end of an execution that still waits for its children. No other input changes the execution in this time. */
export type Ending =
  | { readonly as: "canceled"; readonly at: number; readonly reason: string | null; readonly actor: Actor }
  | { readonly as: "failed"; readonly at: number; readonly error: ActionError };

/** An outbox message to a child: cancel it, or check whether it has ended (`look`). `key` identifies the message. */
export type ChildRequest = {
  readonly key: string;
  readonly kind: "cancel" | "look";
  readonly run: string;
  readonly execution: string | null;
  readonly reason: string;
};

/**
 * The child's answer. canceled: it accepted the cancellation. ended: it had ended before. live: it is running. none: it
 * does not exist.
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
  /** True: the parent receives an event at the end of the child. */
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
