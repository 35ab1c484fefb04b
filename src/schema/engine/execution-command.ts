// Operations over executions: the filter, the command for each execution, and the condition that stops the operation.
import type { ChildPolicy } from "./child.ts";
import type { ExecutionStatus } from "./state.ts";
import type { Json, JsonObject } from "../json.ts";

export const commandVerbs = [
  ...(["pause", "resume", "cancel", "patch", "event", "desire"] as const),
  ...(["retry", "skip", "reschedule", "hold", "release"] as const),
] as const;

/**
 * The command of an operation, the same for each execution. It therefore contains no run ids, which differ in each
 * execution.
 */
export type ExecutionCommand =
  | { readonly verb: "pause" | "resume" }
  | { readonly verb: "cancel"; readonly children?: ChildPolicy }
  | { readonly verb: "patch"; readonly variables: JsonObject }
  | { readonly verb: "event"; readonly type: string; readonly payload: Json; readonly source: string | null }
  | { readonly verb: "desire"; readonly desired: JsonObject; readonly mode: "replace" | "merge" }
  | { readonly verb: "skip"; readonly target: { readonly node: string } | OfAction; readonly result?: Json }
  | { readonly verb: "reschedule"; readonly target: { readonly timer: string } | OfAction; readonly at: number }
  /** Retries the dead letters that wait for an operator: those of one action, or of all actions if `action` is null. */
  | { readonly verb: "retry"; readonly action: string | null }
  | { readonly verb: "hold" | "release"; readonly action: string };

/** The command applies to every run of this action. */
type OfAction = { readonly action: string };

/** A filter of executions. A field that is absent does not restrict the result. Instants are epoch milliseconds. */
export type ExecutionFilter = {
  /** The name of a definition, which matches all of its versions, or the id of one version. */
  readonly definition?: string | undefined;
  readonly version?: number | undefined;
  readonly namespace?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly subject?: string | undefined;
  readonly trigger?: string | undefined;
  readonly status?: ExecutionStatus | undefined;
  /** A state's path or a node: matches executions in it or in a nested state. */
  readonly state?: string | undefined;
  readonly createdAfter?: number | undefined;
  readonly createdBefore?: number | undefined;
};

/**
 * The filter fields whose values may have changed since the catalog's row was written. Each execution compares its
 * current values.
 */
export type RecheckedFilter = Pick<ExecutionFilter, "status" | "state">;

/**
 * The operation stops if the share of failed executions among the processed ones exceeds this value. `after`: the
 * number of processed executions from which on the share counts.
 */
export type StopCondition = {
  readonly failedShare: number;
  readonly after: number;
  /**
   * If set, the operation also checks the executions that it has processed. An execution counts as failed if it has
   * failed since, or is in one of these states.
   */
  readonly states?: readonly string[];
};

/**
 * Why the operation stopped automatically. refused: too many commands were refused. unhealthy: too many processed
 * executions failed. away: the provider has an outage again.
 */
export type AutomaticStop = {
  readonly why: "refused" | "unhealthy" | "away";
  readonly failed: number;
  readonly of: number;
};

/** A matched execution: its id and creation time, which together are unique. */
export type MatchedExecution = readonly [execution: string, createdAt: number];
export type MatchedPage = { readonly found: readonly MatchedExecution[]; readonly cursor: string | null };

/**
 * How many of the checked executions failed. `looked`: the number of checked executions, a sample of the processed
 * ones.
 */
export type Health = {
  readonly looked: number;
  readonly failed: number;
  /** True: the provider of the retried runs has an outage. */
  readonly away?: true;
};
