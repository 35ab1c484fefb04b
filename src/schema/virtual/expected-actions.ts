// Expected actions: the result of a virtual run, which is the list of its actions in order, and its end.
import type { ActionError } from "../engine/outcome.ts";
import type { RunStatus } from "../engine/run.ts";
import type { ExecutionStatus, NodeMark } from "../engine/state.ts";
import type { JsonObject } from "../json.ts";

/**
 * Why the virtual run stopped early. until: it reached this time. steps, work, actions: it reached the maximum of
 * steps, cost units or actions.
 */
export const cuts = ["until", "steps", "work", "actions"] as const;
export type CutReason = (typeof cuts)[number];

/**
 * A condition on which an expected action depends. `of`: an action, an event type, variables, or the state that the
 * execution must not leave; empty for the execution itself. `as`: how a task or child ends.
 */
export type Assumption =
  | { readonly kind: "succeeds" | "fails" | "retried" | "archived"; readonly of: string }
  | { readonly kind: "event" | "patched" | "observed" | "desired" | "silence"; readonly of: string }
  | { readonly kind: "paused" | "resumed" | "canceled"; readonly of: "" }
  | { readonly kind: "task" | "child"; readonly of: string; readonly as: "completed" | "canceled" | "failed" };

export type ExpectedAction = {
  readonly run: string;
  /** The id of the action, or the name of the journey node. */
  readonly action: string;
  /** The index of the item of an `each` node; null for other actions. */
  readonly item: number | null;
  readonly type: string;
  /** The state to which the action belongs. Null if a transition starts the action. */
  readonly place: string | null;
  /** When the action is first sent or skipped, in epoch ms. Null while its date is unknown. */
  readonly at: number | null;
  /** When the action would be due if nothing held it, in epoch ms. */
  readonly plannedAt: number | null;
  /** The cause that holds the action: the reason of a hold, `paused`, or `slot`. Null if nothing holds it. */
  readonly heldBy: string | null;
  /** The time zone in which the action's local time is shown. */
  readonly timezone: string;
  readonly status: RunStatus;
  /** Why the action was skipped or canceled. Null if it was neither. */
  readonly reason: string | null;
  readonly error: ActionError | null;
  readonly attempts: number;
  readonly endedAt: number | null;
  /** The conditions on which the action depends, the nearest last. Empty: the action follows from the start alone. */
  readonly assumes: readonly Assumption[];
  /** The config that would be sent, in which secrets are slots. Null if it was never rendered. */
  readonly config: JsonObject | null;
};

/** An assumed input that the execution refused during the virtual run. */
export type RefusedInput = {
  readonly at: number;
  /** The type of the event, or the verb of the command. */
  readonly what: string;
  /** The index in the list of assumed inputs. Null if the engine itself sent the event. */
  readonly given: number | null;
  readonly code: string;
  readonly message: string;
};

export type VirtualRun = {
  readonly status: ExecutionStatus;
  readonly states: readonly string[];
  /** The marks of a journey's reached nodes; empty for other kinds. */
  readonly nodes: { readonly [name: string]: NodeMark };
  readonly variables: JsonObject;
  readonly error: ActionError | null;
  /** The actions in the order in which they are sent. Actions without a date come last. */
  readonly actions: readonly ExpectedAction[];
  readonly notTaken: readonly RefusedInput[];
  /** The types of events that the execution still accepts. */
  readonly waitsFor: readonly string[];
  /** Whether a failed action waits for an operator's decision, or has waited so long that the journey has failed. */
  readonly waitsForOperator: boolean;
  /** When the last effect occurs, in epoch ms. */
  readonly restsAt: number;
  readonly finishedAt: number | null;
  /** Why the virtual run stopped early. Null: it did not, so the execution would do nothing else. */
  readonly cut: CutReason | null;
};
