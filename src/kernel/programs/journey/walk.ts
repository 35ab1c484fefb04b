// Tokens on their way: each edge ends taken or dead, once; a node begins once enough of the ways that lead to it are taken,
// and is skipped once that cannot be any more. What beginning means stands in begin.ts.
import type { NodeMark } from "#schema/engine/state.ts";
import { spend, workOf } from "../../computing/work.ts";
import { markOf, putMark, type Draft, type Token } from "./draft.ts";
import { everyTimer, NEXT, nodeOf, timeoutTimer, type PlanNode } from "./layout.ts";

export type Begin = (draft: Draft, node: PlanNode, planned: number) => void;

/** Works off all tokens, and those that these set off. Its time is linear in the edges that end. */
export function walk(draft: Draft, begin: Begin): void {
  // Tokens are added while it goes, and the loop comes to them.
  for (const token of draft.tokens) {
    if (draft.exit !== null) break;
    arrive(draft, token, begin);
  }
  draft.tokens.length = 0;
}

function arrive(draft: Draft, { edge, taken, planned }: Token, begin: Begin): void {
  spend(draft.work, workOf.token);
  const mark = markOf(draft, edge.to);
  if (mark.status !== "pending" && taken) {
    draft.commands.push({ kind: "say", entry: { kind: "token_absorbed", node: edge.to, from: edge.from } });
  }
  // What was skipped because too little leads to it may be open again: it is counted on.
  if (mark.status !== "pending" && !isUnreached(mark)) return;
  const counted = putMark(draft, edge.to, {
    ...mark,
    ...(taken ? { taken: (mark.taken ?? 0) + 1 } : { dead: (mark.dead ?? 0) + 1 }),
    ...(taken ? { planned: Math.max(mark.planned ?? planned, planned) } : {}),
  });
  if (mark.status === "pending") decide(draft, nodeOf(draft.plan, edge.to), counted, begin);
}

/** Too little led to it. */
export function isUnreached({ status, reason }: NodeMark): boolean {
  return status === "skipped" && reason === NOT_REACHED;
}

/** Whether it begins now, or never will. */
export function decide(draft: Draft, node: PlanNode, mark: NodeMark, begin: Begin): void {
  switch (fateOf(node, mark)) {
    case "begins": {
      if (mark.unwanted) return passOver(draft, node, mark);
      const planned = Number(mark.planned); // one of the ways was taken
      putMark(draft, node.name, { ...mark, status: "waiting", since: draft.at.now, planned });
      draft.states = [...draft.states, node.name];
      begin(draft, node, planned);
      return;
    }
    case "never":
      finish(draft, node, { status: "skipped", reason: NOT_REACHED, way: null, planned: mark.planned ?? draft.at.now });
      return;
    case "open":
      return;
  }
}

/** A person said so before it was reached. */
function passOver(draft: Draft, node: PlanNode, { planned }: NodeMark): void {
  // One of the ways was taken.
  finish(draft, node, { status: "skipped", reason: "by_hand", way: NEXT, planned: Number(planned) });
}

export const NOT_REACHED = "not_reached";
/** It stood there when the whole journey was left. */
export const EXITED = "exited";

export function fateOf({ needs, incoming }: PlanNode, { taken = 0, dead = 0 }: NodeMark): "begins" | "never" | "open" {
  const open = incoming - taken - dead;
  if (needs === null) return open > 0 ? "open" : taken > 0 ? "begins" : "never";
  if (taken >= needs) return "begins";
  return taken + open < needs ? "never" : "open";
}

export type Ending = {
  /** Whose edges are taken; null: all die. */
  readonly way: string | null;
  readonly planned: number;
} & (
  | { readonly status: "done" | "failed"; readonly reason?: string }
  | { readonly status: "skipped"; readonly reason: string }
);

/** A node has ended: its edges end with it, and what of its own is still under way is taken back. */
export function finish(draft: Draft, node: PlanNode, ending: Ending): void {
  const { name, out, is } = node;
  const { status, way, planned, reason } = ending;
  const { reason: _before, ...mark } = markOf(draft, name);
  count(draft, node, mark.status, -1);
  count(draft, node, status, 1);
  draft.endings += 1;
  putMark(draft, name, {
    ...mark,
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(way === null || way === NEXT ? {} : { way }),
    planned,
    ended: draft.endings,
  });
  if (mark.status !== "pending") {
    draft.states = draft.states.filter((each) => each !== name);
    for (const timer of timersOf(node)) draft.commands.push({ kind: "disarm", timer });
    if (acts(node)) draft.commands.push({ kind: "leave", state: name, keepsTasks: true });
  }
  if (is.kind !== "delay" && is.kind !== "branch" && is.kind !== "split") draft.keptMayGo = true;
  // Of a run that was skipped the journal has its own word.
  const isSaid = acts(node) && mark.status !== "pending";
  if (ending.status === "skipped" && !isSaid) sayskipped(draft, name, ending.reason);
  for (const edge of out) {
    const taken = way !== null && edge.ways.includes(way);
    draft.tokens.push({ edge, taken, planned });
  }
}

/** A delay ends with its own. */
function timersOf({ name, is }: PlanNode): readonly string[] {
  if (is.kind === "wait" && is.node.timeout) return [timeoutTimer(name)];
  if (is.kind === "acting" && is.node.await?.timeout !== undefined) return [timeoutTimer(name)];
  return is.kind === "each" && is.node.every !== undefined ? [everyTimer(name)] : [];
}

export function acts({ is }: PlanNode): boolean {
  return is.kind === "acting" || is.kind === "each" || is.kind === "journey";
}

/** Exits are no steps on the way. */
export function count(draft: Draft, { is }: PlanNode, status: NodeMark["status"], by: 1 | -1): void {
  if (is.kind === "exit" || status === "pending" || status === "waiting") return;
  draft.counts[status] += by;
}

function sayskipped({ skipped }: Draft, name: string, reason: string): void {
  const others = skipped.get(reason);
  if (others) others.push(name);
  else skipped.set(reason, [name]);
}
