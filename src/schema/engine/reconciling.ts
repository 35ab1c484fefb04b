// Reconciler state: desired state, observed state, the next evaluation of rules, and the collector.
import type { JsonObject } from "../json.ts";
import type { ActionError } from "./outcome.ts";
import type { Run } from "./run.ts";
import type { ExecutionState } from "./state.ts";

/** The desired state. Revisions count from 1. A conditional change names the revision that its author has read. */
export type DesiredState = { readonly value: JsonObject; readonly revision: number; readonly at: number };
/**
 * The observed state. `at`: when the state was observed, in epoch ms. If the same value is observed again, only `at`
 * changes.
 */
export type ObservedState = { readonly value: JsonObject; readonly revision: number; readonly at: number };

/** The collector's state, between and during its runs. */
export type Collecting = {
  /**
   * The collector's run in progress; null between runs. Lists do not show this run, and its failure creates no dead
   * letter.
   */
  readonly run: Run | null;
  readonly dueAt: number;
  /** The number of failures of the collector since its last success. */
  readonly failures: number;
  /** The error of the collector's last run; null if that run succeeded. */
  readonly error: ActionError | null;
};

export type Reconciling = {
  readonly desired: DesiredState;
  readonly observed: ObservedState | null;
  /**
   * The interval between evaluations in ms. Evaluations are at multiples of this interval after the execution's
   * creation.
   */
  readonly tickMs: number;
  readonly staleAfterMs: number | null;
  /** When the rules are evaluated next, in epoch ms. null: not before a value that the rules read has changed. */
  readonly tickAt: number | null;
  /** True: rules of the current state read the time, so they are evaluated at every interval. */
  readonly watches: boolean;
  /**
   * When the last action ended, if rules require a newer observation than this time (epoch ms); null if they require
   * none.
   */
  readonly actedAt: number | null;
  /** When the reconciler was last restarted (epoch ms); null if never. Actions before this time no longer count. */
  readonly restartedAt: number | null;
  /** Why the rules of the current state cannot be evaluated; null if they can. */
  readonly fault: string | null;
  readonly collecting: Collecting | null;
};

/** Returns the execution's runs, and the run of a reconciler's collector. */
export function runsInProgress({ runs, reconciling }: Pick<ExecutionState, "runs" | "reconciling">): readonly Run[] {
  const collects = reconciling?.collecting?.run;
  return collects ? [...runs, collects] : runs;
}

/**
 * Returns true if the rules must wait for another observation, because there is none, or it is too old or from before
 * the last action.
 */
export function isStale({ observed, staleAfterMs, actedAt }: Reconciling, now: number): boolean {
  if (observed === null) return staleAfterMs !== null || actedAt !== null;
  if (actedAt !== null && observed.at < actedAt) return true;
  return staleAfterMs !== null && observed.at + staleAfterMs <= now;
}

/** Returns the first evaluation instant after `at`, in epoch ms. */
export function tickAfter({ tickMs }: Reconciling, createdAt: number, at: number): number {
  return createdAt + (Math.floor((at - createdAt) / tickMs) + 1) * tickMs;
}

/**
 * Returns why the execution is paused or has ended, or why a reconciler is in its state. Returns null if the state has
 * no reason.
 */
export function reasonOf({ reason, position }: Pick<ExecutionState, "reason" | "position">): string | null {
  return reason ?? (position.kind === "reconciler" && position.reason !== "" ? position.reason : null);
}
