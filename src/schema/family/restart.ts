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
  /** When the earlier execution received the result, in epoch ms. */
  readonly at: number;
  readonly result: Json;
  readonly events: Extract<Outcome, { ok: true }>["events"];
  /** The index of the list item, for a repeated node. */
  readonly index?: number;
  /** The event about the end of the task or child that the run had created; absent if the run created none. */
  readonly heard?: { readonly type: string; readonly payload: JsonObject; readonly source: string };
};

/** Which results are not reused: none, all, or the named actions or nodes. */
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

/** The restart as the new execution stores it. `made`: the results that the new execution has not reused yet. */
export type RestartOf = Omit<Restart, "position" | "reason">;

/**
 * Why a result is not reused. repeat_asked: the client requested a repeat. before: it precedes the restart point.
 * not_known: it is unknown whether the run took effect. not_answered: its task or child had not ended. scheduled: the
 * next occurrence has its own run. reconciler: rules decide again from the observation.
 */
export const repeatReasons = [
  ...(["repeat_asked", "before", "not_known", "not_answered", "scheduled", "reconciler"] as const),
];
export type RepeatReason = (typeof repeatReasons)[number];

/**
 * A result that the answer to a restart lists. `because`: why it is not reused; null if it is reused when the new
 * execution reaches its node or state.
 */
export type ListedResult = ReusableResult & { readonly isKnown: boolean; readonly because: RepeatReason | null };
