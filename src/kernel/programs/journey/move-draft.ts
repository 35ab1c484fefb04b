// The draft of a journey's position during one move: a private copy of the nodes' marks, the tokens that are not
// applied yet, and the commands collected so far. A draft is never used after its move.
import type { Assign } from "#schema/definition/head.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import type { Json, JsonObject, Rule } from "#schema/json.ts";
import type { JourneyExit, JourneyPosition, NodeMark } from "#schema/engine/state.ts";
import { fault } from "../../computing/fault.ts";
import { evaluate, truthy } from "../../language/logic.ts";
import { charge, countUncharged, workOf, type Work } from "../../computing/work.ts";
import type { Instants, ProgramCommand, Scope } from "../../execution/program.ts";
import type { Edge, Plan } from "./journey-plan.ts";

/** A token on an edge. `planned`: the planned instant of the edge's first node. */
export type Token = { readonly edge: Edge; readonly taken: boolean; readonly planned: number };

export type Draft = {
  readonly plan: Plan;
  readonly at: Instants;
  readonly scope: Scope;
  readonly work: Work;
  variables: JsonObject;
  nodes: JourneyPosition["nodes"];
  states: readonly string[];
  endings: number;
  readonly counts: { done: number; skipped: number; failed: number; of: number };
  kept: readonly EventMessage[];
  exit: JourneyExit | null;
  readonly tokens: Token[];
  readonly commands: ProgramCommand[];
  /** The skipped nodes by reason; the journal gets one entry per reason. */
  readonly skipped: Map<string, string[]>;
  readonly took: string[];
  /** True if a wait has started or ended, so that kept events may have become useless. */
  mayDropKept: boolean;
};

export type DraftInput = Pick<Draft, "plan" | "at" | "scope" | "work" | "variables">;

export function openDraft(given: DraftInput, position: JourneyPosition | null): Draft {
  const { plan } = given;
  return {
    ...given,
    nodes: position?.nodes ?? {},
    states: position?.states ?? [],
    endings: position?.endings ?? 0,
    counts: { ...(position?.counts ?? { done: 0, skipped: 0, failed: 0, of: plan.size }) },
    kept: position?.kept ?? [],
    exit: position?.exit ?? null,
    tokens: [],
    commands: [],
    skipped: new Map(),
    took: [],
    mayDropKept: false,
  };
}

export function positionOf(draft: Draft): JourneyPosition {
  const { nodes, states, endings, counts, kept, exit } = draft;
  const done = exit !== null || states.length === 0;
  const ended = { kind: "journey", nodes, states, done, endings, counts, kept } as const;
  return exit === null ? ended : { ...ended, exit };
}

const PENDING: NodeMark = { status: "pending" };

type MarkedPosition = { readonly nodes: JourneyPosition["nodes"] };

export function markOf({ nodes }: MarkedPosition, name: string): NodeMark {
  return (Object.hasOwn(nodes, name) ? nodes[name] : undefined) ?? PENDING;
}

export function putMark(draft: Draft, name: string, mark: NodeMark): NodeMark {
  ownMarks(draft)[name] = mark;
  return mark;
}

type OwnMarks = { [name: string]: NodeMark };

/**
 * Copies of marks that this step has made, with the step's budget as its identity. No code outside the step has read
 * the copies, so they are changed in place.
 */
const copies = new WeakMap<JourneyPosition["nodes"], Work>();

/**
 * The nodes' marks as a private copy. One step may make hundreds of moves, so the marks of all nodes are copied only at
 * the first change.
 */
function ownMarks(draft: Draft): OwnMarks {
  const { nodes, work, tokens } = draft;
  const isCopied = copies.get(nodes) === work;
  if (isCopied && (work.pauses === null || moves.get(nodes) === tokens)) return nodes;
  const cost = Object.keys(nodes).length / workOf.marksPerUnit;
  if (isCopied) countUncharged(work, cost);
  else charge(work, cost);
  const own = { ...nodes };
  copies.set(own, work);
  if (work.pauses !== null) moves.set(own, tokens);
  draft.nodes = own;
  return own;
}

/**
 * The move that made a copy of the marks; the list of its tokens identifies the move. A step that can pause keeps each
 * move for its next attempt. No other move may therefore change the marks of this move.
 */
const moves = new WeakMap<JourneyPosition["nodes"], Draft["tokens"]>();

/** True if the node's action has failed and an operator must decide how the journey continues. */
export function isOpenFailure({ status, ended }: NodeMark): boolean {
  return status === "failed" && ended === undefined;
}

/**
 * Whether a rule is true. Throws if the rule has a fault. `message`: the message that the rule reads. Default: the
 * message that caused the move.
 */
export function isRuleTrue(draft: Draft, rule: Rule, where: string, message?: EventMessage): boolean {
  charge(draft.work, workOf.guard, where);
  const held = truthy(rule, scopeOf(draft, message), draft.work);
  if (!held.ok) throw fault(held.code, `${where}: ${held.message}`);
  return held.value;
}

export function valueOf(draft: Draft, rule: Rule, where: string): Json {
  const value = evaluate(rule, scopeOf(draft), draft.work);
  if (!value.ok) throw fault(value.code, `${where}: ${value.message}`);
  return value.value;
}

/** Assigns variables. All rules read the variables as they were before the assignment. */
export function assignAll(draft: Draft, assign: Assign | undefined, where: string, message?: EventMessage): void {
  if (assign === undefined) return;
  charge(draft.work, Object.keys(draft.variables).length * workOf.name, `${where}/assign`);
  const scope = scopeOf(draft, message);
  const assigned = Object.entries(assign).map(([variable, rule]) => {
    const value = evaluate(rule, scope, draft.work);
    if (!value.ok) throw fault(value.code, `${where}/assign/${variable}: ${value.message}`);
    return [variable, value.value] as const;
  });
  draft.variables = { ...draft.variables, ...Object.fromEntries(assigned) };
}

function scopeOf({ scope, variables }: Draft, message?: EventMessage): Scope {
  const execution = { ...(scope["execution"] as JsonObject), variables };
  return message === undefined ? { ...scope, execution } : { ...scope, execution, message: message as Json };
}

export function messageOf({ scope }: Draft): EventMessage | null {
  return scope["message"] as EventMessage | null; // The kernel sets this field to an event message or null.
}

/** The fields of a run's result event. `index`: the index of the item if a repeated node created the run. */
export type RunResultFields = { readonly run: string; readonly index: number; readonly result: Json };

/** The fields of the result event that caused the move. If another event caused it, some fields may be missing. */
export function resultFields({ scope }: Draft): RunResultFields {
  const { payload } = scope["message"] as { readonly payload: RunResultFields };
  return payload;
}

export function recordWay(draft: Draft, node: string, way: string): void {
  draft.commands.push({ kind: "say", entry: { kind: "way_taken", node, way } });
}
