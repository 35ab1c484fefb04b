// Restarts: an execution that continues an earlier one at a state or node, and reuses its results.
import type { Json, JsonObject } from "../json.ts";
import type { Outcome } from "../engine/outcome.ts";
import type { Position } from "../engine/state.ts";

/** Where the execution begins: the path of a state, or the name of a journey's node. */
export type RestartPoint = { readonly state: string } | { readonly node: string };

/** A result of the earlier execution that the new execution may reuse. */
export type ReusableResult = {
  readonly run: string;
  readonly action: string;
  /** When the earlier execution got the result, in epoch ms. */
  readonly at: number;
  readonly result: Json;
  readonly events: Extract<Outcome, { ok: true }>["events"];
  /** For a repeated node: the index of its list item. */
  readonly index?: number;
  /** The event with which the task or child of the run ended. Absent if the run created neither. */
  readonly heard?: { readonly type: string; readonly payload: JsonObject; readonly source: string };
};

/** Which results are not reused: none of them, all of them, or those of the named actions or nodes. */
export type Repeat = "none" | "all" | readonly string[];

export type Restart = {
  readonly execution: string;
  readonly incarnation: number;
  readonly from: RestartPoint;
  readonly reason: string | null;
  /** The position of the earlier execution. */
  readonly position: Position;
  readonly made: readonly ReusableResult[];
};

/**
 * What the new execution stores of its restart. `made`: those results of the earlier execution that it has not reused
 * yet.
 */
export type RestartOf = Omit<Restart, "position" | "reason">;

/**
 * Why a result is not reused. repeat_requested: the client requested a repeat. before: it precedes the restart point.
 * not_known: it is unknown whether the run took effect. not_answered: its task or child had not ended. scheduled: the
 * next occurrence has its own run. reconciler: the rules decide again from the observation.
 */
export const repeatReasons = [
  ...(["repeat_requested", "before", "not_known", "not_answered", "scheduled", "reconciler"] as const),
];
export type RepeatReason = (typeof repeatReasons)[number];

/**
 * A result in the answer to a restart. `because`: why it is not reused. Null if it is reused when the new execution
 * reaches its node or state.
 */
export type ListedResult = ReusableResult & { readonly isKnown: boolean; readonly because: RepeatReason | null };
