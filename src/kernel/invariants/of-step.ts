// Invariants of a step: they compare the states before and after it with its input and its effects.
import { isProjectionUnchanged } from "../execution/projected-changes.ts";
import { runsInProgress } from "#schema/engine/reconciling.ts";
import { isFinalRun } from "#schema/engine/run.ts";
import { isFinalStatus } from "#schema/engine/state.ts";
import type { ObservedStep } from "./invariants.ts";

/** Inputs that concern one run or a parent. They leave due timers alone; the next other input fires them. */
const LEAVES_TIME_ALONE: ReadonlySet<string> = new Set([
  "start",
  "claim",
  "settle",
  "undeliverable",
  "orphaned",
  "confirmed",
]);

export const stepInvariants: { readonly [name: string]: (judged: ObservedStep) => boolean } = {
  "the id, tenant, creation time and placement of an execution never change": ({ before, state }) =>
    before === null ||
    (["id", "tenant", "createdAt", "placement"] as const).every((field) => before[field] === state[field]),

  "each change of the state increases seq by one and sets updatedAt": ({ before, state, input: { now } }) =>
    state === before || (state.seq === (before?.seq ?? 0) + 1 && state.updatedAt === now),

  "an ended execution keeps its final status": ({ before, state }) =>
    before === null || !isFinalStatus(before.status) || before.status === state.status,

  "an ended run keeps its status, unless a late success makes it ok": ({ before, state }) => {
    const ended = new Map(
      (before?.runs ?? []).flatMap((run) => (isFinalRun(run.status) && !run.deadLetter ? [[run.id, run]] : [])),
    );
    return state.runs.every(({ id, status, deadLetter }) => {
      const was = ended.get(id);
      return was === undefined || ((was.status === status || status === "ok") && !deadLetter);
    });
  },

  "after its end an execution gets no new dead letters, except from retried runs": ({ before, state }) => {
    if (before === null || !isFinalStatus(before.status)) return true;
    const dead = new Set(before.runs.flatMap(({ id, deadLetter }) => (deadLetter ? [id] : [])));
    return state.runs.every(({ id, deadLetter, redriven }) => !deadLetter || dead.has(id) || redriven !== undefined);
  },

  "an execution that stays paused keeps its error": ({ before, input, state }) =>
    before?.status !== "paused" ||
    state.status !== "paused" ||
    before.error === null ||
    input.kind === "resume" ||
    JSON.stringify(before.error) === JSON.stringify(state.error),

  "after a step no timer is overdue": ({ before, state, input }) =>
    LEAVES_TIME_ALONE.has(input.kind) ||
    // The same input was accepted before. No step is made, and the caller returns the earlier response.
    (state === before && "inputId" in input) ||
    input.suspended === true ||
    state.status === "paused" ||
    state.timers.every(({ at }) => at === null || at >= input.now),

  "each dispatched attempt is the current attempt of a stored run": ({ state, effects }) =>
    effects.every(
      (effect) =>
        effect.kind !== "dispatch" ||
        runsInProgress(state).some(
          ({ id, attempt, status }) => id === effect.run && (attempt === effect.attempt || status !== "queued"),
        ),
    ),

  "each change of the state is projected to the catalog immediately or later": ({ before, state, effects }) =>
    state === before ||
    (before !== null && isProjectionUnchanged(before, state)) ||
    state.unprojectedSince !== null ||
    effects.some(({ kind }) => kind === "project"),

  "the history of an execution is deleted only after its end, its retention and its last message": ({
    state,
    effects,
    input: { now },
  }) =>
    !effects.some(({ kind }) => kind === "purge") ||
    (isFinalStatus(state.status) && !owesMessages(state) && state.retainUntil !== null && state.retainUntil <= now),
};

function owesMessages({ outbox = [], tasks = [], children = [] }: ObservedStep["state"]): boolean {
  return outbox.length > 0 || tasks.length > 0 || children.length > 0;
}
