// The start of a node, by its type: creates an action's runs, arms a timer, or chooses the outcome at once.
import type { EventMessage } from "#schema/engine/event.ts";
import type { JourneyExit } from "#schema/engine/state.ts";
import { assert } from "../../assert.ts";
import { chanceOf } from "../../execution/chance.ts";
import { assignAll, holds, putMark, markOf, sayWay, valueOf, type Draft } from "./move-draft.ts";
import {
  caseWay,
  delayTimer,
  expressionOf,
  forWay,
  NEXT,
  passedOver,
  placeOf,
  splitWay,
  timeoutTimer,
  type Kind,
  type PlanNode,
} from "./journey-plan.ts";
import { askEach, beginEach } from "./repeated-node.ts";
import { EXITED, finish } from "./tokens.ts";

export function begin(draft: Draft, node: PlanNode, planned: number): void {
  const { is, name } = node;
  if (is.kind === "acting") {
    // The condition of an action is evaluated when its run is due.
    draft.commands.push({ kind: "act", action: name, state: name, from: planned });
    return;
  }
  const { condition } = "condition" in is.node ? is.node : {};
  if (condition !== undefined && !holds(draft, condition, `${placeOf(name)}/condition`)) {
    return finish(draft, node, { status: "skipped", way: NEXT, planned, reason: "condition_false" });
  }
  switch (is.kind) {
    case "delay":
      return beginDelay(draft, node, is, planned);
    case "branch":
      return branch(draft, node, is, planned);
    case "wait":
      return beginWait(draft, node, is, planned);
    case "split":
      return split(draft, node, is, planned);
    case "exit":
      finish(draft, node, { status: "done", way: null, planned });
      return exitJourney(draft, name, is.node);
    case "each":
      return beginEach(draft, node, is, planned);
    case "journey":
      draft.commands.push({ kind: "act", action: name, state: name, from: planned });
      return;
  }
}

type Is<K extends Kind["kind"]> = Extract<Kind, { readonly kind: K }>;

function beginDelay(draft: Draft, { name }: PlanNode, { node }: Is<"delay">, planned: number): void {
  const { for: length, until = 0 } = node;
  const expression = expressionOf(length ?? until, name);
  const from = node.from === "done" ? draft.at.now : planned;
  const timer = delayTimer(name);
  draft.commands.push({ kind: "arm", timer, state: name, expression, from, onSkip: passedOver(name) });
}

function branch(draft: Draft, node: PlanNode, { node: { cases } }: Is<"branch">, planned: number): void {
  const { name } = node;
  const found = cases.findIndex(
    ({ guard }, n) => guard === undefined || holds(draft, guard, `${placeOf(name)}/cases/${n}/guard`),
  );
  const way = found < 0 ? null : caseWay(found);
  sayWay(draft, name, way ?? "none");
  finish(draft, node, { status: "done", way, planned });
}

function split(draft: Draft, node: PlanNode, { node: said }: Is<"split">, planned: number): void {
  const { name } = node;
  const { definition } = draft.plan;
  const execution = draft.scope["execution"] as { readonly id?: string }; // as the kernel builds it
  const by = said.by === undefined ? execution.id : valueOf(draft, said.by, `${placeOf(name)}/by`);
  const total = said.ways.reduce((sum, { weight }) => sum + weight, 0);
  let left = chanceOf(`${definition.name}/${name}/${typeof by === "string" ? by : JSON.stringify(by ?? null)}`) * total;
  // Rounding errors of the sum fall to the last way.
  const way = splitWay(
    said,
    said.ways.findIndex(({ weight }, n) => (left -= weight) < 0 || n === said.ways.length - 1),
  );
  sayWay(draft, name, way);
  finish(draft, node, { status: "done", way, planned });
}

function beginWait(draft: Draft, node: PlanNode, { node: said }: Is<"wait">, planned: number): void {
  const { name } = node;
  const { since = "enrolment", timeout } = said;
  draft.keptMayGo = true;
  for (const message of since === "arrival" ? [] : draft.kept) {
    if (!offerToWait(draft, node, message, planned)) continue;
    draft.commands.push({ kind: "say", entry: { kind: "event_replayed", event: message.id, type: message.type } });
    return;
  }
  if (recheckRules(draft, node, planned) || timeout === undefined) return;
  const expression = expressionOf(timeout.after, name);
  const timer = timeoutTimer(name);
  // The time limit starts when the node is reached, because its event is expected only from now on. If the limit is
  // already past, the node does not wait.
  draft.commands.push({ kind: "arm", timer, state: name, expression, onSkip: timer });
}

/**
 * Ends the wait if one of its alternatives accepts the event; returns whether one does. The first such alternative
 * decides the outcome.
 */
export function offerToWait(draft: Draft, node: PlanNode, message: EventMessage, planned: number): boolean {
  assert(node.is.kind === "wait", "only a wait has alternatives");
  const place = (n: number): string => `${placeOf(node.name)}/for/${n}`;
  const found = node.is.node.for.findIndex(
    ({ event, guard }, n) =>
      event === message.type && (guard === undefined || holds(draft, guard, `${place(n)}/guard`, message)),
  );
  const alternative = node.is.node.for[found];
  if (alternative === undefined) return false;
  assignAll(draft, alternative.assign, place(found), message);
  goOn(draft, node, found, planned);
  return true;
}

/** Ends the wait with this alternative without checking its guard, because an operator chose it. */
export function goOnWith(draft: Draft, node: PlanNode, alternative: number, message: EventMessage | null): void {
  assert(node.is.kind === "wait", "only a wait has alternatives");
  const said = node.is.node.for[alternative];
  assert(said, "the alternative that is named was found");
  assignAll(draft, said.assign, `${placeOf(node.name)}/for/${alternative}`, message ?? undefined);
  goOn(draft, node, alternative, draft.at.now);
}

/** Ends the wait if one of its rules is true now; returns whether one is. */
export function recheckRules(draft: Draft, node: PlanNode, planned: number): boolean {
  if (node.is.kind === "each") return askEach(draft, node, node.is);
  assert(node.is.kind === "wait", "only a wait has rules that are rechecked");
  const place = (n: number): string => `${placeOf(node.name)}/for/${n}`;
  const found = node.is.node.for.findIndex(
    ({ when }, n) => when !== undefined && holds(draft, when, `${place(n)}/when`),
  );
  const alternative = node.is.node.for[found];
  if (alternative === undefined) return false;
  assignAll(draft, alternative.assign, place(found));
  goOn(draft, node, found, planned);
  return true;
}

function goOn(draft: Draft, node: PlanNode, alternative: number, planned: number): void {
  const way = forWay(alternative);
  sayWay(draft, node.name, way);
  finish(draft, node, { status: "done", way, planned });
}

type Leaving = { readonly outcome?: JourneyExit["outcome"] | undefined; readonly compensate?: boolean | undefined };

/** Ends the whole journey: cancels everything in progress, except calls already sent. */
export function exitJourney(draft: Draft, by: string, { outcome = "completed", compensate = false }: Leaving): void {
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
