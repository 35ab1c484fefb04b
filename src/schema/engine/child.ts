// Children: one execution starts another, or sends it an event: the runners' requests, what a child stores of its
// parent, and what a parent stores of its children.
import type { Actor } from "./input.ts";
import type { Json, JsonObject } from "../json.ts";
import type { ActionError } from "./outcome.ts";

/** The execution that started this one. */
export type Parent = {
  readonly execution: string;
  readonly run: string;
  readonly action: string;
  /** When the parent was created: a later execution with the same id does not wait for this child. */
  readonly incarnation: number;
  /** False: no parent waits for its end. */
  readonly waits?: false;
  /** How many executions above it wait for the one below. Absent: none. */
  readonly depth?: number;
  /** How many starts without waiting led to it in a row. Absent: none. */
  readonly relays?: number;
};

/** What happens to a running child when its parent is canceled, fails or exits. */
export const childPolicies = ["cancel", "leave", "wait"] as const;
export type ChildPolicy = (typeof childPolicies)[number];

/** A child that has not ended, or may not have; recorded from the moment its run may start it. */
export type OwnChild = {
  readonly run: string;
  readonly action: string;
  readonly onCancel: ChildPolicy;
  /** null: not known yet, or it was never started. */
  readonly execution: string | null;
  /** The deadline of the last attempt that might start the child: no later attempt can start it. */
  readonly startBy: number;
  /** Since when, and why, the child is to be canceled. */
  readonly stopping?: { readonly at: number; readonly reason: string };
};

/** The execution has ended except for children that it waits for: nothing else happens to it. */
export type Ending =
  | { readonly as: "canceled"; readonly at: number; readonly reason: string | null; readonly actor: Actor }
  | { readonly as: "failed"; readonly at: number; readonly error: ActionError };

/** Cancel the child, or check whether it has ended. `key` identifies the request in the outbox. */
export type ChildRequest = {
  readonly key: string;
  readonly kind: "cancel" | "look";
  readonly run: string;
  readonly execution: string | null;
  readonly reason: string;
};

/** canceled: the child accepted the cancellation. ended: it had ended before. live: it is running. none: there is no such child. */
export const childFindings = ["canceled", "ended", "live", "none"] as const;
export type ChildRequestResult = {
  readonly run: string;
  readonly found: (typeof childFindings)[number];
  readonly execution: string | null;
  /** When the child was read. */
  readonly at: number;
};

export type StartAsk = {
  /** Name, name@version or id. */
  readonly definition: string;
  readonly variables: JsonObject;
  readonly namespace: string;
  readonly correlationId: string | null;
  /** True: the parent receives the child's end. */
  readonly wait: boolean;
};

export type SendAsk = {
  readonly execution: string;
  readonly type: string;
  readonly payload: Json;
  /** null: the event's id is derived from the run that sends it. */
  readonly eventId: string | null;
};

/** The event for the parent; `variables` is null if they exceed an event's limit. */
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

/** The type of the runner that starts executions. */
export const STARTING_TYPE = "start_execution";

/** The prefix distinguishes it from ids that senders choose. */
export function childEventId(execution: string): string {
  return `child/${execution}`;
}
