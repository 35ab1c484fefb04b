// Operator control of nodes: skips a node, or ends its wait. A node that is not reached yet is only marked, and skipped
// when it is reached. A node with a run is handled by the verbs for runs.
import type { EventMessage } from "#schema/engine/event.ts";
import type { NodeMark } from "#schema/engine/state.ts";
import type { Refusal } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import type { NodeRequest } from "../../execution/program.ts";
import { endByAnswer, giveUpWaiting, isAsking } from "./await-answer.ts";
import { goOnWith } from "./begin-node.ts";
import { isOpenFailure, markOf, putMark, sayWay, type Draft } from "./move-draft.ts";
import { delayTimer, forWay, heardBy, NEXT, TIMEOUT, type Plan, type PlanNode } from "./journey-plan.ts";
import { enough } from "./repeated-node.ts";
import { finish } from "./tokens.ts";

/** done: the draft contains the result. run: the draft is unchanged, because the verbs for runs handle this node. */
export type Change =
  | { readonly kind: "done"; readonly as: string; readonly message: EventMessage | null }
  | { readonly kind: "run" }
  | { readonly kind: "refused"; readonly refusal: Refusal };

export function controlIn(draft: Draft, ask: NodeRequest): Change {
  const { plan } = draft;
  const node = plan.nodes.get(ask.node);
  if (node === undefined) return { kind: "refused", refusal: noNode(plan, ask.node) };
  if (draft.exit !== null) {
    return no(
      `the journey was exited by ${draft.exit.by}`,
      "Actions in progress end on their own; cancel the execution to stop the rest.",
    );
  }
  const mark = markOf(draft, ask.node);
  if (mark.status !== "pending" && mark.status !== "waiting" && !isOpenFailure(mark)) {
    const why = mark.reason === undefined ? "" : ` (${mark.reason})`;
    return no(
      `${ask.node} is already ${mark.status}${why}`,
      "The nodes after it can be skipped or completed: GET the execution shows its current position.",
    );
  }
  return ask.kind === "skip" ? passOver(draft, node, mark, ask.hasResult) : end(draft, node, mark, ask);
}

const BY_HAND = "by_hand";

function passOver(draft: Draft, node: PlanNode, mark: NodeMark, hasResult: boolean): Change {
  const { name, is, out } = node;
  if (mark.status !== "pending" && isUpToItsRun(node, mark)) return { kind: "run" };
  if (hasResult) return no(`${name} cannot have a result yet`, isAsking(node) ? COMPLETE : "Skip it without a result.");
  if (out.length > 0 && !out.some(({ ways }) => ways.includes(NEXT))) {
    const ways = out.map((edge) => edge.ways.join(", ")).join(", ");
    return no(
      `${name} has no next, only its own ways (${ways}), so everything after it would be skipped too`,
      COMPLETE,
    );
  }
  if (mark.status === "pending") return ahead(draft, name, mark);
  if (is.kind === "delay") draft.commands.push({ kind: "disarm", timer: delayTimer(name) });
  finish(draft, node, { status: "skipped", way: NEXT, planned: draft.at.now, reason: BY_HAND });
  // The answer is not awaited any more.
  if (mark.awaits !== undefined) draft.commands.push({ kind: "leave", state: name });
  return done(NEXT);
}

/**
 * Whether the node is controlled through its run. Once reached, an action or a child continues when its run ends,
 * unless it awaits an answer.
 */
function isUpToItsRun({ is }: PlanNode, { awaits }: NodeMark): boolean {
  return awaits === undefined && (is.kind === "acting" || is.kind === "journey");
}

const COMPLETE = "Complete it once it waits, and choose the way with `as`.";

function ahead(draft: Draft, name: string, mark: NodeMark): Change {
  if (mark.unwanted)
    return no(`${name} is already marked to be skipped when it is reached`, "No further call is needed.");
  putMark(draft, name, { ...mark, unwanted: true });
  return done(NEXT);
}

function end(draft: Draft, node: PlanNode, mark: NodeMark, ask: Extract<NodeRequest, { kind: "complete" }>): Change {
  const { name } = node;
  if (mark.status === "pending")
    return no(`${name} has not been reached`, "Complete it once it waits, or skip it in advance.");
  if (isUpToItsRun(node, mark)) return { kind: "run" };
  const ways = waysOutOf(node);
  if (ways.length === 0) return no(`${name} waits for a time`, "Skip it, or fire its timer now with run-now.");
  const only = ways.length === 1 ? ways[0] : undefined;
  const named = ask.as === null ? only : ways.find(({ way, type }) => way === ask.as || type === ask.as);
  if (named === undefined) return { kind: "refused", refusal: whichWay(name, ways) };
  const message = named.type === null ? null : ask.told(named.type, mark.awaits ?? null);
  go(draft, node, named, message);
  return done(named.type ?? named.way, message);
}

/**
 * A possible end of a wait. `way`: its name in the journal. `type`: the event that has this effect; null if none has.
 */
type WayOut = { readonly way: string; readonly type: string | null; readonly alternative: number };

function waysOutOf(node: PlanNode): readonly WayOut[] {
  const { is } = node;
  const heard = heardBy(is).map((type, alternative): WayOut => {
    return {
      way: is.kind === "wait" ? forWay(alternative) : is.kind === "each" ? "until" : NEXT,
      type: type ?? null,
      alternative,
    };
  });
  const isTimed = is.kind === "wait" ? is.node.timeout : is.kind === "acting" ? is.node.await?.timeout : undefined;
  return isTimed === undefined ? heard : [...heard, { way: TIMEOUT, type: null, alternative: -1 }];
}

function go(draft: Draft, node: PlanNode, { way, alternative }: WayOut, message: EventMessage | null): void {
  const { now } = draft.at;
  if (node.is.kind === "each") return enough(draft, node);
  if (node.is.kind !== "wait") {
    return message === null ? giveUpWaiting(draft, node, now) : endByAnswer(draft, node, message);
  }
  if (way !== TIMEOUT) return goOnWith(draft, node, alternative, message);
  sayWay(draft, node.name, way);
  finish(draft, node, { status: "done", way, planned: now });
}

function whichWay(name: string, ways: readonly WayOut[]): Refusal {
  const known = ways.map(({ type, way }) => type ?? way).join(", ");
  const message = `${name} continues in one of several ways: ${known}`;
  return {
    code: "invalid_input",
    message,
    errors: [{ pointer: "/as", code: "unknown_way", message, hint: "Choose one with `as`." }],
  };
}

function noNode(plan: Plan, name: string): Refusal {
  const guess = didYouMean(name, [...plan.nodes.keys()]);
  const message = `the journey has no node ${name}`;
  return { code: "not_found", message, ...(guess ? { hint: `Did you mean ${guess}?` } : {}) };
}

function done(as: string, message: EventMessage | null = null): Change {
  return { kind: "done", as, message };
}

function no(message: string, hint: string): Change {
  return { kind: "refused", refusal: { code: "verb_not_applicable", message, hint } };
}
