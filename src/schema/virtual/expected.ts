// Expected actions: the result of a virtual run: the actions in order, and how it ends.
import type { ActionError } from "../engine/outcome.ts";
import type { RunStatus } from "../engine/run.ts";
import type { ExecutionStatus } from "../engine/state.ts";
import type { JsonObject } from "../json.ts";

/** Why it went no further: `until` was reached, or a maximum of inputs, cost or actions. */
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
  /** The action's state; null if a transition starts the action. */
  readonly place: string | null;
  /** When it is first sent, or decided not to be; null while its date is unknown. */
  readonly at: number | null;
  /** When it was due, before any hold. */
  readonly plannedAt: number | null;
  /** What held it in between: the reason of a hold, `paused`, or `slot`. */
  readonly heldBy: string | null;
  /** The time zone of its local time. */
  readonly timezone: string;
  readonly status: RunStatus;
  /** Why it was skipped or canceled. */
  readonly reason: string | null;
  readonly error: ActionError | null;
  readonly attempts: number;
  readonly endedAt: number | null;
  /** The conditions for it, the nearest last; empty: it follows from the start. */
  readonly assumes: readonly Assumption[];
  /** The config as it would be sent, with secrets as slots; null if it was never rendered. */
  readonly config: JsonObject | null;
};

/** A given input that the execution refused. */
export type RefusedInput = {
  readonly at: number;
  /** The type of an event, or the verb. */
  readonly what: string;
  /** The event's index in the given list; null: the engine's own event. */
  readonly given: number | null;
  readonly code: string;
  readonly message: string;
};

export type VirtualRun = {
  readonly status: ExecutionStatus;
  readonly states: readonly string[];
  readonly variables: JsonObject;
  readonly error: ActionError | null;
  /** Actions in the order of sending; undated actions last. */
  readonly actions: readonly ExpectedAction[];
  readonly notTaken: readonly RefusedInput[];
  /** The events it still accepts. */
  readonly waitsFor: readonly string[];
  /** The last instant with an effect. */
  readonly restsAt: number;
  readonly finishedAt: number | null;
  /** null: nothing else ever happens. */
  readonly cut: Cut | null;
};
