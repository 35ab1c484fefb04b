// The journey kind: a graph without cycles. Every edge ends exactly once, either taken or dead, and a node starts at
// most once. No join therefore waits forever, and the size of the position is limited. See journey-plan.ts, tokens.ts
// and begin-node.ts.
import { isReserved } from "#schema/engine/event.ts";
import type { JourneyDefinition } from "#schema/definition/journey.ts";
import type { Delay, NamedDelay } from "#schema/definition/timing.ts";
import type { JourneyExit, JourneyPosition, Position } from "#schema/engine/state.ts";
import type { RestartPoint } from "#schema/family/restart.ts";
import { assert } from "../../assert.ts";
import { sentenceOf } from "../../computing/fault.ts";
import { isExhausted, type Work } from "../../computing/work.ts";
import {
  PATCHED,
  type Move,
  type NodeRequest,
  type EventTiming,
  type Program,
  type ProgramEnding,
  type NodeControl,
} from "../../execution/program.ts";
import { failedEnding, placesOf } from "../place-names.ts";
import { actionsOf } from "./node-actions.ts";
import { closePosition, recordLateResult } from "./closed-position.ts";
import { datedNodes, endedNodesOf, reactivateNode } from "./dated-nodes.ts";
import { giveUpWaiting, failedChildNode } from "./await-answer.ts";
import { beginNode } from "./begin-node.ts";
import { isOpenFailure, markOf, messageOf, openDraft, positionOf, recordWay, type Draft } from "./move-draft.ts";
import { offerToListeners, isAhead, dropUselessEvents, recheckAllRules } from "./events.ts";
import { canTurnToSuccess } from "./failed-node.ts";
import {
  awaitedEventTypes,
  kindOf,
  NEXT,
  nodeOf,
  planOf,
  TIMEOUT,
  ownDelayName,
  type Kind,
  type Plan,
  type NodeTimer,
} from "./journey-plan.ts";
import { NOT_DECIDED, notDecidedError } from "../../waiting/deadlines.ts";
import { hasExited } from "../../waiting/ending-execution.ts";
import { joinsOf, listenersOf } from "./listeners.ts";
import { applyRunResult, resultIn, recordLateSuccess } from "./run-outcomes.ts";
import { startNextItems } from "./repeated-node.ts";
import { controlDraft } from "./control-node.ts";
import { nodesStartingAgain, restartAt } from "./restart-at-node.ts";
import { nextCompensation } from "./compensation.ts";
import { ALREADY_PAST, endNode, PAST, propagateTokens } from "./tokens.ts";

export function journeyProgram(definition: JourneyDefinition): Program<JourneyDefinition> {
  const plan = planOf(definition);
  const anchored = datedNodes(definition);
  const types = [...plan.listeners.keys(), ...(definition.exitWhen ?? []).flatMap(({ event }) => event ?? [])];
  return {
    definition,
    delays: { ...definition.delays, ...delaysIn(definition) },
    actions: new Map(actionsOf(definition).map(({ action }) => [action.actionId, action])),
    begin: (variables, scope, work, at) =>
      catchFaults(work, () => {
        const draft = openDraft({ plan, scope, work, variables, at }, null);
        for (const edge of plan.starts) draft.tokens.push({ edge, taken: true, planned: at.now });
        return completeMove(draft);
      }),
    beginAt: (from, before, variables, scope, work, at) =>
      catchFaults(work, () => {
        const draft = openDraft({ plan, scope, work, variables, at }, null);
        restartAt(draft, journeyAt(before), nodeIn(from));
        return completeMove(draft);
      }),
    react: (position, variables, type, scope, work, at) =>
      catchFaults(work, () => {
        const standing = journeyAt(position);
        const draft = openDraft({ plan, scope, work, variables, at }, standing);
        if (standing.done) return recordResultAfterExit(draft, type);
        const isTaken = applyTrigger(draft, type);
        return isTaken || hasRecheckedRules(plan) ? completeMove(draft, isTaken) : null;
      }),
    eventTiming: (position, type) => eventTimingAt(plan, journeyAt(position), type),
    awaits: (position, type) => awaitsSuccess(plan, journeyAt(position), type),
    waitsFor: (position) => waitsFor(plan, journeyAt(position)),
    listeners: (position) => listenersOf(plan, journeyAt(position)),
    refusesEarly: false,
    ending: (position) => endingOf(journeyAt(position)),
    places: {
      field: "node",
      names: () => placesOf(definition),
      excludes: () => null,
      hasPosition: ({ kind }) => kind === "journey",
    },
    eventTypes: [...new Set(types)].filter((type) => !isReserved(type)),
    nodes: {
      controlNode: (position, variables, ask, scope, work, at) =>
        controlledNode(openDraft({ plan, scope, work, variables, at }, journeyAt(position)), ask),
      close: (position, reason) => closePosition(journeyAt(position), reason),
      recordLateResult: (position, type) => recordLateResult(plan, journeyAt(position), type),
      endedNodes: (position) => endedNodesOf(anchored, journeyAt(position)),
      mayReactivate: (position) => !hasExited(position),
      reactivate: (position, node) => reactivateNode(journeyAt(position), node),
      joins: (position) => joinsOf(plan, journeyAt(position)),
      restartedActions: (before, from) => nodesStartingAgain(plan, journeyAt(before), nodeIn(from)),
      statusOf: (position, node) => (plan.nodes.has(node) ? markOf(journeyAt(position), node).status : null),
      isRepeated: (node) => definition.nodes[node]?.type === "each",
    },
    undo: (position, runs) => nextCompensation(plan, journeyAt(position), runs),
  };
}

function endingOf({ exit, nodes, counts }: JourneyPosition): ProgramEnding {
  if (exit !== undefined) return endingByExit(exit);
  if (counts.failed === 0) return { status: "completed" };
  const undecided = Object.keys(nodes).find((name) => markOf({ nodes }, name).reason === NOT_DECIDED);
  if (undecided !== undefined) return { status: "failed", error: notDecidedError(undecided) };
  const lost = failedChildNode(nodes);
  if (lost === null) return { status: "completed" };
  return failedEnding("journey", `at ${lost}: the child did not complete, and the node has no onFailed`);
}

function endingByExit({ outcome, by }: JourneyExit): ProgramEnding {
  switch (outcome) {
    case "completed":
      return { status: "completed" };
    case "failed":
      return failedEnding("journey", `by ${by}`);
    case "canceled":
      return { status: "canceled", reason: "journey" };
  }
}

function nodeIn(from: RestartPoint): string {
  assert("node" in from, "a restart of a journey must name a node");
  return from.node;
}

function journeyAt(position: Position): JourneyPosition {
  assert(
    position.kind === "journey",
    "an execution must keep the kind of its definition (machine, journey or reconciler)",
  );
  return position;
}

/** The delay objects inside nodes, each by the name under which the plan lists it. */
function delaysIn({ nodes }: JourneyDefinition): { readonly [name: string]: NamedDelay } {
  const found = Object.entries(nodes).flatMap(([name, node]) => {
    const is = kindOf(node);
    const delay = delayObjectIn(is);
    return typeof delay === "object" ? [[ownDelayName(name), delay] as const] : [];
  });
  return Object.fromEntries(found);
}

/** The delay object of a node; a node has at most one. The delay of its action is not included. */
function delayObjectIn(is: Kind): Delay | undefined {
  switch (is.kind) {
    case "delay":
      return is.node.until;
    case "wait":
      return is.node.timeout?.after;
    case "each":
      return is.node.every;
    case "acting":
      return is.node.await?.timeout;
    case "branch":
    case "split":
    case "journey":
    case "exit":
      return undefined;
  }
}

/**
 * Applies the trigger to the draft. Returns true if the trigger itself has an effect, apart from rules that are
 * evaluated again.
 */
function applyTrigger(draft: Draft, type: string): boolean {
  const { plan } = draft;
  const timed = plan.timers.get(type);
  if (timed !== undefined) return applyTimer(draft, timed);
  const result = resultIn(plan, type);
  if (result !== null) return applyRunResult(draft, result.node, result.result);
  const message = messageOf(draft);
  assert(message, "every input that a program reacts to must be a message");
  return type !== PATCHED && offerToListeners(draft, message);
}

function applyTimer(draft: Draft, { node: name, isPassedOver }: NodeTimer): boolean {
  const node = nodeOf(draft.plan, name);
  const { planned } = draft.at;
  if (markOf(draft, name).status !== "waiting") return false;
  draft.took.push(name);
  if (node.is.kind === "wait") {
    recordWay(draft, name, TIMEOUT);
    endNode(draft, node, { status: "done", way: TIMEOUT, planned });
  } else if (node.is.kind === "each") {
    startNextItems(draft, node, node.is, planned);
  } else if (node.is.kind === "acting") {
    giveUpWaiting(draft, node, planned);
  } else if (isPassedOver) {
    const reason = markOf(draft, name).isPast ? PAST : ALREADY_PAST;
    endNode(draft, node, { status: "skipped", way: NEXT, planned, reason });
  } else endNode(draft, node, { status: "done", way: NEXT, planned });
  return true;
}

/**
 * Records the result of an action that was still in progress when the journey was exited. The nodes after it do not
 * start.
 */
function recordResultAfterExit(draft: Draft, type: string): Move | null {
  const found = resultIn(draft.plan, type);
  return found?.result === "ok" && recordLateSuccess(draft, found.node) ? moveFromDraft(draft) : null;
}

function hasRecheckedRules({ recheckedNodes, definition: { exitWhen = [] } }: Plan): boolean {
  return recheckedNodes.size > 0 || exitWhen.some(({ when }) => when !== undefined);
}

/** Completes the move: starts all nodes that follow. Returns null if the move has changed nothing. */
function completeMove(draft: Draft): Move;
function completeMove(draft: Draft, isTaken: boolean): Move | null;
function completeMove(draft: Draft, isTaken = true): Move | null {
  propagateTokens(draft, beginNode);
  let hasMoved = isTaken;
  while (recheckAllRules(draft)) {
    hasMoved = true;
    propagateTokens(draft, beginNode);
  }
  if (!hasMoved) return null;
  dropUselessEvents(draft);
  for (const [reason, nodes] of draft.skipped) {
    draft.commands.push({ kind: "say", entry: { kind: "nodes_skipped", nodes, reason } });
  }
  return moveFromDraft(draft);
}

function moveFromDraft(draft: Draft): Move {
  const { variables, commands, took } = draft;
  return { ok: true, position: positionOf(draft), variables, commands, took };
}

function controlledNode(draft: Draft, ask: NodeRequest): NodeControl {
  const change = catchFaults(draft.work, () => controlDraft(draft, ask));
  if ("ok" in change) return { kind: "moved", move: change, message: null, as: NEXT };
  if (change.kind !== "done") return change;
  const { as, message } = change;
  return { kind: "moved", move: catchFaults(draft.work, () => completeMove(draft)), message, as };
}

type Failed = Extract<Move, { ok: false }>;

function catchFaults<T>(work: Work, run: () => T): T | Failed {
  try {
    return run();
  } catch (thrown) {
    const message = sentenceOf(thrown, "");
    if (message === "") throw thrown;
    return { ok: false, code: isExhausted(work) ? "too_costly" : "rule_fault", message };
  }
}

function eventTimingAt(plan: Plan, position: JourneyPosition, type: string): EventTiming {
  const isGoal = (plan.definition.exitWhen ?? []).some(({ event }) => event === type);
  const listeners = plan.listeners.get(type) ?? [];
  if (!isGoal && listeners.length === 0) return "unknown";
  if (position.done) return "late";
  const isWanted = listeners.some(
    (each) => markOf(position, each.node).status === "waiting" || isAhead(plan, position, each),
  );
  return isGoal || isWanted ? "now" : "late";
}

/**
 * Whether a success of the node's action still has an effect. Either the node waits for its action, or the action has
 * failed and an operator may retry it.
 */
function awaitsSuccess(plan: Plan, position: JourneyPosition, type: string): boolean {
  const result = resultIn(plan, type);
  if (result === null || position.done) return false;
  const mark = markOf(position, result.node.name);
  return mark.status === "waiting" || isOpenFailure(mark) || canTurnToSuccess(position, result.node, mark);
}

/**
 * The event types that can move the position. The patch event is one of them if the position waits for a rule, because
 * a patch can make the rule true.
 */
function waitsFor(plan: Plan, position: JourneyPosition): readonly string[] {
  if (position.done) return [];
  const waiting = position.states.flatMap((name) => {
    const { is } = nodeOf(plan, name);
    const { status, awaits } = markOf(position, name);
    const isReady = is.kind === "wait" || is.kind === "each" || awaits !== undefined;
    return isReady && status === "waiting" ? awaitedEventTypes(is) : [];
  });
  const goals = (plan.definition.exitWhen ?? []).map(({ event }) => event);
  return [...new Set([...waiting, ...goals].map((event = PATCHED) => event))];
}
