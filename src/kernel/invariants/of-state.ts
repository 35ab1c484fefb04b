// Invariants of a state, whatever step led to it.
import { defaults } from "#schema/defaults.ts";
import type { Delay } from "#schema/definition/timing.ts";
import { EVENTS_BUFFERED_MAX, OLDER_RECEIPTS_MAX, RECEIPTS_MAX } from "#schema/limits/executions.ts";
import { UNFINISHED_RUNS_MAX } from "#schema/limits/run-attempts.ts";
import type { Stamp } from "#schema/engine/input.ts";
import { dueOf, currentHold, isFinalRun, occupiesSlot, waitsForPerson, type Run } from "#schema/engine/run.ts";
import { isBeforeFirstMove } from "#schema/key-limits/start-place.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { programAt } from "../execution/limits/before-first-move.ts";
import type { Program } from "../execution/program.ts";
import { delayObject } from "../language/timing.ts";
import { awaitedChildren } from "../waiting/ending-execution.ts";
import { nextWake } from "../waiting/next-instants.ts";
import { olderReceiptsOf } from "../execution/receipts/receipts.ts";
import { resolveRetry } from "../execution/retries/retry.ts";
import { derivedRefs } from "../execution/outbox/outbox.ts";
import { messageName, outboxOf } from "../execution/outbox/own-outbox.ts";

type CheckedState = {
  readonly program: Program;
  readonly state: ExecutionState;
  readonly input: Pick<Stamp, "now" | "suspended">;
};

export const stateInvariants: { readonly [name: string]: (told: CheckedState) => boolean } = {
  /** The main invariant: an execution that has not ended has an armed wake, or waits for an input that can be named. */
  liveness: ({ program, state, input: { now } }) =>
    isFinalStatus(state.status) ||
    state.status === "paused" ||
    nextWake(state, now) !== null ||
    state.timers.length > 0 ||
    state.runs.some((run) => !isFinalRun(run.status) || waitsForPerson(run)) ||
    awaitedChildren(state).length > 0 ||
    programAt(program, state).waitsFor(state.position).length > 0,

  "each waiting run or timer has an instant or lacks a variable": ({ program, state: { runs, timers } }) =>
    runs.every(
      (run) =>
        run.status !== "scheduled" ||
        dueOf(run) !== null ||
        mayBeUndated(program, program.actions.get(run.action)?.delay),
    ) && timers.every(({ at, expression }) => at !== null || mayBeUndated(program, expression)),

  "a run that an operator holds has no due instant, and nothing else holds the run": ({ state: { runs } }) =>
    runs.every((run) => currentHold(run) === null || (run.dueAt === null && run.sentAt === null && !run.held)),

  "the execution has no more runs in progress than slots": ({ program, state: { runs } }) =>
    slotsTaken(runs) <= slotsOf(program),

  "no due run is waiting while a slot is free": ({ program, state, input: { now, suspended } }) =>
    // While a tenant is suspended its timers do not fire, so they may be overdue.
    suspended === true ||
    isStopped(state) ||
    slotsTaken(state.runs) >= slotsOf(program) ||
    !state.runs.some((run) => run.status === "scheduled" && run.dueAt !== null && run.dueAt <= now),

  "a run in flight has a deadline, a frozen config and a current attempt": ({ state: { runs } }) =>
    runs.every((run) => {
      const last = run.attempts.at(-1);
      const isUnderWay = last?.attempt === run.attempt && last.endedAt === null;
      return run.status !== "running" || (run.deadlineAt !== null && run.config !== null && isUnderWay);
    }),

  "a queued run has the instant at which it was sent": ({ state: { runs } }) =>
    runs.every((run) => run.status !== "queued" || (run.sentAt !== null && run.attempt > 0)),

  "a run in backoff has the instant of its next attempt": ({ state: { runs } }) =>
    runs.every((run) => run.status !== "retry" || run.dueAt !== null),

  "no run makes more attempts than its retry policy allows": ({ program, state: { runs } }) =>
    runs.every((run) => run.attempt - (run.redriven?.attemptsBefore ?? 0) <= attemptsAllowed(program, run)),

  "the attempt numbers of a run increase": ({ state: { runs } }) =>
    runs.every(({ attempt, attempts }) =>
      attempts.every(
        (each, index) => each.attempt <= attempt + 1 && each.attempt > (attempts[index - 1]?.attempt ?? 0),
      ),
    ),

  "a paused execution has no queued runs": ({ state: { status, runs } }) =>
    status !== "paused" || runs.every((run) => run.status !== "queued"),

  "an execution has a pause instant while it is paused, and only then": ({ state: { status, pausedAt } }) =>
    (status === "paused") === (pausedAt !== null),

  "a failed execution has an error": ({ state: { status, error } }) => status !== "failed" || error !== null,

  "an ended execution has no pending work": ({ state }) =>
    isFinalStatus(state.status)
      ? state.finishedAt !== null &&
        state.retainUntil !== null &&
        state.timers.length === 0 &&
        state.buffer.length === 0 &&
        state.runs.every((run) => isFinalRun(run.status) || run.status === "running" || run.redriven !== undefined)
      : state.finishedAt === null && state.retainUntil === null,

  "each timer belongs to an active state": ({ state: { position, timers, passed = [] } }) =>
    [...timers, ...passed].every(({ state }) =>
      position.states.some((leaf) => `${leaf}.`.startsWith(state === "" ? "" : `${state}.`)),
    ),

  "each buffered event has to wait": ({ program, state }) =>
    isStopped(state) ||
    state.position.done ||
    state.buffer.every(
      ({ message }) => programAt(program, state).eventTiming(state.position, message.type) === "later",
    ),

  "before its first move, an execution has no position, runs and timers": ({ state }) =>
    !isBeforeFirstMove(state) ||
    (state.position.states.length === 0 && state.runs.length === 0 && state.timers.length === 0),

  "only an ended execution notifies its parent or subject": ({ state: { status, outbox = [] } }) =>
    isFinalStatus(status) || outbox.every(({ kind }) => kind !== "child_ended" && kind !== "subject_ended"),

  "the outbox contains each message to tasks and children exactly once": ({ state }) => {
    const messages = outboxOf(state).map(messageName);
    const names = new Set(messages);
    const added = outboxOf(state).filter(({ kind }) => kind !== "task_update" && kind !== "child_request").length;
    const derived = derivedRefs(state);
    const isComplete = derived.every((ref) => names.has(messageName(ref)));
    return isComplete && names.size === messages.length && messages.length === derived.length + added;
  },

  "each message in the outbox was sent at least once": ({ state }) => outboxOf(state).every(({ tries }) => tries > 0),

  "an ended execution has only children to cancel": ({ state: { status, children } }) =>
    !isFinalStatus(status) || (children ?? []).every(({ stopping }) => stopping !== undefined),

  "an execution that is ending waits for at least one child": ({ state }) =>
    state.ending === undefined || (state.status === "waiting" && awaitedChildren(state).length > 0),

  "the current correlation key is registered, or its message is in the outbox": ({
    state: { correlation, outbox = [] },
  }) =>
    !correlation ||
    outbox.some(({ kind, key }) => kind === "correlation_key" && key === String(correlation.since)) ||
    sameKeys(correlation.registered, correlation.key),

  "ended executions have no correlation key": ({ state: { status, correlation } }) =>
    !isFinalStatus(status) || !correlation || correlation.key === null,

  "an ended execution has no open tasks": ({ state: { status, tasks } }) =>
    !isFinalStatus(status) || (tasks ?? []).every(({ withdrawn }) => withdrawn !== undefined),

  "the ids of an execution's runs are unique": ({ state: { runs } }) =>
    new Set(runs.map(({ id }) => id)).size === runs.length,

  "the ids of an execution's timers are unique": ({ state: { timers } }) =>
    new Set(timers.map(({ id }) => id)).size === timers.length,

  "each stored trigger is used by a run or timer, and no used trigger is missing": ({ state }) => {
    const live = state.runs.filter((run) => !isFinalRun(run.status) || run.deadLetter);
    const wanted = new Set([...live, ...state.timers].map(({ trigger }) => trigger));
    return wanted.size === state.triggers.length && state.triggers.every(({ seq }) => wanted.has(seq));
  },

  "a run has an end instant if it has ended, and only then": ({ state: { runs } }) =>
    runs.every((run) => isFinalRun(run.status) === (run.finishedAt !== null)),

  "each dead letter is a failed run with an error": ({ state: { runs } }) =>
    runs.every((run) => !run.deadLetter || (run.status === "failed" && run.error !== null)),

  "each handled run is a failed run": ({ state: { runs } }) =>
    runs.every(({ handledAt = null, heard = null, status }) =>
      handledAt === null ? heard === null || status === "failed" : heard !== null && status === "failed",
    ),

  "only a run in flight can be abandoned, and it leaves no dead letter": ({ state: { runs } }) =>
    runs.every((run) => !run.unwanted || run.status === "running" || (isFinalRun(run.status) && !run.deadLetter)),

  "buffered events, receipts and unfinished runs stay within their limits": ({ state }) =>
    state.buffer.filter(({ origin }) => origin === "outside").length <= EVENTS_BUFFERED_MAX &&
    state.receipts.length <= RECEIPTS_MAX &&
    olderReceiptsOf(state) <= OLDER_RECEIPTS_MAX + 1 &&
    state.runs.filter((run) => !isFinalRun(run.status)).length <= UNFINISHED_RUNS_MAX,
};

function isStopped({ status }: ExecutionState): boolean {
  return status === "paused" || isFinalStatus(status);
}

/** Whether the delay may depend on a missing variable. A timer with such a delay has no instant. */
function mayBeUndated({ definition, delays = definition.delays ?? {} }: Program, delay: Delay | undefined): boolean {
  return delay !== undefined && delayObject(delay, delays)?.anchor !== undefined;
}

function slotsTaken(runs: readonly Run[]): number {
  return runs.filter(occupiesSlot).length;
}

function slotsOf({ definition }: Program): number {
  return definition.concurrency ?? defaults.concurrency;
}

function attemptsAllowed({ actions }: Program, { action }: Run): number {
  const policy = resolveRetry(actions.get(action)?.retryPolicy, "default");
  return Math.max(policy.maxAttempts, ...policy.rules.map(({ maxAttempts }) => maxAttempts));
}

function sameKeys(listed: readonly string[], key: string | null): boolean {
  return key === null ? listed.length === 0 : listed.length === 1 && listed[0] === key;
}
