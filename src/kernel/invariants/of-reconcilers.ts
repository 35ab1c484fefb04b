// Invariants of reconcilers, of the state and of a step. True for all other kinds of executions.
import { isFinalRun } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";

type Told = {
  readonly before: ExecutionState | null;
  readonly state: ExecutionState;
  readonly input: { readonly now: number };
};

export const reconcilerInvariants: { readonly [name: string]: (told: Told) => boolean } = {
  "a reconciler has one action under way at most": ({ state: { reconciling, runs } }) =>
    reconciling === undefined || runs.filter(({ status }) => !isFinalRun(status)).length <= 1,

  "a reconciler knows what its last action came to": ({ state: { reconciling, runs, lastAction } }) =>
    reconciling === undefined || lastAction?.inProgress === runs.some(({ status }) => !isFinalRun(status)),

  "the next look of a reconciler lies ahead": ({ state: { reconciling, status }, input: { now } }) =>
    status === "paused" || (reconciling?.tickAt ?? Infinity) > now,

  "who observes has a deadline, and goes by what was frozen": ({ state: { reconciling } }) => {
    const run = reconciling?.collecting?.run;
    return run?.status !== "running" || (run.deadlineAt !== null && run.config !== null);
  },

  "nobody observes for what has ended": ({ state: { reconciling, status } }) =>
    !isFinalStatus(status) || !reconciling?.collecting,

  "what a reconciler is told gets no older": ({ before, state }) => {
    const [was, is] = [before?.reconciling, state.reconciling];
    if (!was || !is) return !was;
    return (
      was.desired.revision <= is.desired.revision &&
      (was.observed?.revision ?? 0) <= (is.observed?.revision ?? 0) &&
      (was.observed?.at ?? -Infinity) <= (is.observed?.at ?? -Infinity)
    );
  },
};
