// What a reconciler keeps beside its position: what is desired, what was observed last, when it looks next, and how its collector
// is doing.
import type { JsonObject } from "../json.ts";
import type { ActionError } from "./outcome.ts";
import type { Run } from "./run.ts";
import type { ExecutionState } from "./state.ts";

/** Revisions count from 1: whoever changes it says which one they saw. */
export type Desired = { readonly value: JsonObject; readonly revision: number; readonly at: number };
/** `at`: as of when; the same value again moves that and no revision. */
export type Observed = { readonly value: JsonObject; readonly revision: number; readonly at: number };

/** Who observes, in between and while it does. */
export type Collecting = {
  /** Under way, apart from the execution's own: never listed, and no dead letter ever. */
  readonly run: Run | null;
  readonly dueAt: number;
  /** In a row. */
  readonly failures: number;
  /** Of the last one, while they go on. */
  readonly error: ActionError | null;
};

export type Reconciling = {
  readonly desired: Desired;
  readonly observed: Observed | null;
  /** As its definition says it; the grid begins with the execution. */
  readonly tickMs: number;
  readonly staleAfterMs: number | null;
  /** When rules are looked at next. Past: they have been, and nothing came of it. null: nothing they see has changed since. */
  readonly tickAt: number | null;
  /** Rules of the state it is in read the time: they are looked at on every tick. */
  readonly watches: boolean;
  /** When the last action ended that rules may wait for an observation after; null where they do not. */
  readonly actedAt: number | null;
  /** The last time it began anew: how actions went before that counts no more. */
  readonly restartedAt: number | null;
  /** Why the rules of its state could not be looked at; null once they could. */
  readonly fault: string | null;
  readonly collecting: Collecting | null;
};

/** All that somebody may have in hand: its own runs, and the one that observes. */
export function runsInHand({ runs, reconciling }: Pick<ExecutionState, "runs" | "reconciling">): readonly Run[] {
  const collects = reconciling?.collecting?.run;
  return collects ? [...runs, collects] : runs;
}

/** Whether what was observed is too old, or was never there, where that matters. */
export function isStale({ observed, staleAfterMs, actedAt }: Reconciling, now: number): boolean {
  if (observed === null) return staleAfterMs !== null || actedAt !== null;
  if (actedAt !== null && observed.at < actedAt) return true;
  return staleAfterMs !== null && observed.at + staleAfterMs <= now;
}

/** The first instant of the grid after that one. */
export function tickAfter({ tickMs }: Reconciling, createdAt: number, at: number): number {
  return createdAt + (Math.floor((at - createdAt) / tickMs) + 1) * tickMs;
}

/** Why it is paused, or ended as it did; of a reconciler that is neither, why it stands where it stands. */
export function reasonOf({ reason, position }: Pick<ExecutionState, "reason" | "position">): string | null {
  return reason ?? (position.kind === "reconciler" && position.reason !== "" ? position.reason : null);
}
