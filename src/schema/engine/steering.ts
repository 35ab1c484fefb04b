// An operation over many executions: which are meant, what is asked of each, and when it stops by itself.
import type { ChildPolicy } from "./child.ts";
import type { ExecutionStatus } from "./state.ts";
import type { Json, JsonObject } from "../json.ts";

export const steerVerbs = [
  ...(["pause", "resume", "cancel", "patch", "event", "desire"] as const),
  ...(["retry", "skip", "reschedule", "hold", "release"] as const),
] as const;

/** The same for all of them: no execution's own ids stand in it. */
export type Steer =
  | { readonly verb: "pause" | "resume" }
  | { readonly verb: "cancel"; readonly children?: ChildPolicy }
  | { readonly verb: "patch"; readonly variables: JsonObject }
  | { readonly verb: "event"; readonly type: string; readonly payload: Json; readonly source: string | null }
  | { readonly verb: "desire"; readonly desired: JsonObject; readonly mode: "replace" | "merge" }
  | { readonly verb: "skip"; readonly target: { readonly node: string } | OfAction; readonly result?: Json }
  | { readonly verb: "reschedule"; readonly target: { readonly timer: string } | OfAction; readonly at: number }
  /** Its dead letters that wait for a person; of one action, or (null) of all. */
  | { readonly verb: "retry"; readonly action: string | null }
  | { readonly verb: "hold" | "release"; readonly action: string };

/** Every run of it that the verb is about, whatever its id. */
type OfAction = { readonly action: string };

/** An absent field asks for nothing. Instants are epoch milliseconds. */
export type MeantExecutions = {
  /** A name, or the id of one version. */
  readonly definition?: string | undefined;
  readonly version?: number | undefined;
  readonly namespace?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly subject?: string | undefined;
  readonly trigger?: string | undefined;
  readonly status?: ExecutionStatus | undefined;
  /** A state's path, or a node: those that stand there, or in a state within it. */
  readonly state?: string | undefined;
  readonly createdAfter?: number | undefined;
  readonly createdBefore?: number | undefined;
};

/** What may have changed since lists knew it: asked again of the execution itself, when its turn comes. */
export type StillMeant = Pick<MeantExecutions, "status" | "state">;

/** It stops where a larger share than this has gone wrong, of so many at least. */
export type StopAt = {
  readonly failedShare: number;
  readonly after: number;
  /** Set: those it has dealt with are looked at, too. Whoever has failed since, or stands in one of these, has gone wrong. */
  readonly states?: readonly string[];
};

/**
 * Why it stopped by itself. refused: of those asked, so many said no. unhealthy: of those looked at, so many have gone wrong.
 * away: the provider that it sends to is away again.
 */
export type Stopped = { readonly why: "refused" | "unhealthy" | "away"; readonly failed: number; readonly of: number };

/** One that was found: which life of that id is meant. */
export type FoundExecution = readonly [execution: string, createdAt: number];
export type FoundPage = { readonly found: readonly FoundExecution[]; readonly cursor: string | null };

/** How those fare that have been dealt with, of which some were looked at. */
export type Health = {
  readonly looked: number;
  readonly failed: number;
  /** The provider that it sends to is away. */
  readonly away?: true;
};
