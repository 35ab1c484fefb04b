// An execution that goes on where another one was: at a state or a node of it, without repeating what that one has done.
import type { Json, JsonObject } from "../json.ts";
import type { Outcome } from "../engine/outcome.ts";
import type { Position } from "../engine/state.ts";

/** Where it begins: the path of a state, or the name of a journey's node. */
export type Place = { readonly state: string } | { readonly node: string };

/** What a run of the earlier execution has come to, as the new one takes it over. */
export type MadeEffect = {
  readonly run: string;
  readonly action: string;
  /** When that was known. */
  readonly at: number;
  readonly result: Json;
  readonly events: Extract<Outcome, { ok: true }>["events"];
  /** Of which item, where the node is done several times. */
  readonly index?: number;
  /** What the person or the child that it had asked has said to it. */
  readonly heard?: { readonly type: string; readonly payload: JsonObject; readonly source: string };
};

/** Which of what was made is done again; all: everything that is come to. */
export type Repeat = "none" | "all" | readonly string[];

export type Restart = {
  readonly execution: string;
  readonly incarnation: number;
  readonly from: Place;
  readonly reason: string | null;
  /** Where that one stood. */
  readonly position: Position;
  readonly made: readonly MadeEffect[];
};

/** As the new one keeps it. `made`: what it has not come to yet. */
export type RestartOf = Omit<Restart, "position" | "reason">;

/**
 * Why something that was made is not passed over. repeat_asked: whoever restarts it wants it done again. before: it lies before
 * the place, and is not come to, or was done on an earlier round. not_known: nobody knows whether it was made. not_answered: it has
 * asked a person or a child, who had not answered. scheduled: the next occurrence is another. reconciler: rules look at what is
 * observed, and decide anew.
 */
export const repeatReasons = [
  ...(["repeat_asked", "before", "not_known", "not_answered", "scheduled", "reconciler"] as const),
];
export type RepeatReason = (typeof repeatReasons)[number];

/** null: it is passed over where it is come to. */
export type Listed = MadeEffect & { readonly isKnown: boolean; readonly because: RepeatReason | null };
