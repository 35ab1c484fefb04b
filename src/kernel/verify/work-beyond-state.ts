// Work that takes longer than its state is active, so that it is always canceled: delays, attempts and schedules.
import type { ActionDefinition } from "#schema/definition/action.ts";
import type { MachineDefinition, Transitions } from "#schema/definition/definition.ts";
import { isDurationText, lengthMs } from "#schema/definition/duration-text.ts";
import type { RetryPolicy } from "#schema/definition/retry.ts";
import { retryPresets } from "#schema/definition/retry-presets.ts";
import type { Delay } from "#schema/definition/timing.ts";
import type { Change, Warning } from "#schema/refusal.ts";
import { resolveRetry, retryTimetable } from "../execution/retries/retry.ts";
import { delayObject } from "../language/timing.ts";
import {
  graphOf,
  lineage,
  resolveTarget,
  targetList,
  transitionList,
  type Graph,
  type GraphNode,
} from "../programs/machine/graph.ts";
import { cronOf } from "../calendar/occurrences.ts";
import { pointer } from "../programs/machine/pointers.ts";
import { hint, warning } from "./finding.ts";

export function timeWarnings(definition: MachineDefinition): readonly Warning[] {
  const graph = graphOf(definition);
  const stayIn = openStateDurations(graph, definition);
  return (definition.actions ?? []).flatMap((action, n) => {
    const state = action.triggerState === undefined ? undefined : graph.get(action.triggerState);
    if (state === undefined) return [];
    const at = pointer("/actions", n);
    const stay = stayIn(state);
    const isBrief = state.node.type === "final" || stay?.ms === 0;
    const never =
      action.schedule !== undefined && isBrief ? [impossibleSchedule(cronOf(action.schedule), state, at)] : [];
    return stay === null || action.cancelOnExit === false
      ? never
      : [...never, ...workBeyondState(action, stay, at, definition)];
  });
}

/** How long a state is active. `by`: what leaves it, a delay or an `always` transition. */
type StateDuration = { readonly ms: number; readonly by: string };

/**
 * Returns a function that gives how long a state is active; null if only events leave it, or if the time is not known.
 * The delays of each state are read once.
 */
function openStateDurations(graph: Graph, definition: MachineDefinition): (state: GraphNode) => StateDuration | null {
  const ends = new Map<GraphNode, readonly TimedExit[]>();
  const known = new Map<GraphNode, StateDuration | null>();
  const look = (state: GraphNode): StateDuration | null => {
    const first = lineage(state).flatMap((at) => {
      const own = ends.get(at) ?? timedExits(graph, at, definition);
      ends.set(at, own);
      return own.find(({ to }) => to.some((path) => isOutside(path, state))) ?? [];
    });
    return first.toSorted(byMs)[0] ?? null;
  };
  return (state) => {
    const stay = known.has(state) ? (known.get(state) ?? null) : look(state);
    known.set(state, stay);
    return stay;
  };
}

/** A transition that leaves a state after a fixed time. `to`: the targets of the transition. */
type TimedExit = StateDuration & { readonly to: readonly string[] };

/** The transitions that leave the state after a fixed time, the soonest first. */
function timedExits(graph: Graph, at: GraphNode, definition: MachineDefinition): readonly TimedExit[] {
  const leading = (list: Transitions): readonly string[] => {
    const [first] = transitionList(list);
    if (first === undefined || first.guard !== undefined) return [];
    return targetList(first)
      .map((target) => resolveTarget(graph, at, target))
      .filter((path) => path !== null);
  };
  const timed = Object.entries(at.node.after ?? {}).flatMap(([key, list]): TimedExit[] => {
    const ms = fixedMs(key, definition);
    return ms === null ? [] : [{ ms, by: key, to: leading(list) }];
  });
  const { always } = at.node;
  const all = always === undefined ? timed : [...timed, { ms: 0, by: "always", to: leading(always) }];
  return all.toSorted(byMs);
}

function byMs(a: StateDuration, b: StateDuration): number {
  return a.ms - b.ms;
}

/**
 * Whether the target is outside the state. A transition to the state itself, or to a state inside it, does not leave
 * the state.
 */
function isOutside(target: string, { path }: GraphNode): boolean {
  return target !== path && !target.startsWith(`${path}.`);
}

function fixedMs(delay: Delay, { delays = {} }: MachineDefinition): number | null {
  const { offset, anchor, at, from } = delayObject(delay, delays) ?? {};
  if (offset === undefined || anchor !== undefined || at !== undefined || (from ?? "arming") !== "arming") return null;
  return typeof offset === "number" ? offset : lengthMs(offset);
}

function workBeyondState(
  action: ActionDefinition,
  stay: StateDuration,
  at: string,
  definition: MachineDefinition,
): readonly Warning[] {
  const waits = action.delay === undefined ? 0 : fixedMs(action.delay, definition);
  if (waits !== null && waits > stay.ms) return [delayBeyondState(action, stay, at)];
  const left = stay.ms - (waits ?? 0);
  return left <= 0
    ? []
    : [
        ...timeoutBeyondState(action, left, stay, at),
        ...retriesBeyondState(action, left, stay, at),
        ...dueDateBeyondState(action, left, stay, at),
      ];
}

function delayBeyondState({ actionId, triggerState }: ActionDefinition, { by }: StateDuration, at: string): Warning {
  const message = `the execution leaves ${String(triggerState)} (${by}) before the delay ends, which cancels ${actionId}: this action never starts`;
  const fix = 'Use a shorter delay, or keep the action when the state is left: "cancelOnExit": false.';
  return warning(pointer(at, "delay"), "delay_beyond_state", message, {
    fix,
    patch: [{ op: "add", path: pointer(at, "cancelOnExit"), value: false }],
  });
}

function timeoutBeyondState(
  { timeout, triggerState }: ActionDefinition,
  left: number,
  { by }: StateDuration,
  at: string,
): readonly Warning[] {
  if (timeout === undefined || timeout <= left) return [];
  const where = pointer(at, "timeout");
  const message = `the execution may leave ${String(triggerState)} (${by}) while the first attempt is in progress`;
  return [
    hint(where, "timeout_beyond_state", message, {
      fix: `Set a timeout of at most ${left}, or stay in the state longer.`,
      patch: [{ op: "replace", path: where, value: left }],
    }),
  ];
}

/**
 * Warns if the state is left before all attempts are made. The check uses the shortest retry timetable that is
 * possible, with the smallest jitter.
 */
function retriesBeyondState(
  { retryPolicy, triggerState }: ActionDefinition,
  left: number,
  { by }: StateDuration,
  at: string,
): readonly Warning[] {
  if (retryPolicy === undefined) return [];
  const policy = resolveRetry(retryPolicy, "default");
  const ladderMs = retryTimetable(policy).reduce((sum, { minMs }) => sum + minMs, 0);
  if (Math.min(ladderMs, policy.totalTimeMs ?? Infinity) <= left) return [];
  const where = pointer(at, "retryPolicy");
  const message = `the delays between attempts add up to ${ladderMs} ms, but the execution leaves ${String(triggerState)} earlier (${by}): the last attempts are never made`;
  const fix = `Limit the retries with "totalTimeMs": ${left}, or stay in the state longer.`;
  return [hint(where, "retries_beyond_state", message, { fix, patch: [limitRetries(retryPolicy, left, where)] })];
}

function limitRetries(policy: RetryPolicy | keyof typeof retryPresets, totalTimeMs: number, where: string): Change {
  if (typeof policy === "object") return { op: "add", path: pointer(where, "totalTimeMs"), value: totalTimeMs };
  const { maxAttempts, backoffStrategy, baseDelay, multiplier, jitter } = retryPresets[policy];
  return {
    op: "replace",
    path: where,
    value: { maxAttempts, backoffStrategy, baseDelay, multiplier, jitter, totalTimeMs },
  };
}

/** Warns if a task is due after its state is left. The engine then no longer waits for the task. */
function dueDateBeyondState(
  { type, config, triggerState }: ActionDefinition,
  left: number,
  { by }: StateDuration,
  at: string,
): readonly Warning[] {
  const due = type === "task" ? config["dueDate"] : null;
  if (typeof due !== "string" || !isDurationText(due) || lengthMs(due) <= left) return [];
  const where = pointer(at, "config", "dueDate");
  const message = `the execution leaves ${String(triggerState)} (${by}) before the task is due`;
  return [
    hint(where, "due_beyond_state", message, {
      fix: `Set a due date of at most ${by}, or stay in the state longer.`,
      patch: isDurationText(by) ? [{ op: "replace", path: where, value: by }] : null,
    }),
  ];
}

function impossibleSchedule(schedule: string, { path, node }: GraphNode, at: string): Warning {
  const why = node.type === "final" ? "is final" : "is left as soon as it is entered";
  const message = `the state ${path} ${why}, so the schedule ${schedule} never has an occurrence`;
  return warning(pointer(at, "schedule"), "schedule_never", message, {
    fix: "Name a triggerState that lasts longer, or remove the schedule.",
  });
}
