// Unhandled outcomes of actions. Also finds actions that are never started, and event types that are probably
// misspelled.
import type { ActionDefinition, ProgramAction } from "#schema/definition/action.ts";
import type { KeyLimit } from "#schema/definition/key-limit.ts";
import type { MachineDefinition } from "#schema/definition/definition.ts";
import { EVENT_TYPES_COMPARED_MAX } from "#schema/limits/definition-sizes.ts";
import { isReserved, isEngineEvent } from "#schema/engine/event.ts";
import { resultEvents } from "#schema/engine/result-events.ts";
import { arrivalEvents } from "#schema/reports/arrival-events.ts";
import type { Change, Warning } from "#schema/refusal.ts";
import {
  graphOf,
  nodeAt,
  resolveTarget,
  ROOT,
  targetList,
  transitionList,
  transitionsOf,
  type Graph,
  type GraphNode,
} from "../programs/machine/graph.ts";
import { pointer, statePointer } from "../programs/machine/pointers.ts";
import { withLimits } from "../programs/named-limits.ts";
import { hint, jsonOf, warning } from "./finding.ts";
import {
  isLeftByOtherEvent,
  isLeftByDelay,
  listenersIn,
  openActiveListeners,
  type Listeners,
  type FindActiveListener,
} from "./state-listeners.ts";
import { endEventWarnings } from "./child-and-task-ends.ts";
import { nearPairs } from "./near-names.ts";

export function outcomeWarnings(definition: MachineDefinition): readonly Warning[] {
  const graph = graphOf(definition);
  const { actions = [] } = definition;
  const listeners = listenersIn(graph);
  const findActiveListener = openActiveListeners(listeners);
  const starts = startsIn(graph, definition);
  return [
    ...actions.flatMap((action, n) => {
      const at = pointer("/actions", n);
      const from = starts.get(action.actionId);
      if (from === undefined) return [neverStarted(action, at)];
      const successTypes = [`action.${action.actionId}.ok`, ...successEventsOf(action, actions)];
      const isSkippable = maySkip(withLimits(definition, action));
      return unhandledOutcomes(action, at, { from: [...from], findActiveListener, successTypes, isSkippable });
    }),
    ...endEventWarnings(definition, graph, { listeners, findActiveListener }),
    ...misspelledEventWarnings(listeners),
  ];
}

/**
 * For each action, the states that may be active when the action starts. If an exit starts the action, these are all
 * states.
 */
function startsIn(graph: Graph, { actions = [] }: MachineDefinition): ReadonlyMap<string, ReadonlySet<GraphNode>> {
  const found = new Map<string, Set<GraphNode>>();
  const start = (id: string, at: GraphNode): void => void found.set(id, (found.get(id) ?? new Set()).add(at));
  const root = nodeAt(graph, ROOT);
  for (const { actionId, triggerState } of actions) {
    const at = triggerState === undefined ? undefined : graph.get(triggerState);
    if (at !== undefined) start(actionId, at);
  }
  for (const at of graph.values()) {
    for (const item of at.node.entry ?? []) if (typeof item === "string") start(item, at);
    for (const item of at.node.exit ?? []) if (typeof item === "string") start(item, root);
    for (const { list } of transitionsOf(at.node)) {
      for (const transition of transitionList(list)) {
        const targets = targetList(transition).map((target) => resolveTarget(graph, at, target) ?? ROOT);
        const into = targets.length === 0 ? [at] : targets.map((path) => nodeAt(graph, path));
        for (const id of transition.actions ?? []) into.forEach((each) => start(id, each));
      }
    }
  }
  return found;
}

function neverStarted({ actionId }: ActionDefinition, at: string): Warning {
  const fix =
    'Add a triggerState, name the action in "entry", in "exit" or in a transition\'s actions, or remove the action.';
  return warning(at, "action_never_started", `nothing starts the action ${actionId}`, { fix });
}

/**
 * Further event types that report the action's success, such as those of its type. They do not count if another action
 * of the same type sends them too.
 */
function successEventsOf({ type }: ActionDefinition, actions: readonly ActionDefinition[]): readonly string[] {
  if (actions.filter((each) => each.type === type).length > 1) return [];
  return [
    ...(resultEvents[type] ?? []),
    ...(arrivalEvents[type] ?? []),
    ...(type === "start_execution" ? ["child_completed"] : []),
  ];
}

type OutcomeListeners = {
  readonly from: readonly GraphNode[];
  readonly findActiveListener: FindActiveListener;
  /** The event types that report the action's success. */
  readonly successTypes: readonly string[];
  /** True if a run of the action may be skipped. */
  readonly isSkippable: boolean;
};

/**
 * Warnings about outcomes that no state handles. An execution that listens only for the success of its action waits
 * forever after another outcome.
 */
function unhandledOutcomes(
  action: ActionDefinition,
  at: string,
  { from, findActiveListener, successTypes, isSkippable }: OutcomeListeners,
): readonly Warning[] {
  const { actionId, onExhausted } = action;
  const isHeard = (types: readonly string[], start: GraphNode): boolean =>
    types.some((type) => findActiveListener(type, start) !== undefined);
  const waits = from.flatMap((start) => {
    return successTypes.flatMap((type) => {
      const waiting = findActiveListener(type, start);
      if (waiting === undefined || isLeftByDelay(start)) return [];
      return [{ start, waiting: pointer(statePointer(waiting.path), "on", type) }];
    });
  });
  const named = typeof onExhausted === "object" ? [onExhausted.event] : [];
  const failing = ["*", `action.${actionId}.failed`, ...named];
  // `onExhausted` set by the author decides what follows a failure, so the failure needs no warning.
  const deaf = typeof onExhausted === "string" ? undefined : waits.find(({ start }) => !isHeard(failing, start));
  const skipping = ["*", `action.${actionId}.skipped`];
  const passed = isSkippable ? waits.find(({ start }) => !isHeard(skipping, start)) : undefined;
  return [
    ...(deaf === undefined
      ? []
      : [
          unhandledFailure(
            action,
            at,
            deaf.waiting,
            isLeftByOtherEvent(deaf.start, [`action.${actionId}.`, "child_", ...successTypes]),
          ),
        ]),
    ...(passed === undefined ? [] : [unhandledSkip(action, passed.waiting)]),
  ];
}

function unhandledFailure({ actionId }: ActionDefinition, at: string, place: string, isLeft: boolean): Warning {
  const waits = isLeft ? "until another event or timer moves it" : "until an operator handles the dead letter";
  const message = `no state listens for action.${actionId}.failed: if ${actionId} fails permanently, the execution waits ${waits}`;
  const fix = `Listen for action.${actionId}.failed in the same state, or set onExhausted: "pause", "fail", or "deadLetter" if an operator should retry the action.`;
  const patch = [{ op: "add", path: pointer(at, "onExhausted"), value: "pause" } as const];
  return (isLeft ? hint : warning)(place, "failure_unhandled", message, { fix, patch });
}

function unhandledSkip({ actionId }: ActionDefinition, place: string): Warning {
  const message = `no state listens for action.${actionId}.skipped: if ${actionId} is skipped, the execution waits endlessly`;
  const fix = `Listen for action.${actionId}.skipped in the same state.`;
  return warning(place, "skip_unhandled", message, { fix });
}

/** A window skips a run only if the run expires before the opening, so that it has `validUntil` or `maxLateness`. */
function maySkip({ condition, validUntil, maxLateness, enabled, cap, limit = [] }: ProgramAction): boolean {
  const isConditional = condition !== undefined || validUntil !== undefined || maxLateness !== undefined;
  return isConditional || enabled === false || cap?.over === "skip" || limit.some(mayLimitSkip);
}

/** True for a limit by key that skips runs. The other terms let a run wait. */
function mayLimitSkip({ rate, debounce, singleton }: KeyLimit): boolean {
  return rate !== undefined || debounce !== undefined || singleton !== undefined;
}

/**
 * Warnings about event types that are probably two spellings of one type. Two types that one state uses are not
 * reported.
 */
function misspelledEventWarnings(listeners: Listeners): readonly Warning[] {
  const types = [...listeners].filter(([type]) => type !== "*" && !isReserved(type) && !isEngineEvent(type));
  if (types.length > EVENT_TYPES_COMPARED_MAX) return [];
  return nearPairs(types).flatMap(([one, other]) => {
    if (one[1].some(({ at }) => other[1].some((each) => each.at === at))) return [];
    const [[usual], [odd, places]] = other[1].length > one[1].length ? [other, one] : [one, other];
    return places.map(({ at, list }) => {
      const on = pointer(statePointer(at.path), "on");
      const message = `this state listens for ${odd}, and another state listens for ${usual}: one of the two names may be misspelled`;
      const patch: Change[] = [
        { op: "remove", path: pointer(on, odd) },
        { op: "add", path: pointer(on, usual), value: jsonOf(list) },
      ];
      return hint(pointer(on, odd), "event_misspelt", message, {
        fix: `If both names mean the same event, write "${usual}".`,
        patch,
      });
    });
  });
}
