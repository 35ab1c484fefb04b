// Invariants of reconcilers: of their state and their steps. They always hold for executions of any other kind.
import { isFinalRun } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";

type CheckedStep = {
  readonly before: ExecutionState | null;
  readonly state: ExecutionState;
  readonly input: { readonly now: number };
};

export const reconcilerInvariants: { readonly [name: string]: (told: CheckedStep) => boolean } = {
  "a reconciler has at most one action in progress": ({ state: { reconciling, runs } }) =>
    reconciling === undefined || runs.filter(({ status }) => !isFinalRun(status)).length <= 1,

  "a reconciler's action status agrees with its runs": ({ state: { reconciling, runs, lastAction } }) =>
    reconciling === undefined || lastAction?.inProgress === runs.some(({ status }) => !isFinalRun(status)),

  "a reconciler's next tick is in the future": ({ state: { reconciling, status }, input: { now } }) =>
    status === "paused" || (reconciling?.tickAt ?? Infinity) > now,

  "a running collector has a deadline and a config": ({ state: { reconciling } }) => {
    const run = reconciling?.collecting?.run;
    return run?.status !== "running" || (run.deadlineAt !== null && run.config !== null);
  },

  "an ended reconciler has no running collector": ({ state: { reconciling, status } }) =>
    !isFinalStatus(status) || !reconciling?.collecting,

  "a reconciler's revisions never decrease": ({ before, state }) => {
    const [was, is] = [before?.reconciling, state.reconciling];
    if (!was || !is) return !was;
    return (
      was.desired.revision <= is.desired.revision &&
      (was.observed?.revision ?? 0) <= (is.observed?.revision ?? 0) &&
      (was.observed?.at ?? -Infinity) <= (is.observed?.at ?? -Infinity)
    );
  },
};
