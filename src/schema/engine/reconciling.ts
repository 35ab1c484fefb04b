// Reconciler state beside the position: desired, observed, the next evaluation, and the collector.
import type { JsonObject } from "../json.ts";
import type { ActionError } from "./outcome.ts";
import type { Run } from "./run.ts";
import type { ExecutionState } from "./state.ts";

/** Revisions count from 1: a conditional change names the revision it is based on. */
export type Desired = { readonly value: JsonObject; readonly revision: number; readonly at: number };
/** `at`: as of when; the same value again updates only that. */
export type Observed = { readonly value: JsonObject; readonly revision: number; readonly at: number };

/** The collector, between and during its runs. */
export type Collecting = {
  /** The call in progress, separate from the execution's own runs: never listed, and never a dead letter. */
  readonly run: Run | null;
  readonly dueAt: number;
  /** The number of consecutive failures. */
  readonly failures: number;
  /** The error of the last failure, while failures continue. */
  readonly error: ActionError | null;
};

export type Reconciling = {
  readonly desired: Desired;
  readonly observed: Observed | null;
  /** The interval of the definition; the grid begins with the execution. */
  readonly tickMs: number;
  readonly staleAfterMs: number | null;
  /** When rules are evaluated next. Past: they were, without an effect. null: no value they read has changed since. */
  readonly tickAt: number | null;
  /** Rules of its state read the time: they are evaluated on every tick. */
  readonly watches: boolean;
  /** When the last action ended that rules require a newer observation than; null if they require none. */
  readonly actedAt: number | null;
  /** The instant of the last restart: earlier actions no longer count. */
  readonly restartedAt: number | null;
  /** Why the rules of its state cannot be evaluated; null if they can. */
  readonly fault: string | null;
  readonly collecting: Collecting | null;
};

/** All runs that may be in progress: its own, and the collector's. */
export function runsInProgress({ runs, reconciling }: Pick<ExecutionState, "runs" | "reconciling">): readonly Run[] {
  const collects = reconciling?.collecting?.run;
  return collects ? [...runs, collects] : runs;
}

/** Whether the observation is too old, or missing, if that matters. */
export function isStale({ observed, staleAfterMs, actedAt }: Reconciling, now: number): boolean {
  if (observed === null) return staleAfterMs !== null || actedAt !== null;
  if (actedAt !== null && observed.at < actedAt) return true;
  return staleAfterMs !== null && observed.at + staleAfterMs <= now;
}

/** The first instant of the grid after that one. */
export function tickAfter({ tickMs }: Reconciling, createdAt: number, at: number): number {
  return createdAt + (Math.floor((at - createdAt) / tickMs) + 1) * tickMs;
}

/** Why it is paused, or ended; for another reconciler, why it is in its state. */
export function reasonOf({ reason, position }: Pick<ExecutionState, "reason" | "position">): string | null {
  return reason ?? (position.kind === "reconciler" && position.reason !== "" ? position.reason : null);
}
