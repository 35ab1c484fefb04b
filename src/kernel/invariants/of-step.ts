// Invariants of a step: of the states before and after it, its input and its effects.
import { isProjectionUnchanged } from "../execution/projected-changes.ts";
import { runsInProgress } from "#schema/engine/reconciling.ts";
import { isFinalRun } from "#schema/engine/run.ts";
import { isFinalStatus } from "#schema/engine/state.ts";
import type { ObservedStep } from "./invariants.ts";

/** Inputs that concern one run, or a parent, and leave due timers to the next input. */
const LEAVES_TIME_ALONE: ReadonlySet<string> = new Set([
  "start",
  "claim",
  "settle",
  "undeliverable",
  "orphaned",
  "confirmed",
]);

export const stepInvariants: { readonly [name: string]: (judged: ObservedStep) => boolean } = {
  "who it is never changes": ({ before, state }) =>
    before === null ||
    (["id", "tenant", "createdAt", "placement"] as const).every((field) => before[field] === state[field]),

  "a change counts one up, and says when": ({ before, state, input: { now } }) =>
    state === before || (state.seq === (before?.seq ?? 0) + 1 && state.updatedAt === now),

  "what is final stays final": ({ before, state }) =>
    before === null || !isFinalStatus(before.status) || before.status === state.status,

  "a finished run stays as it ended, or turns out to have succeeded": ({ before, state }) => {
    const ended = new Map(
      (before?.runs ?? []).flatMap((run) => (isFinalRun(run.status) && !run.deadLetter ? [[run.id, run]] : [])),
    );
    return state.runs.every(({ id, status, deadLetter }) => {
      const was = ended.get(id);
      return was === undefined || ((was.status === status || status === "ok") && !deadLetter);
    });
  },

  "what has ended leaves no new dead letter but of what was sent again": ({ before, state }) => {
    if (before === null || !isFinalStatus(before.status)) return true;
    const dead = new Set(before.runs.flatMap(({ id, deadLetter }) => (deadLetter ? [id] : [])));
    return state.runs.every(({ id, deadLetter, redriven }) => !deadLetter || dead.has(id) || redriven !== undefined);
  },

  "what stays paused keeps its error": ({ before, input, state }) =>
    before?.status !== "paused" ||
    state.status !== "paused" ||
    before.error === null ||
    input.kind === "resume" ||
    JSON.stringify(before.error) === JSON.stringify(state.error),

  "what was due has been worked off": ({ before, state, input }) =>
    LEAVES_TIME_ALONE.has(input.kind) ||
    // The input was accepted before: its response is repeated, and nothing is stepped.
    (state === before && "inputId" in input) ||
    input.suspended === true ||
    state.status === "paused" ||
    state.timers.every(({ at }) => at === null || at >= input.now),

  "what is sent is there, and at that attempt": ({ state, effects }) =>
    effects.every(
      (effect) =>
        effect.kind !== "dispatch" ||
        runsInProgress(state).some(
          ({ id, attempt, status }) => id === effect.run && (attempt === effect.attempt || status !== "queued"),
        ),
    ),

  "lists hear of every change, now or soon": ({ before, state, effects }) =>
    state === before ||
    (before !== null && isProjectionUnchanged(before, state)) ||
    state.unprojectedSince !== null ||
    effects.some(({ kind }) => kind === "project"),

  "history goes when all is over": ({ state, effects, input: { now } }) =>
    !effects.some(({ kind }) => kind === "purge") ||
    (isFinalStatus(state.status) && !owesMessages(state) && state.retainUntil !== null && state.retainUntil <= now),
};

function owesMessages({ outbox = [], tasks = [], children = [] }: ObservedStep["state"]): boolean {
  return outbox.length > 0 || tasks.length > 0 || children.length > 0;
}
