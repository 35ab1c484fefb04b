// The draft of a journey's position during one move: a private copy of the nodes' marks, the tokens that are still to
// be applied, and the commands. A draft is not used after its move.
import type { Assign } from "#schema/definition/head.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import type { Json, JsonObject, Rule } from "#schema/json.ts";
import type { JourneyExit, JourneyPosition, NodeMark } from "#schema/engine/state.ts";
import { fault } from "../../computing/fault.ts";
import { evaluate, truthy } from "../../language/logic.ts";
import { charge, countUncharged, workOf, type Work } from "../../computing/work.ts";
import type { Instants, Scope } from "../../execution/program.ts";
import type { ProgramCommand } from "../../execution/program-commands.ts";
import type { Edge, Plan } from "./journey-plan.ts";

/**
 * A token on an edge. `planned`: the planned instant of the node where the edge begins. `isPast`: true if that node was
 * skipped because its instant was past. The next nodes are then skipped too, up to the first instant ahead.
 */
export type Token = {
  readonly edge: Edge;
  readonly taken: boolean;
  readonly planned: number;
  readonly isPast?: boolean;
};

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
  /** True if a wait has started or ended. Some kept events may then have no wait left that could accept them. */
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
 * The copies of marks that this step has made, each with the budget of its step, which identifies the step. No code
 * outside the step has read these copies, so the step may change them in place.
 */
const copies = new WeakMap<JourneyPosition["nodes"], Work>();

/**
 * The marks of all nodes as a private copy. It is made at the first change only, because one step may make hundreds of
 * moves.
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
 * For each copy of the marks, the move that made it; a move is identified by its list of tokens. A step that pauses
 * reuses each completed move later. A copy may therefore be changed only by the move that made it.
 */
const moves = new WeakMap<JourneyPosition["nodes"], Draft["tokens"]>();

/** True if the node's action has failed and an operator must decide how the journey continues. */
export function isOpenFailure({ status, ended }: NodeMark): boolean {
  return status === "failed" && ended === undefined;
}

/**
 * Whether a rule is true. Throws if the rule has a fault. `message`: the message that the rule reads; by default the
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
  return scope["message"] as EventMessage | null; // The kernel sets `message` to an event message or to null.
}

/** The fields of a run's result event. `index`: the item's index, if a repeated node has created the run. */
export type RunResultFields = { readonly run: string; readonly index: number; readonly result: Json };

/** The fields of the result event that caused the move. Some are missing if an event of another type caused it. */
export function resultFields({ scope }: Draft): RunResultFields {
  const { payload } = scope["message"] as { readonly payload: RunResultFields };
  return payload;
}

export function recordWay(draft: Draft, node: string, way: string): void {
  draft.commands.push({ kind: "say", entry: { kind: "edge_taken", node, way } });
}
