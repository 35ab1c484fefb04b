// What actions come to and nobody hears of, actions that nothing starts, and events that are probably one misspelt.
import type { ActionDefinition } from "#schema/definition/action.ts";
import type { MachineDefinition, Transitions } from "#schema/definition/definition.ts";
import { EVENT_TYPES_COMPARED_MAX } from "#schema/limits/kernel.ts";
import { isTold } from "#schema/engine/event.ts";
import type { Change, Warning } from "#schema/refusal.ts";
import {
  graphOf,
  lineage,
  nodeAt,
  resolveTarget,
  ROOT,
  targetList,
  transitionList,
  transitionsOf,
  type Graph,
  type GraphNode,
} from "../programs/machine/graph.ts";
import { pointer, statePointer } from "../programs/machine/places.ts";
import { isReserved } from "../programs/program.ts";
import { hint, jsonOf, warning } from "./finding.ts";
import { nearPairs } from "./near-names.ts";

export function heardWarnings(definition: MachineDefinition): readonly Warning[] {
  const graph = graphOf(definition);
  const listeners = listenersIn(graph);
  const starts = startsIn(graph, definition);
  return [
    ...(definition.actions ?? []).flatMap((action, n) => {
      const at = pointer("/actions", n);
      const from = starts.get(action.actionId);
      return from === undefined ? [neverStarted(action, at)] : unheard(action, at, [...from], listeners);
    }),
    ...misspelt(listeners),
  ];
}

type Listener = { readonly at: GraphNode; readonly list: Transitions };
type Listeners = ReadonlyMap<string, readonly Listener[]>;

function listenersIn(graph: Graph): Listeners {
  const found = new Map<string, Listener[]>();
  for (const at of graph.values()) {
    for (const [type, list] of Object.entries(at.node.on ?? {})) {
      const others = found.get(type) ?? [];
      others.push({ at, list });
      found.set(type, others);
    }
  }
  return found;
}

/** In which state the machine stands when an action starts; whatever is left, it may be anywhere. */
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
  const fix = "Give it a triggerState, name it under entry, exit or a transition's actions, or take it out.";
  return warning(at, "action_never_started", `nothing starts ${actionId}`, { fix });
}

/** Waiting for `.ok` alone is waiting for ever, once it has come to something else. */
function unheard(
  action: ActionDefinition,
  at: string,
  from: readonly GraphNode[],
  listeners: Listeners,
): readonly Warning[] {
  const { actionId, onExhausted } = action;
  const where = (type: string, start: GraphNode): GraphNode | undefined =>
    listeners.get(type)?.find(({ at }) => areTogether(at, start))?.at;
  const isHeard = (types: readonly string[], start: GraphNode): boolean =>
    types.some((type) => where(type, start) !== undefined);
  const waits = from.flatMap((start) => {
    const waiting = where(`action.${actionId}.ok`, start);
    return waiting === undefined || isTimed(start) ? [] : [{ start, waiting }];
  });
  const named = typeof onExhausted === "object" ? [onExhausted.event] : [];
  const failing = ["*", `action.${actionId}.failed`, ...named];
  // Whoever says what becomes of it, be it a dead letter for a person to send again, has thought of it.
  const deaf = typeof onExhausted === "string" ? undefined : waits.find(({ start }) => !isHeard(failing, start));
  const skipping = ["*", `action.${actionId}.skipped`];
  const passed = maySkip(action) ? waits.find(({ start }) => !isHeard(skipping, start)) : undefined;
  return [
    ...(deaf === undefined ? [] : [failedUnheard(action, at, deaf.waiting, isLeftOtherwise(deaf.start, actionId))]),
    ...(passed === undefined ? [] : [skippedUnheard(action, passed.waiting)]),
  ];
}

function failedUnheard({ actionId }: ActionDefinition, at: string, waiting: GraphNode, isLeft: boolean): Warning {
  const place = pointer(statePointer(waiting.path), "on", `action.${actionId}.ok`);
  const waits = isLeft ? "until something else moves it" : "until a person deals with the dead letter";
  const message = `when ${actionId} fails for good, nobody hears action.${actionId}.failed: it waits ${waits}`;
  const fix =
    `Listen for action.${actionId}.failed beside it, or say what is to become of it: "onExhausted": "pause", "fail", ` +
    `or "deadLetter", where a person is to send it again.`;
  const patch = [{ op: "add", path: pointer(at, "onExhausted"), value: "pause" } as const];
  return (isLeft ? hint : warning)(place, "failure_unheard", message, { fix, patch });
}

function skippedUnheard({ actionId }: ActionDefinition, waiting: GraphNode): Warning {
  const place = pointer(statePointer(waiting.path), "on", `action.${actionId}.ok`);
  const message = `${actionId} may be skipped, and nobody hears action.${actionId}.skipped: it would wait for ever`;
  const fix = `Listen for action.${actionId}.skipped beside it.`;
  return warning(place, "skip_unheard", message, { fix });
}

function maySkip({ condition, validUntil, maxLateness, enabled }: ActionDefinition): boolean {
  return condition !== undefined || validUntil !== undefined || maxLateness !== undefined || enabled === false;
}

/** Both may be active at once: one stands in the other, or they are in different regions. */
function areTogether(a: GraphNode, b: GraphNode): boolean {
  const above = lineage(a);
  const below = new Set(lineage(b));
  const meeting = above.find((each) => below.has(each));
  return meeting === a || meeting === b || meeting?.node.type === "parallel";
}

function isTimed(start: GraphNode): boolean {
  return lineage(start).some(({ node }) =>
    Object.values(node.after ?? {}).some((list) => transitionList(list).some(({ target }) => target !== undefined)),
  );
}

/** Some other event leads out of it. */
function isLeftOtherwise(start: GraphNode, actionId: string): boolean {
  return lineage(start).some(({ node }) =>
    Object.entries(node.on ?? {}).some(
      ([type, list]) =>
        !type.startsWith(`action.${actionId}.`) && transitionList(list).some(({ target }) => target !== undefined),
    ),
  );
}

/** The same event under two spellings: never listened for in one place, where their author had both before him. */
function misspelt(listeners: Listeners): readonly Warning[] {
  const types = [...listeners].filter(([type]) => type !== "*" && !isReserved(type) && !isTold(type));
  if (types.length > EVENT_TYPES_COMPARED_MAX) return [];
  return nearPairs(types).flatMap(([one, other]) => {
    if (one[1].some(({ at }) => other[1].some((each) => each.at === at))) return [];
    const [[usual], [odd, places]] = other[1].length > one[1].length ? [other, one] : [one, other];
    return places.map(({ at, list }) => {
      const on = pointer(statePointer(at.path), "on");
      const message = `here it listens for ${odd}, elsewhere for ${usual}: are they one event?`;
      const patch: Change[] = [
        { op: "remove", path: pointer(on, odd) },
        { op: "add", path: pointer(on, usual), value: jsonOf(list) },
      ];
      return hint(pointer(on, odd), "event_misspelt", message, { fix: `If so, write "${usual}".`, patch });
    });
  });
}
