// Events of a journey: an event is offered first to the goals, then to all active waits. All waits that accept the
// event use it. It is also kept for waits that are not reached yet.
import type { EventMessage } from "#schema/engine/event.ts";
import type { JourneyPosition } from "#schema/engine/state.ts";
import { JOURNEY_EVENTS_BUFFERED_BYTES_MAX, JOURNEY_EVENTS_BUFFERED_MAX } from "#schema/limits/executions.ts";
import { byteLength } from "../../language/json-values.ts";
import { BYTES_PER_UNIT, charge } from "../../computing/work.ts";
import { endIfRuleTrue, exitJourney, endIfAccepted } from "./begin-node.ts";
import { assignAll, isRuleTrue, markOf, type Draft } from "./move-draft.ts";
import { endIfAnswered } from "./await-answer.ts";
import { nodeOf, type Listener, type Plan, type PlanNode } from "./journey-plan.ts";
import { endIfEventAllows } from "./repeated-node.ts";

/** Delivers an event. Returns true if a goal or an active wait accepts it, or if it is kept for a later wait. */
export function offerToListeners(draft: Draft, message: EventMessage): boolean {
  if (exitByGoal(draft, ({ event }) => event === message.type)) return true;
  const listeners = listenersFor(draft.plan, message.type);
  const isKept = keepForLater(draft, message, listeners);
  let isTaken = false;
  for (const name of new Set(listeners.map(({ node }) => node))) {
    if (markOf(draft, name).status !== "waiting" || !offerTo(draft, nodeOf(draft.plan, name), message)) continue;
    draft.took.push(name);
    isTaken = true;
  }
  return isKept || isTaken;
}

/**
 * Offers the event to a node that listens for it: a wait, a repeated node, or a node that waits for an answer. Returns
 * true if the node has ended.
 */
function offerTo(draft: Draft, node: PlanNode, message: EventMessage): boolean {
  const { is } = node;
  if (is.kind === "wait") return endIfAccepted(draft, node, message, draft.at.now);
  return is.kind === "each" ? endIfEventAllows(draft, node, is, message) : endIfAnswered(draft, node, message);
}

type Goal = NonNullable<Plan["definition"]["exitWhen"]>[number];

/** Exits the journey at the first candidate goal whose rule is true. Returns false if no goal's rule is true. */
function exitByGoal(draft: Draft, isCandidate: (goal: Goal) => boolean): boolean {
  const { exitWhen = [] } = draft.plan.definition;
  const found = exitWhen.findIndex((goal, n) => {
    if (!isCandidate(goal)) return false;
    const { when, guard } = goal;
    const [field, rule] = when === undefined ? ["guard", guard] : ["when", when];
    return rule === undefined || isRuleTrue(draft, rule, `/exitWhen/${n}/${field}`);
  });
  const goal = exitWhen[found];
  if (goal === undefined) return false;
  assignAll(draft, goal.assign, `/exitWhen/${found}`);
  exitJourney(draft, `exitWhen/${found}`, goal);
  draft.took.push(`exitWhen/${found}`);
  return true;
}

/**
 * Evaluates the rules of goals and then of waits again, because a variable has changed. Returns true if one of them is
 * true.
 */
export function recheckAllRules(draft: Draft): boolean {
  if (draft.exit !== null) return false;
  if (exitByGoal(draft, ({ when }) => when !== undefined)) return true;
  const { plan } = draft;
  if (plan.recheckedNodes.size === 0) return false;
  for (const name of draft.states) {
    if (plan.recheckedNodes.has(name) && endIfRuleTrue(draft, nodeOf(plan, name), draft.at.now)) return true;
  }
  return false;
}

/**
 * Keeps the event for waits that are not reached yet. Returns true if one of them may accept it. If none of them has a
 * guard, only the first event of each type is kept, because no later one would be used.
 */
function keepForLater(draft: Draft, message: EventMessage, listeners: readonly Listener[]): boolean {
  const ahead = listeners.filter((each) => isAhead(draft.plan, draft, each));
  if (ahead.length === 0) return false;
  const isGuarded = ahead.some((each) => hasGuard(draft.plan, each));
  if (!isGuarded && draft.kept.some(({ type }) => type === message.type)) return true;
  const bytes = byteLength(JSON.stringify([...draft.kept, message]));
  charge(draft.work, bytes / BYTES_PER_UNIT);
  if (draft.kept.length >= JOURNEY_EVENTS_BUFFERED_MAX || bytes > JOURNEY_EVENTS_BUFFERED_BYTES_MAX) {
    const { id, type } = message;
    draft.commands.push({ kind: "say", entry: { kind: "event_dropped", event: id, type, reason: "too_many_kept" } });
    return true;
  }
  draft.kept = [...draft.kept, message];
  return true;
}

/** Removes kept events that no wait ahead can accept any more. */
export function dropUselessEvents(draft: Draft): void {
  if (!draft.mayDropKept || draft.kept.length === 0) return;
  const { plan } = draft;
  draft.kept = draft.kept.filter(({ type }) => listenersFor(plan, type).some((each) => isAhead(plan, draft, each)));
}

function listenersFor({ listeners }: Plan, type: string): readonly Listener[] {
  return listeners.get(type) ?? [];
}

export function isAhead(plan: Plan, at: Pick<JourneyPosition, "nodes">, { node }: Listener): boolean {
  const { is } = nodeOf(plan, node);
  const { status, awaits } = markOf(at, node);
  if (is.kind === "wait") return is.node.since !== "arrival" && status === "pending";
  if (is.kind === "each") return status === "pending";
  // A node whose action is still in progress counts as not reached, because its answer may arrive before the action's
  // result.
  return status === "waiting" && awaits === undefined;
}

function hasGuard(plan: Plan, { node, alternative }: Listener): boolean {
  const { is } = nodeOf(plan, node);
  if (is.kind === "each") return is.node.until?.guard !== undefined;
  return is.kind !== "wait" || is.node.for[alternative]?.guard !== undefined;
}
