// Operations over executions: the filter, the command for each execution, and the condition that stops the operation.
import type { ChildPolicy } from "./child.ts";
import type { ExecutionStatus } from "./state.ts";
import type { Json, JsonObject } from "../json.ts";

export const commandVerbs = [
  ...(["pause", "resume", "cancel", "patch", "event", "desire"] as const),
  ...(["retry", "skip", "reschedule", "hold", "release", "cancel-action"] as const),
] as const;

/**
 * The command of an operation, which every execution gets. It contains no run ids, because they differ between
 * executions.
 */
export type ExecutionCommand =
  | { readonly verb: "pause" | "resume" }
  | { readonly verb: "cancel"; readonly children?: ChildPolicy }
  | { readonly verb: "patch"; readonly variables: JsonObject }
  | { readonly verb: "event"; readonly type: string; readonly payload: Json; readonly source: string | null }
  | { readonly verb: "desire"; readonly desired: JsonObject; readonly mode: "replace" | "merge" }
  | { readonly verb: "skip"; readonly target: { readonly node: string } | OfAction; readonly result?: Json }
  | { readonly verb: "reschedule"; readonly target: { readonly timer: string } | OfAction; readonly at: number }
  /**
   * Retries the dead letters that wait for an operator. If `action` is null, those of all actions; otherwise only those
   * of this action.
   */
  | { readonly verb: "retry"; readonly action: string | null }
  | { readonly verb: "hold" | "release"; readonly action: string }
  | ({ readonly verb: "cancel-action"; readonly result?: Json } & OfAction);

/** The command applies to every run of this action. */
type OfAction = { readonly action: string };

/** A filter of executions. An absent field does not restrict the result. Instants are epoch milliseconds. */
export type ExecutionFilter = {
  /** The name of a definition, which matches all of its versions, or the id of one version. */
  readonly definition?: string | undefined;
  readonly version?: number | undefined;
  readonly namespace?: string | undefined;
  readonly correlationId?: string | undefined;
  readonly subject?: string | undefined;
  readonly trigger?: string | undefined;
  readonly status?: ExecutionStatus | undefined;
  /** The path of a state or the name of a node. Matches executions in this state or node, or in a nested state. */
  readonly state?: string | undefined;
  readonly createdAfter?: number | undefined;
  readonly createdBefore?: number | undefined;
};

/**
 * The fields of a filter whose values change while an execution runs. The catalog's row may be out of date, so each
 * execution compares its current values.
 */
export type RecheckedFilter = Pick<ExecutionFilter, "status" | "state">;

/**
 * The operation stops if more than this share of the processed executions has failed. `after`: the share counts only
 * once this many executions are processed.
 */
export type StopCondition = {
  readonly failedShare: number;
  readonly after: number;
  /**
   * If set, the operation also watches the executions that it has processed. One that has failed since, or is in one of
   * these states, counts as failed.
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

/** A matched execution: its id and its creation time. Together they are unique. */
export type MatchedExecution = readonly [execution: string, createdAt: number];
export type MatchedPage = { readonly found: readonly MatchedExecution[]; readonly cursor: string | null };

/**
 * How many of the checked executions failed. `looked`: how many were checked; they are a sample of the processed
 * executions.
 */
export type Health = {
  readonly looked: number;
  readonly failed: number;
  /** True: the provider whose runs the operation retries has an outage again. */
  readonly away?: true;
};
