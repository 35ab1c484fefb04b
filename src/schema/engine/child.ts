// Children: one execution starts another, or sends it an event. Contains the runners' requests, and what parent and
// child store of each other.
import type { Actor } from "./input.ts";
import type { Json, JsonObject } from "../json.ts";
import type { ActionError } from "./outcome.ts";

/** The execution that started this execution, as this execution stores it. */
export type Parent = {
  readonly execution: string;
  readonly run: string;
  readonly action: string;
  /**
   * The parent's creation time. A later execution that reuses the parent's id has another one, and does not wait for
   * this child.
   */
  readonly incarnation: number;
  /** False: the parent does not wait for the end of this child. Absent: it waits. */
  readonly waits?: false;
  /** How many ancestors wait, directly or indirectly, for the end of this execution. Absent: 0. */
  readonly depth?: number;
  /** The length of the chain of starts without waiting that led to this execution. Absent: 0. */
  readonly relays?: number;
};

/** The handling of a running child when its parent is canceled, fails or exits. */
export const childPolicies = ["cancel", "leave", "wait"] as const;
export type ChildPolicy = (typeof childPolicies)[number];

/**
 * A child that has not ended, as its parent stores it. The record exists as soon as a run may start the child, so the
 * child itself may not exist.
 */
export type OwnChild = {
  readonly run: string;
  readonly action: string;
  readonly onCancel: ChildPolicy;
  /** The child's id. Null if it is not known yet, or if the child was never started. */
  readonly execution: string | null;
  /**
   * The latest time, in epoch ms, at which an attempt can start the child. It is the deadline of the run's last
   * attempt.
   */
  readonly startBy: number;
  /** Since when (epoch ms) and why the parent is canceling this child. Absent if it is not. */
  readonly stopping?: { readonly at: number; readonly reason: string };
};

/**
 * Set while an execution has ended except for its children. Until they have ended, no other input changes the
 * execution.
 */
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
 * The child's answer. canceled: it accepted the cancellation. ended: it had already ended. live: it is still running.
 * none: it does not exist.
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
  /** True: the parent gets an event when the child ends. */
  readonly wait: boolean;
};

export type SendEventRequest = {
  readonly execution: string;
  readonly type: string;
  readonly payload: Json;
  /** The event's id. Null: the engine derives an id from the run that sends the event. */
  readonly eventId: string | null;
};

/**
 * The payload of the event that the parent gets when the child ends. `variables` is null if the child's variables
 * exceed the limit of a payload.
 */
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

/** Returns the id of the event for the parent. Its prefix distinguishes it from ids that clients choose. */
export function childEventId(execution: string): string {
  return `child/${execution}`;
}
