// Operations over many executions: which ones, the verb for each, and when it stops automatically.
import type { ChildPolicy } from "./child.ts";
import type { ExecutionStatus } from "./state.ts";
import type { Json, JsonObject } from "../json.ts";

export const commandVerbs = [
  ...(["pause", "resume", "cancel", "patch", "event", "desire"] as const),
  ...(["retry", "skip", "reschedule", "hold", "release"] as const),
] as const;

/** The same for all of them: it contains no execution's own ids. */
export type ExecutionCommand =
  | { readonly verb: "pause" | "resume" }
  | { readonly verb: "cancel"; readonly children?: ChildPolicy }
  | { readonly verb: "patch"; readonly variables: JsonObject }
  | { readonly verb: "event"; readonly type: string; readonly payload: Json; readonly source: string | null }
  | { readonly verb: "desire"; readonly desired: JsonObject; readonly mode: "replace" | "merge" }
  | { readonly verb: "skip"; readonly target: { readonly node: string } | OfAction; readonly result?: Json }
  | { readonly verb: "reschedule"; readonly target: { readonly timer: string } | OfAction; readonly at: number }
  /** Retries the execution's dead letters that wait for an operator: of one action, or (null) of all. */
  | { readonly verb: "retry"; readonly action: string | null }
  | { readonly verb: "hold" | "release"; readonly action: string };

/** Every run of that action to which the verb applies, whatever its id. */
type OfAction = { readonly action: string };

/** An absent field matches everything. Instants are epoch milliseconds. */
export type ExecutionFilter = {
  /** A name, or the id of one version. */
  readonly definition?: string | undefined;
  readonly version?: number | undefined;
  readonly namespace?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly subject?: string | undefined;
  readonly trigger?: string | undefined;
  readonly status?: ExecutionStatus | undefined;
  /** A state's path, or a node: those in it, or in a state within it. */
  readonly state?: string | undefined;
  readonly createdAfter?: number | undefined;
  readonly createdBefore?: number | undefined;
};

/** Fields that may have changed since the projection: checked again by the execution itself. */
export type RecheckedFilter = Pick<ExecutionFilter, "status" | "state">;

/** The operation stops if more than this share has failed, of a minimum number. */
export type StopCondition = {
  readonly failedShare: number;
  readonly after: number;
  /**
   * Set: processed executions are monitored, too. One that has failed since, or is in one of these states, counts as
   * failed.
   */
  readonly states?: readonly string[];
};

/**
 * Why it stopped automatically. refused: too many of the commands. unhealthy: too many of the monitored executions
 * failed. away: its provider has an outage again.
 */
export type AutomaticStop = {
  readonly why: "refused" | "unhealthy" | "away";
  readonly failed: number;
  readonly of: number;
};

/** A match: the id and its incarnation. */
export type MatchedExecution = readonly [execution: string, createdAt: number];
export type MatchedPage = { readonly found: readonly MatchedExecution[]; readonly cursor: string | null };

/** The health of a sample of the processed executions. */
export type Health = {
  readonly looked: number;
  readonly failed: number;
  /** The run's provider has an outage. */
  readonly away?: true;
};
