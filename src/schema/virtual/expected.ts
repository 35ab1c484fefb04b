// What a virtual run comes to: the actions that are to be expected, in order, and how it ends.
import type { ActionError } from "../engine/outcome.ts";
import type { RunStatus } from "../engine/run.ts";
import type { ExecutionStatus } from "../engine/state.ts";
import type { JsonObject } from "../json.ts";

/**
 * Why it went no further: what lies behind `until` was not looked at, or there was more of it than may be: inputs, work
 * or actions.
 */
export const cuts = ["until", "steps", "work", "actions"] as const;
export type Cut = (typeof cuts)[number];

/**
 * A condition on which a predicted action depends. `of`: the action, the type of an event, the names of variables, or the
 * state that nothing ends first; empty for the execution itself. `as`: how a task or a child ends.
 */
export type Assumption =
  | { readonly kind: "succeeds" | "fails" | "retried" | "archived"; readonly of: string }
  | { readonly kind: "event" | "patched" | "observed" | "desired" | "silence"; readonly of: string }
  | { readonly kind: "paused" | "resumed" | "canceled"; readonly of: "" }
  | { readonly kind: "task" | "child"; readonly of: string; readonly as: "completed" | "canceled" | "failed" };

export type ExpectedAction = {
  readonly run: string;
  /** An action's id, or a node's name. */
  readonly action: string;
  readonly type: string;
  /** The state that it belongs to; null where a transition starts it. */
  readonly place: string | null;
  /** When it first goes out, or is found not to; null while the date that it hangs on is not there. */
  readonly at: number | null;
  /** When it was due, before anything held it. */
  readonly plannedAt: number | null;
  /** What held it between the two: the reason of a hold, `paused`, or `slot`. */
  readonly heldBy: string | null;
  /** Of whose clocks its local time is. */
  readonly timezone: string;
  readonly status: RunStatus;
  /** Why it was skipped or canceled. */
  readonly reason: string | null;
  readonly error: ActionError | null;
  readonly attempts: number;
  readonly endedAt: number | null;
  /** What has to come about for it to be so, the nearest last; none: it follows from the start. */
  readonly assumes: readonly Assumption[];
  /** As it would be sent, secrets as slots; null where it never got so far. */
  readonly config: JsonObject | null;
};

/** Something given that the execution refused. */
export type NotTaken = {
  readonly at: number;
  /** The type of an event, or the verb. */
  readonly what: string;
  /** The how manieth of those given; null: what the engine would have told it. */
  readonly given: number | null;
  readonly code: string;
  readonly message: string;
};

export type VirtualRun = {
  readonly status: ExecutionStatus;
  readonly states: readonly string[];
  readonly variables: JsonObject;
  readonly error: ActionError | null;
  /** In the order in which they go out; undated ones last. */
  readonly actions: readonly ExpectedAction[];
  readonly notTaken: readonly NotTaken[];
  /** What it still listens for. */
  readonly waitsFor: readonly string[];
  /** The last instant at which anything happened. */
  readonly restsAt: number;
  readonly finishedAt: number | null;
  /** null: this is all that ever happens. */
  readonly cut: Cut | null;
};
