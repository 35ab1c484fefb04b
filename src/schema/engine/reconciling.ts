// Reconciler state: the desired state, the observed state, the next evaluation of rules, and the collector.
import type { JsonObject } from "../json.ts";
import type { ActionError } from "./outcome.ts";
import type { Run } from "./run.ts";
import type { ExecutionState } from "./state.ts";

/** The desired state. Revisions count from 1. A conditional change contains the revision that its sender has read. */
export type DesiredState = { readonly value: JsonObject; readonly revision: number; readonly at: number };
/**
 * The observed state. `at`: when it was observed, in epoch ms. If the same value is observed again, only `at` changes.
 */
export type ObservedState = { readonly value: JsonObject; readonly revision: number; readonly at: number };

/** The stored state of a reconciler's collector, both during and between its runs. */
export type Collecting = {
  /**
   * The run of the collector that is in progress. Null between runs. Lists do not show it, and its failure creates no
   * dead letter.
   */
  readonly run: Run | null;
  readonly dueAt: number;
  /** How many times the collector has failed since its last success. */
  readonly failures: number;
  /** The error of the collector's last run. Null if that run succeeded. */
  readonly error: ActionError | null;
};

export type Reconciling = {
  readonly desired: DesiredState;
  readonly observed: ObservedState | null;
  /**
   * The interval between evaluations of the rules, in ms. They are evaluated at multiples of this interval after the
   * execution's creation.
   */
  readonly tickMs: number;
  readonly staleAfterMs: number | null;
  /** When the rules are evaluated next, in epoch ms. Null: only after a value that they read has changed. */
  readonly tickAt: number | null;
  /** True: rules of the current state depend on the time. They are therefore evaluated at every interval. */
  readonly watches: boolean;
  /**
   * When the last action ended, in epoch ms. The rules wait for an observation that is newer. Null if they need no
   * newer one.
   */
  readonly actedAt: number | null;
  /**
   * When the reconciler was last restarted, in epoch ms. Null if never. Actions before this time are no longer counted.
   */
  readonly restartedAt: number | null;
  /** Why the rules of the current state cannot be evaluated; null if they can. */
  readonly fault: string | null;
  readonly collecting: Collecting | null;
};

/** Returns the execution's runs. For a reconciler, the run of its collector is included. */
export function runsInProgress({ runs, reconciling }: Pick<ExecutionState, "runs" | "reconciling">): readonly Run[] {
  const collects = reconciling?.collecting?.run;
  return collects ? [...runs, collects] : runs;
}

/**
 * Returns true if the rules must wait for an observation. There is none yet, it is too old, or it is from before the
 * last action.
 */
export function isStale({ observed, staleAfterMs, actedAt }: Reconciling, now: number): boolean {
  if (observed === null) return staleAfterMs !== null || actedAt !== null;
  if (actedAt !== null && observed.at < actedAt) return true;
  return staleAfterMs !== null && observed.at + staleAfterMs <= now;
}

/** Returns the first instant of an evaluation after `at`, in epoch ms. */
export function tickAfter({ tickMs }: Reconciling, createdAt: number, at: number): number {
  return createdAt + (Math.floor((at - createdAt) / tickMs) + 1) * tickMs;
}

/**
 * Returns why the execution is paused or has ended. For a reconciler, returns why it is in its state. Returns null if
 * the state has no reason.
 */
export function reasonOf({
  reason,
  position,
  startPlace,
}: Pick<ExecutionState, "reason" | "position" | "startPlace">): string | null {
  return (
    reason ??
    startPlace?.hold?.reason ??
    (position.kind === "reconciler" && position.reason !== "" ? position.reason : null)
  );
}
