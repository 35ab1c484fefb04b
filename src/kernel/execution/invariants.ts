// What must be true of every state, whatever happened. Tests, the simulator and debug builds ask after each step.
import { defaults } from "#schema/defaults.ts";
import { limits } from "#schema/limits.ts";
import { isFinalRun } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { nextWake } from "./clock.ts";
import type { Program } from "../programs/program.ts";
import { olderReceiptsOf } from "./receipts.ts";
import { occupiesSlot } from "./runs.ts";

export type Invariant = (program: Program, state: ExecutionState, now: number) => boolean;

export const invariants: { readonly [name: string]: Invariant } = {
  /** First of all: an execution that is not final has an armed wake, or waits for something it can name. */
  liveness: (program, state, now) =>
    isFinalStatus(state.status) ||
    state.status === "paused" ||
    nextWake(state, now) !== null ||
    state.timers.length > 0 ||
    state.runs.some((run) => !isFinalRun(run.status) || run.deadLetter) ||
    program.waitsFor(state.position).length > 0,

  "slots are not oversold": (program, { runs }) =>
    runs.filter(occupiesSlot).length <= (program.definition.concurrency ?? defaults.concurrency),

  "a free slot and due work do not stand side by side": (program, { status, runs }, now) =>
    status === "paused" ||
    isFinalStatus(status) ||
    runs.filter(occupiesSlot).length >= (program.definition.concurrency ?? defaults.concurrency) ||
    !runs.some((run) => run.status === "scheduled" && run.dueAt !== null && run.dueAt < now),

  "a run in flight has a deadline and a frozen config": (_program, { runs }) =>
    runs.every((run) => run.status !== "running" || (run.deadlineAt !== null && run.config !== null)),

  "a queued run knows when it was sent": (_program, { runs }) =>
    runs.every((run) => run.status !== "queued" || (run.sentAt !== null && run.attempt > 0)),

  "nothing new starts when paused": (_program, { status, runs }) =>
    status !== "paused" || runs.every((run) => run.status !== "queued"),

  "what is final has stopped": (_program, state) =>
    !isFinalStatus(state.status) ||
    (state.finishedAt !== null &&
      state.retainUntil !== null &&
      state.timers.length === 0 &&
      state.buffer.length === 0 &&
      state.runs.every((run) => isFinalRun(run.status) || run.status === "running" || run.redriven !== undefined)),

  "only an end is owed to a parent": (_program, { status, owed }) => !owed || isFinalStatus(status),

  "run ids are unique": (_program, { runs }) => new Set(runs.map(({ id }) => id)).size === runs.length,

  "timer ids are unique": (_program, { timers }) => new Set(timers.map(({ id }) => id)).size === timers.length,

  "what refers to a trigger finds it": (_program, state) => {
    const known = new Set(state.triggers.map(({ seq }) => seq));
    const live = state.runs.filter((run) => !isFinalRun(run.status) || run.deadLetter);
    return [...live, ...state.timers].every(({ trigger }) => known.has(trigger));
  },

  "a finished run says when": (_program, { runs }) =>
    runs.every((run) => isFinalRun(run.status) === (run.finishedAt !== null)),

  "collections stay within their limits": (_program, state) =>
    state.buffer.filter(({ origin }) => origin === "outside").length <= limits.eventsBufferedMax &&
    state.receipts.length <= limits.receiptsMax &&
    olderReceiptsOf(state) <= limits.olderReceiptsMax + 1 &&
    state.runs.filter((run) => !isFinalRun(run.status)).length <= limits.runsLiveMax,
};

export function brokenInvariants(program: Program, state: ExecutionState, now: number): readonly string[] {
  return Object.entries(invariants)
    .filter(([, holds]) => !holds(program, state, now))
    .map(([name]) => name);
}
