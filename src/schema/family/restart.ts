// Restarts: an execution that continues another one, at one of its states or nodes, without repeating what that one has
// done.
import type { Json, JsonObject } from "../json.ts";
import type { Outcome } from "../engine/outcome.ts";
import type { Position } from "../engine/state.ts";

/** Where it begins: the path of a state, or the name of a journey's node. */
export type RestartPoint = { readonly state: string } | { readonly node: string };

/** A result of the earlier execution's run, as the new one uses it. */
export type ReusableResult = {
  readonly run: string;
  readonly action: string;
  /** When that was known. */
  readonly at: number;
  readonly result: Json;
  readonly events: Extract<Outcome, { ok: true }>["events"];
  /** The item's index, for a repeated node. */
  readonly index?: number;
  /** The answer of the person or child that it had asked. */
  readonly heard?: { readonly type: string; readonly payload: JsonObject; readonly source: string };
};

/** Which results are repeated; all: everything that is reached. */
export type Repeat = "none" | "all" | readonly string[];

export type Restart = {
  readonly execution: string;
  readonly incarnation: number;
  readonly from: RestartPoint;
  readonly reason: string | null;
  /** The earlier one's position. */
  readonly position: Position;
  readonly made: readonly ReusableResult[];
};

/** As the new one stores it. `made`: results that it has not reached yet. */
export type RestartOf = Omit<Restart, "position" | "reason">;

/**
 * Why a result is not reused. repeat_asked: the client wants it repeated. before: it precedes the place, and is not
 * reached, or belongs to an earlier pass. not_known: whether it was done is unknown. not_answered: its person or child
 * had not answered. scheduled: the next occurrence is another. reconciler: rules evaluate the observation, and decide
 * again.
 */
export const repeatReasons = [
  ...(["repeat_asked", "before", "not_known", "not_answered", "scheduled", "reconciler"] as const),
];
export type RepeatReason = (typeof repeatReasons)[number];

/** null: it is reused when it is reached. */
export type ListedResult = ReusableResult & { readonly isKnown: boolean; readonly because: RepeatReason | null };
