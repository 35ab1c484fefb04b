// A journey's position while one move is made: marks in a copy that nobody else has, tokens on their way, and what the
// planner asks for. Lives inside one move.
import type { Assign } from "#schema/definition/head.ts";
import type { EventMessage } from "#schema/engine/event.ts";
import type { Json, JsonObject, Rule } from "#schema/json.ts";
import type { JourneyExit, JourneyPosition, NodeMark } from "#schema/engine/state.ts";
import { fault } from "../../computing/fault.ts";
import { evaluate, truthy } from "../../language/logic.ts";
import { spend, weigh, workOf, type Work } from "../../computing/work.ts";
import type { Instants, ProgramCommand, Scope } from "../program.ts";
import type { Edge, Plan } from "./layout.ts";

/** On its way along an edge. `planned`: the instant that what lies behind was planned for. */
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
  /** By reason: said together at the end. */
  readonly skipped: Map<string, string[]>;
  readonly took: string[];
  /** A wait has begun or ended: some of the events kept may be wanted no more. */
  keptMayGo: boolean;
};

export type Given = Pick<Draft, "plan" | "at" | "scope" | "work" | "variables">;

export function openDraft(given: Given, position: JourneyPosition | null): Draft {
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
    keptMayGo: false,
  };
}

export function positionOf(draft: Draft): JourneyPosition {
  const { nodes, states, endings, counts, kept, exit } = draft;
  const done = exit !== null || states.length === 0;
  const ended = { kind: "journey", nodes, states, done, endings, counts, kept } as const;
  return exit === null ? ended : { ...ended, exit };
}

const PENDING: NodeMark = { status: "pending" };

type Marked = { readonly nodes: JourneyPosition["nodes"] };

export function markOf({ nodes }: Marked, name: string): NodeMark {
  return (Object.hasOwn(nodes, name) ? nodes[name] : undefined) ?? PENDING;
}

export function putMark(draft: Draft, name: string, mark: NodeMark): NodeMark {
  ownMarks(draft)[name] = mark;
  return mark;
}

type OwnMarks = { [name: string]: NodeMark };

/** Marks that were copied within a step, by the work of that step: nobody outside has seen them, and they are changed in place. */
const copies = new WeakMap<JourneyPosition["nodes"], Work>();

/** One step may make hundreds of moves: the marks of all nodes are copied at the first change, and not for each of them. */
function ownMarks(draft: Draft): OwnMarks {
  const { nodes, work, tokens } = draft;
  const isCopied = copies.get(nodes) === work;
  if (isCopied && (work.pauses === null || moves.get(nodes) === tokens)) return nodes;
  const cost = Object.keys(nodes).length / workOf.marksPerUnit;
  if (isCopied) weigh(work, cost);
  else spend(work, cost);
  const own = { ...nodes };
  copies.set(own, work);
  if (work.pauses !== null) moves.set(own, tokens);
  draft.nodes = own;
  return own;
}

/** A step that can be paused keeps each move for its next attempt. So no other move changes its marks; it has its own tokens. */
const moves = new WeakMap<JourneyPosition["nodes"], Draft["tokens"]>();

/** Reached, its action's failure stands, and what comes after it is open: a person decides. */
export function isOpenFailure({ status, ended }: NodeMark): boolean {
  return status === "failed" && ended === undefined;
}

/** Throws the definition's fault. `message`: what the rule sees, if not what has set the move off. */
export function holds(draft: Draft, rule: Rule, where: string, message?: EventMessage): boolean {
  spend(draft.work, workOf.guard, where);
  const held = truthy(rule, scopeOf(draft, message), draft.work);
  if (!held.ok) throw fault(held.code, `${where}: ${held.message}`);
  return held.value;
}

export function valueOf(draft: Draft, rule: Rule, where: string): Json {
  const value = evaluate(rule, scopeOf(draft), draft.work);
  if (!value.ok) throw fault(value.code, `${where}: ${value.message}`);
  return value.value;
}

/** All of them see what was there before. */
export function assignAll(draft: Draft, assign: Assign | undefined, where: string, message?: EventMessage): void {
  if (assign === undefined) return;
  spend(draft.work, Object.keys(draft.variables).length * workOf.name, `${where}/assign`);
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
  return scope["message"] as EventMessage | null; // what the kernel has put there is one
}

/** What a run says of itself as it ends, as `announce` puts it; `index`: of which item of an `each`. */
export type RunsWord = { readonly run: string; readonly index: number; readonly result: Json };

/** Of the run whose end has set the move off: each field where there is one to tell. */
export function runsWord({ scope }: Draft): RunsWord {
  const { payload } = scope["message"] as { readonly payload: RunsWord };
  return payload;
}

export function sayWay(draft: Draft, node: string, way: string): void {
  draft.commands.push({ kind: "say", entry: { kind: "way_taken", node, way } });
}
