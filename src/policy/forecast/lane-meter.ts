// Counts the cost lanes that one simulated execution uses. A lane is a kind of work with a constant cost
// (schema/limits/planning/platform-costs.ts).
import { nextWake } from "#kernel/waiting/next-instants.ts";
import type { AcceptedStep } from "#kernel/execution/step.ts";
import type { Watch } from "#kernel/virtual/play.ts";
import type { Effect } from "#schema/engine/effect.ts";
import type { Command } from "#schema/engine/input.ts";
import { isFinalRun, waitsForPerson } from "#schema/engine/run.ts";
import { isFinalStatus, type ExecutionState } from "#schema/engine/state.ts";
import { DUE_IN_MEMORY_MS_MAX } from "#schema/limits/alarms.ts";
import { GATE_EVICTED_AFTER_MS } from "#schema/limits/outgoing/connection-limits.ts";
import { CATALOG_BATCH_MS, type CostLane } from "#schema/limits/planning/platform-costs.ts";
import type { PlatformMeter } from "./platform-meter.ts";

/** Opens the meter of one execution. The function that it returns must receive each step in order. */
export function openLaneMeter(platform: PlatformMeter): Watch {
  const project = openProjections(platform);
  const isBroughtAlong = openQueueLane();
  let before: ExecutionState | null = null;
  let lastAt = Infinity;

  return (command, stepped, at) => {
    const { state, effects } = stepped;
    const { placement } = state;
    const gapMs = at - lastAt;
    const lane = laneOf(command, stepped, gapMs, isBroughtAlong(command, effects, before));
    if (lane !== null) platform.count(placement, lane, at);
    for (const effect of effects) if (effect.kind === "send") countOutbox(platform, placement, effect, at);
    if (command.kind === "start" && state.subject) platform.count(placement, "subject", at);
    // An evicted object no longer has its record of what the catalog contains. It therefore sends a projection when it
    // wakes.
    const hasSlept = placement === "own" && gapMs > GATE_EVICTED_AFTER_MS;
    if (effects.some(({ kind }) => kind === "project") || (hasSlept && lane === "timer")) project(state, at, hasSlept);
    before = state;
    lastAt = at;
  };
}

/** Returns the lane of a step; null if the cost of another lane already includes this step. */
function laneOf(
  command: Command,
  { entries, effects }: AcceptedStep,
  gapMs: number,
  isBroughtAlong: boolean,
): CostLane | null {
  const { kind } = command;
  if (kind === "start") return "start";
  if (kind === "settle" || kind === "confirmed") return null;
  if (kind === "claim" && command.lane === "direct") return "direct";
  if (kind === "claim") return isBroughtAlong ? "queueNext" : "queue";
  if (kind !== "tick") return "call";
  if (entries.length + effects.length === 0) return "idle";
  return gapMs <= DUE_IN_MEMORY_MS_MAX ? "soon" : "timer";
}

/**
 * Returns a function that detects claims without a message of their own. The response to a settlement can contain the
 * next attempt of the execution if that attempt uses the queue.
 */
function openQueueLane(): (command: Command, effects: readonly Effect[], before: ExecutionState | null) => boolean {
  let next: string | null = null;
  return (command, effects, before) => {
    const isNext = command.kind === "claim" && command.run === next;
    if (command.kind !== "settle") return isNext;
    const isQueued = before?.runs.find(({ id }) => id === command.run)?.lane === "queue";
    // An attempt with a long timeout uses another queue. The response to the settlement then does not contain it.
    const short = effects.find(
      (effect) => effect.kind === "dispatch" && effect.lane === "queue" && effect.timeoutMs === undefined,
    );
    next = isQueued && short?.kind === "dispatch" ? short.run : null;
    return false;
  };
}

function countOutbox(
  platform: PlatformMeter,
  placement: ExecutionState["placement"],
  { messages }: Extract<Effect, { kind: "send" }>,
  at: number,
): void {
  platform.count(placement, "outbox", at);
  if (messages.some(({ kind }) => kind === "subject_ended")) platform.count(placement, "subjectEnd", at);
}

/**
 * Counts the projections of one execution. If the catalog would write several of them in one batch, only the last one
 * counts.
 */
function openProjections({ count, project }: PlatformMeter) {
  let last: { readonly at: number; readonly lanes: readonly CostLane[] } = { at: -Infinity, lanes: [] };
  let [written, writtenBefore]: [ReadonlySet<string>, ReadonlySet<string>] = [new Set(), new Set()];
  return (state: ExecutionState, at: number, hasSlept: boolean): void => {
    const { placement } = state;
    if (at - last.at < CATALOG_BATCH_MS) for (const lane of last.lanes) count(placement, lane, last.at, -1);
    else writtenBefore = written;
    if (hasSlept) writtenBefore = new Set();
    const runs = state.runs.filter(({ id }) => !writtenBefore.has(id));
    const lanes: readonly CostLane[] = [
      ...restLanes(state, at),
      ...runs.map(() => "run" as const),
      ...runs.filter(({ deadLetter }) => deadLetter).map(() => "deadLetter" as const),
      ...runs.filter(waitsForPerson).map(() => "openDeadLetter" as const),
    ];
    for (const lane of lanes) count(placement, lane, at);
    project(placement, runs.length, at);
    last = { at, lanes };
    written = new Set(state.runs.filter(({ status }) => isFinalRun(status)).map(({ id }) => id));
  };
}

/** Returns the lanes of a projected execution at rest: with a wake, without one, or ended. */
function restLanes(state: ExecutionState, at: number): readonly CostLane[] {
  const isOver = isFinalStatus(state.status);
  const about: readonly CostLane[] = state.subject ? [isOver ? "subjectOver" : "subjectRest"] : [];
  if (isOver) return [state.status === "completed" ? "end" : "failed", ...about];
  return [nextWake(state, at) === null ? "wait" : "rest", ...about];
}
