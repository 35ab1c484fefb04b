// Expected actions: the result of a virtual run, with its actions in order and its end.
import type { ActionError } from "../engine/outcome.ts";
import type { RunStatus } from "../engine/run.ts";
import type { ExecutionStatus } from "../engine/state.ts";
import type { JsonObject } from "../json.ts";

/** Why the virtual run stopped early: it reached the time `until`, or a maximum of steps, cost units or actions. */
export const cuts = ["until", "steps", "work", "actions"] as const;
export type CutReason = (typeof cuts)[number];

/**
 * A condition on which an expected action depends. `of`: the action, event type, variables, or the state that the
 * execution must not leave; empty for the execution itself. `as`: how a task or child ends.
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
  /** When the action is first sent, or skipped, in epoch ms; null while its date is unknown. */
  readonly at: number | null;
  /** When the action would be due if nothing held it, in epoch ms. */
  readonly plannedAt: number | null;
  /** The cause of the hold: the reason of a hold, `paused`, or `slot`; null without one. */
  readonly heldBy: string | null;
  /** The time zone in which the action's local time is shown. */
  readonly timezone: string;
  readonly status: RunStatus;
  /** Why the action was skipped or canceled; null if it was not. */
  readonly reason: string | null;
  readonly error: ActionError | null;
  readonly attempts: number;
  readonly endedAt: number | null;
  /**
   * The conditions of the action, the nearest last. Empty: the action follows from the start without further
   * conditions.
   */
  readonly assumes: readonly Assumption[];
  /** The config as it would be sent, with secrets as slots; null if it was never rendered. */
  readonly config: JsonObject | null;
};

/** An assumed input that the execution refused during the virtual run. */
export type RefusedInput = {
  readonly at: number;
  /** The type of an event, or the verb. */
  readonly what: string;
  /** The index in the list of assumed inputs; null for an event of the engine. */
  readonly given: number | null;
  readonly code: string;
  readonly message: string;
};

export type VirtualRun = {
  readonly status: ExecutionStatus;
  readonly states: readonly string[];
  readonly variables: JsonObject;
  readonly error: ActionError | null;
  /** The actions in the order of sending. Actions without a date are last. */
  readonly actions: readonly ExpectedAction[];
  readonly notTaken: readonly RefusedInput[];
  /** The types of events that the execution still accepts. */
  readonly waitsFor: readonly string[];
  /** The instant of the last effect, in epoch ms. */
  readonly restsAt: number;
  readonly finishedAt: number | null;
  /** Why the virtual run stopped early; null: the execution would do nothing else. */
  readonly cut: CutReason | null;
};
