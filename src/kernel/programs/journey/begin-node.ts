// The start of a node, by its type: creates the runs of an action, arms a timer, or chooses an outcome immediately.
import type { EventMessage } from "#schema/engine/event.ts";
import type { JourneyExit } from "#schema/engine/state.ts";
import { assert } from "../../assert.ts";
import { chanceOf } from "../../execution/chance.ts";
import { assignAll, isRuleTrue, putMark, markOf, recordWay, valueOf, type Draft } from "./move-draft.ts";
import {
  caseWay,
  delayTimer,
  expressionOf,
  forWay,
  NEXT,
  passedOverEvent,
  nodePointer,
  splitWay,
  timeoutTimer,
  type Kind,
  type PlanNode,
} from "./journey-plan.ts";
import { endRepeatIfRuleTrue, beginRepeatedNode } from "./repeated-node.ts";
import { EXITED, endNode, PAST } from "./tokens.ts";

export function beginNode(draft: Draft, node: PlanNode, planned: number): void {
  const { is, name } = node;
  if (is.kind === "acting") {
    // Only the run is created here. The condition of its action is evaluated when the run is due.
    draft.commands.push({ kind: "act", action: name, state: name, from: planned, ...ifPast(draft, name) });
    return;
  }
  if (is.kind === "each" && markOf(draft, name).isPast && planned < draft.at.now) {
    return endNode(draft, node, { status: "skipped", way: NEXT, planned, reason: PAST });
  }
  const { condition } = "condition" in is.node ? is.node : {};
  if (condition !== undefined && !isRuleTrue(draft, condition, `${nodePointer(name)}/condition`)) {
    return endNode(draft, node, { status: "skipped", way: NEXT, planned, reason: "condition_false" });
  }
  switch (is.kind) {
    case "delay":
      return beginDelay(draft, node, is, planned);
    case "branch":
      return chooseCase(draft, node, is, planned);
    case "wait":
      return beginWait(draft, node, is, planned);
    case "split":
      return drawWay(draft, node, is, planned);
    case "exit":
      endNode(draft, node, { status: "done", way: null, planned });
      return exitJourney(draft, name, is.node);
    case "each":
      return beginRepeatedNode(draft, node, is, planned);
    case "journey":
      draft.commands.push({ kind: "act", action: name, state: name, from: planned, ...ifPast(draft, name) });
      return;
  }
}

/** The field of a command that skips the node's work if its instant is past. */
function ifPast(draft: Draft, name: string): { readonly skipsPast?: true } {
  return markOf(draft, name).isPast ? { skipsPast: true } : {};
}

type NodeOfKind<K extends Kind["kind"]> = Extract<Kind, { readonly kind: K }>;

function beginDelay(draft: Draft, { name }: PlanNode, { node }: NodeOfKind<"delay">, planned: number): void {
  const { for: length, until = 0 } = node;
  const expression = expressionOf(length ?? until, name);
  const from = node.from === "done" ? draft.at.now : planned;
  const timer = delayTimer(name);
  const onSkip = passedOverEvent(name);
  draft.commands.push({ kind: "arm", timer, state: name, expression, from, onSkip, ...ifPast(draft, name) });
}

function chooseCase(draft: Draft, node: PlanNode, { node: { cases } }: NodeOfKind<"branch">, planned: number): void {
  const { name } = node;
  const found = cases.findIndex(
    ({ guard }, n) => guard === undefined || isRuleTrue(draft, guard, `${nodePointer(name)}/cases/${n}/guard`),
  );
  const way = found < 0 ? null : caseWay(found);
  recordWay(draft, name, way ?? "none");
  endNode(draft, node, { status: "done", way, planned });
}

function drawWay(draft: Draft, node: PlanNode, { node: said }: NodeOfKind<"split">, planned: number): void {
  const { name } = node;
  const { definition } = draft.plan;
  const execution = draft.scope["execution"] as { readonly id?: string }; // The kernel has put the execution's id into the scope.
  const by = said.by === undefined ? execution.id : valueOf(draft, said.by, `${nodePointer(name)}/by`);
  const total = said.ways.reduce((sum, { weight }) => sum + weight, 0);
  let left = chanceOf(`${definition.name}/${name}/${typeof by === "string" ? by : JSON.stringify(by ?? null)}`) * total;
  // The shares may add up to slightly less than 1 because of rounding. The last way is then chosen.
  const way = splitWay(
    said,
    said.ways.findIndex(({ weight }, n) => (left -= weight) < 0 || n === said.ways.length - 1),
  );
  recordWay(draft, name, way);
  endNode(draft, node, { status: "done", way, planned });
}

function beginWait(draft: Draft, node: PlanNode, { node: said }: NodeOfKind<"wait">, before: number): void {
  const { name } = node;
  const { since = "enrolment", timeout } = said;
  // A wait has no instant of its own. If the steps before it were skipped as past, the journey continues from now.
  const planned = markOf(draft, name).isPast ? draft.at.now : before;
  draft.mayDropKept = true;
  for (const message of since === "arrival" ? [] : draft.kept) {
    if (!endIfAccepted(draft, node, message, planned)) continue;
    draft.commands.push({ kind: "say", entry: { kind: "event_replayed", event: message.id, type: message.type } });
    return;
  }
  if (endIfRuleTrue(draft, node, planned) || timeout === undefined) return;
  const expression = expressionOf(timeout.after, name);
  const timer = timeoutTimer(name);
  // The time limit starts when the node is reached, because its event is expected only from then on. If the limit is
  // already past, its event is sent instead, which ends the wait.
  draft.commands.push({ kind: "arm", timer, state: name, expression, onSkip: timer });
}

/**
 * Ends the wait if one of its alternatives accepts the event. If several accept it, the first one gives the outcome.
 * Returns true if the wait has ended.
 */
export function endIfAccepted(draft: Draft, node: PlanNode, message: EventMessage, planned: number): boolean {
  assert(node.is.kind === "wait", "only a node of type wait can have alternatives");
  const place = (n: number): string => `${nodePointer(node.name)}/for/${n}`;
  const found = node.is.node.for.findIndex(
    ({ event, guard }, n) =>
      event === message.type && (guard === undefined || isRuleTrue(draft, guard, `${place(n)}/guard`, message)),
  );
  const alternative = node.is.node.for[found];
  if (alternative === undefined) return false;
  assignAll(draft, alternative.assign, place(found), message);
  endWithAlternative(draft, node, found, planned);
  return true;
}

/** Ends the wait with this alternative. An operator has chosen it, so its guard is not evaluated. */
export function endByOperator(draft: Draft, node: PlanNode, alternative: number, message: EventMessage | null): void {
  assert(node.is.kind === "wait", "only a node of type wait can have alternatives");
  const said = node.is.node.for[alternative];
  assert(said, "the named alternative must exist");
  assignAll(draft, said.assign, `${nodePointer(node.name)}/for/${alternative}`, message ?? undefined);
  endWithAlternative(draft, node, alternative, draft.at.now);
}

/** Ends the wait if one of its rules is true now. Returns true if the wait has ended. */
export function endIfRuleTrue(draft: Draft, node: PlanNode, planned: number): boolean {
  if (node.is.kind === "each") return endRepeatIfRuleTrue(draft, node, node.is);
  assert(node.is.kind === "wait", "only a node of type wait can have rules that are rechecked");
  const place = (n: number): string => `${nodePointer(node.name)}/for/${n}`;
  const found = node.is.node.for.findIndex(
    ({ when }, n) => when !== undefined && isRuleTrue(draft, when, `${place(n)}/when`),
  );
  const alternative = node.is.node.for[found];
  if (alternative === undefined) return false;
  assignAll(draft, alternative.assign, place(found));
  endWithAlternative(draft, node, found, planned);
  return true;
}

function endWithAlternative(draft: Draft, node: PlanNode, alternative: number, planned: number): void {
  const way = forWay(alternative);
  recordWay(draft, node.name, way);
  endNode(draft, node, { status: "done", way, planned });
}

type ExitSettings = {
  readonly outcome?: JourneyExit["outcome"] | undefined;
  readonly compensate?: boolean | undefined;
};

/** Ends the whole journey, and cancels everything in progress. Calls that were already sent are not aborted. */
export function exitJourney(
  draft: Draft,
  by: string,
  { outcome = "completed", compensate = false }: ExitSettings,
): void {
  draft.exit = { by, at: draft.at.now, outcome, ...(compensate ? { compensates: true } : {}) };
  for (const name of draft.states) {
    const mark = markOf(draft, name);
    if (mark.status !== "waiting") continue;
    putMark(draft, name, { ...mark, status: "skipped", reason: EXITED });
    draft.counts.skipped += 1;
  }
  draft.states = [];
  draft.commands.push({ kind: "stop", reason: EXITED });
  draft.commands.push({ kind: "say", entry: { kind: "exited", by, outcome } });
}
