// The waits of an execution, each with the instant at which the engine acts on it. The alarm, lists, API responses, the
// monitor's view and explanations all use this list. Explanations add rules and joins, which only the definition can
// give.
import type { OwnTask } from "#schema/engine/own-task.ts";
import type { OwnChild } from "#schema/engine/child.ts";
import type { OutboxMessage } from "#schema/engine/outbox.ts";
import { isStale, tickAfter, type Collecting } from "#schema/engine/reconciling.ts";
import { currentHold, isFinalRun, occupiesSlot, waitsForPerson, type Run } from "#schema/engine/run.ts";
import { isBeforeFirstMove, type StartPlace } from "#schema/key-limits/start-place.ts";
import { isFinalStatus, type ExecutionState, type Timer } from "#schema/engine/state.ts";
import { PROJECT_BUSY_AFTER_MS } from "#schema/limits/executions.ts";
import { deadLetterUntil, expiringDeadLetters, overdueAt, resendAt, sentAgainAt } from "./deadlines.ts";
import { awaitedChildren, isEnding } from "./ending-execution.ts";

/**
 * held: an operator holds the run. variable: its delay depends on a missing variable. time: it is due later. slot: it
 * is due and waits for a free slot. retry: it waits for its next attempt. queued: it waits for its claim. running: it
 * waits for its settlement.
 */
export type RunStage = "held" | "variable" | "time" | "slot" | "retry" | "queued" | "running";

export type RunWait = {
  readonly for: "run";
  readonly run: Run;
  readonly stage: RunStage;
  /**
   * The instant at which the run is due; for a queued or running run, the instant of sending. null if it has no
   * instant.
   */
  readonly at: number | null;
};

/**
 * A wait. `until`: the instant at which the engine acts on it. null if a client must act, or if this wait can only end
 * after another one.
 */
export type ExecutionWait = { readonly until: number | null } & (
  | { readonly for: "resume" }
  | RunWait
  /** A dead letter that waits for an operator's decision. */
  | { readonly for: "person"; readonly run: Run }
  /** A dead letter that is handled, and is archived after some time. */
  | { readonly for: "archive"; readonly run: Run }
  | { readonly for: "timer"; readonly timer: Timer }
  | {
      readonly for: "task";
      readonly task: OwnTask & { readonly id: string };
      readonly remindAt: number | null;
      readonly escalateAt: number | null;
    }
  /**
   * awaited: the execution ends only after this child has ended. canceling: the child was asked to end. In both cases
   * the outbox contains a request to the child.
   */
  | { readonly for: "child"; readonly child: OwnChild; readonly how: "awaited" | "canceling" }
  /**
   * The waits of a reconciler. tick: the next planned tick. watch: the next evaluation of rules that read the time.
   * collector: the next observation.
   */
  | { readonly for: "tick" | "watch" | "collector" }
  /** The execution waits for its place at a limit on starts. `until`: when it asks again; null if it asks now. */
  | { readonly for: "place"; readonly place: StartPlace }
  /** A message in the outbox. It is sent again, unless its recipient confirms it before. */
  | { readonly for: "message"; readonly message: OutboxMessage }
  /** A change that is not projected yet, so that lists do not show it. */
  | { readonly for: "lists" }
  /** `types`: the event types that the execution accepts; null if its program is not known. */
  | { readonly for: "event"; readonly types: readonly string[] | null }
);

/** All waits of an execution. `accepts`: the event types that it accepts now; null if its program is not known. */
export function waitsOf(
  state: ExecutionState,
  now: number,
  accepts: readonly string[] | null = null,
): readonly ExecutionWait[] {
  const { status, runs, timers, outbox = [], unprojectedSince } = state;
  return [
    ...(status === "paused" ? [{ for: "resume" as const, until: null }] : []),
    ...runWaits(runs, now),
    ...deadLetterWaits(state),
    ...timers.map((timer) => ({ for: "timer" as const, timer, until: timer.at })),
    ...taskWaits(state),
    ...childWaits(state),
    ...reconcilerWaits(state, now),
    ...placeWaits(state),
    ...outbox.map((message) => ({ for: "message" as const, message, until: sentAgainAt(message) })),
    ...(unprojectedSince === null ? [] : [{ for: "lists" as const, until: unprojectedSince + PROJECT_BUSY_AFTER_MS }]),
    ...eventWaits(state, accepts),
  ];
}

function deadLetterWaits(state: ExecutionState): readonly ExecutionWait[] {
  return expiringDeadLetters(state).map((run) => ({
    for: waitsForPerson(run) ? "person" : "archive",
    run,
    until: deadLetterUntil(run),
  }));
}

/** The waits for open tasks. A task that is not created yet, or that is being withdrawn, has no wait. */
function taskWaits({ tasks = [] }: ExecutionState): readonly ExecutionWait[] {
  return tasks.flatMap((task): ExecutionWait[] => {
    const { id, watch, withdrawn } = task;
    if (id === null || withdrawn) return [];
    const [remindAt, escalateAt] = [watch?.remind?.at ?? null, watch?.escalateAt ?? null];
    const until = earliest([remindAt, escalateAt]);
    return [{ for: "task", task: { ...task, id }, remindAt, escalateAt, until }];
  });
}

function childWaits(state: ExecutionState): readonly ExecutionWait[] {
  const { children = [] } = state;
  if (children.length === 0) return [];
  const awaited = new Set(awaitedChildren(state));
  return children.flatMap((child): ExecutionWait[] => {
    if (!child.stopping && !awaited.has(child)) return [];
    return [{ for: "child", child, how: child.stopping ? "canceling" : "awaited", until: null }];
  });
}

/** While a message to the limits is in the outbox, no other instant is needed. */
function placeWaits({ startPlace: place, status, outbox = [] }: ExecutionState): readonly ExecutionWait[] {
  if (place?.deferred === undefined || isFinalStatus(status)) return [];
  const isAsking = outbox.some(({ kind }) => kind === "start_place");
  return [{ for: "place", place, until: isAsking ? null : (place.hold?.until ?? null) }];
}

function eventWaits(state: ExecutionState, accepts: readonly string[] | null): readonly ExecutionWait[] {
  if (isBeforeFirstMove(state)) return [];
  if (isFinalStatus(state.status) || state.reconciling || isEnding(state)) return [];
  const isOpen = accepts === null ? state.status === "waiting" : accepts.length > 0;
  return isOpen ? [{ for: "event", types: accepts, until: null }] : [];
}

function runWaits(runs: readonly Run[], now: number): readonly ExecutionWait[] {
  const open = runs.filter(({ status }) => !isFinalRun(status));
  // If some slots are occupied, a settlement frees one and starts a waiting run, so no instant is needed. If all slots
  // are free, the run was held with its tenant, and the wait needs an instant.
  const isIdle = !open.some(occupiesSlot);
  return open.map((run) => {
    const stage = stageOf(run, now);
    const at = stage === "queued" || stage === "running" ? run.sentAt : run.dueAt;
    return { for: "run", run, stage, at, until: stage === "slot" && !isIdle ? null : untilOf(run) };
  });
}

function stageOf(run: Run, now: number): RunStage {
  if (run.status === "queued" || run.status === "running" || run.status === "retry") return run.status;
  if (currentHold(run) !== null) return "held";
  if (run.dueAt === null) return "variable";
  return run.dueAt > now ? "time" : "slot";
}

function untilOf(run: Run): number | null {
  if (run.status === "queued") return resendAt(run);
  return run.status === "running" ? overdueAt(run) : run.dueAt;
}

/**
 * The waits of a reconciler. If no input of its rules has changed since they were evaluated, the wait for a tick has no
 * instant.
 */
function reconcilerWaits(state: ExecutionState, now: number): readonly ExecutionWait[] {
  const { reconciling, position, createdAt, runs, status } = state;
  if (!reconciling || position.done || isFinalStatus(status)) return [];
  const { tickAt, watches, collecting } = reconciling;
  const isActing = runs.some((run) => !isFinalRun(run.status));
  const isWatching = watches && !isActing && !isStale(reconciling, now);
  return [
    // A planned tick whose instant is past was already made, and it changed nothing.
    { for: "tick", until: tickAt !== null && tickAt > now ? tickAt : null },
    ...(isWatching ? [{ for: "watch" as const, until: tickAfter(reconciling, createdAt, now) }] : []),
    ...(collecting ? [{ for: "collector" as const, until: collectsAt(collecting) }] : []),
  ];
}

function collectsAt({ run, dueAt }: Collecting): number {
  if (run === null) return dueAt;
  return run.status === "queued" ? resendAt(run) : overdueAt(run);
}

/** The earliest of the instants that are not null; null if all are null. */
export function earliest(instants: readonly (number | null)[]): number | null {
  const known = instants.filter((at) => at !== null);
  return known.length === 0 ? null : Math.min(...known);
}
