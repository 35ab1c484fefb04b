// Reconciler state: desired state, observed state, the next evaluation of rules, and the collector.
import type { JsonObject } from "../json.ts";
import type { ActionError } from "./outcome.ts";
import type { Run } from "./run.ts";
import type { ExecutionState } from "./state.ts";

/** The desired state. Revisions count from 1, so that a conditional change can name the revision it is based on. */
export type DesiredState = { readonly value: JsonObject; readonly revision: number; readonly at: number };
/** The observed state. `at`: when it was observed, in epoch ms. The same value again changes only `at`. */
export type ObservedState = { readonly value: JsonObject; readonly revision: number; readonly at: number };

/** The collector's state, between and during its runs. */
export type Collecting = {
  /** The collector's run in progress; null between runs. It is not listed, and never becomes a dead letter. */
  readonly run: Run | null;
  readonly dueAt: number;
  /** The number of consecutive failures. */
  readonly failures: number;
  /** The error of the last failure; null after a success. */
  readonly error: ActionError | null;
};

export type Reconciling = {
  readonly desired: DesiredState;
  readonly observed: ObservedState | null;
  /** The interval between evaluations in ms. Evaluations are at multiples of it after the execution's creation. */
  readonly tickMs: number;
  readonly staleAfterMs: number | null;
  /** When the rules are evaluated next, in epoch ms. null: only after a value that they read has changed. */
  readonly tickAt: number | null;
  /** True: rules of the current state read the time, so they are evaluated at every interval. */
  readonly watches: boolean;
  /** The end of the last action after which rules require a newer observation (epoch ms); null if they require none. */
  readonly actedAt: number | null;
  /** When the reconciler was last restarted (epoch ms); null if never. Earlier actions no longer count. */
  readonly restartedAt: number | null;
  /** Why the rules of the current state cannot be evaluated; null if they can. */
  readonly fault: string | null;
  readonly collecting: Collecting | null;
};

/** Returns all runs that may be in progress: the execution's own runs, and the collector's run. */
export function runsInProgress({ runs, reconciling }: Pick<ExecutionState, "runs" | "reconciling">): readonly Run[] {
  const collects = reconciling?.collecting?.run;
  return collects ? [...runs, collects] : runs;
}

/** Returns true if rules must wait for a newer observation: it is missing, too old, or from before the last action. */
export function isStale({ observed, staleAfterMs, actedAt }: Reconciling, now: number): boolean {
  if (observed === null) return staleAfterMs !== null || actedAt !== null;
  if (actedAt !== null && observed.at < actedAt) return true;
  return staleAfterMs !== null && observed.at + staleAfterMs <= now;
}

/** Returns the first evaluation instant after `at`, in epoch ms. */
export function tickAfter({ tickMs }: Reconciling, createdAt: number, at: number): number {
  return createdAt + (Math.floor((at - createdAt) / tickMs) + 1) * tickMs;
}

/** Returns why the execution is paused or has ended, or why a reconciler is in its state; null without a reason. */
export function reasonOf({ reason, position }: Pick<ExecutionState, "reason" | "position">): string | null {
  return reason ?? (position.kind === "reconciler" && position.reason !== "" ? position.reason : null);
}
