// One execution starting another, or sending it an event: what runners ask for, what a child keeps of its parent, and what
// a parent keeps of its children.
import type { Actor } from "./input.ts";
import type { Json, JsonObject } from "../json.ts";
import type { ActionError } from "./outcome.ts";

/** Who started this execution. */
export type Parent = {
  readonly execution: string;
  readonly run: string;
  readonly action: string;
  /** When the parent was created: a later execution with the same id does not wait for this child. */
  readonly incarnation: number;
  /** False: nobody waits for this one's end. */
  readonly waits?: false;
  /** How many executions above it wait for the one below. Absent: none. */
  readonly depth?: number;
  /** So many have started the next one, one after another, without waiting. Absent: none. */
  readonly relays?: number;
};

/** What becomes of a child when its parent is canceled, fails or is left by an exit while the child is at work. */
export const childPolicies = ["cancel", "leave", "wait"] as const;
export type ChildPolicy = (typeof childPolicies)[number];

/** A child that has not ended, or of which that is not known; known from the moment its run may start it. */
export type OwnChild = {
  readonly run: string;
  readonly action: string;
  readonly onCancel: ChildPolicy;
  /** null: whether there is one is not known yet, or never will be. */
  readonly execution: string | null;
  /** Nobody starts it after that: the deadline of the last attempt that might. */
  readonly startBy: number;
  /** It is to be canceled: since when, and why. */
  readonly stopping?: { readonly at: number; readonly reason: string };
};

/** It is over but for children that are waited for: nothing else happens to it any more. */
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
  /** True: the execution that asks wants to hear of the other's end. */
  readonly wait: boolean;
};

export type SendAsk = {
  readonly execution: string;
  readonly type: string;
  readonly payload: Json;
  /** null: the event's id follows from the run that sends it. */
  readonly eventId: string | null;
};

/** What a parent hears; `variables` is null where they are too large for an event. */
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

/** What the runner that starts executions is called. */
export const STARTING_TYPE = "start_execution";

/** Told from the ids that senders choose by its beginning. */
export function childEventId(execution: string): string {
  return `child/${execution}`;
}
