// The worst-case cost of one step, estimated before any step. It assumes that all guards of an event but the last are
// false, and that every active state is checked. Each list has its initial length or a typical length.
import type { ActionDefinition } from "#schema/definition/action.ts";
import type { Behaviour, MachineDefinition } from "#schema/definition/definition.ts";
import type { Json, JsonObject, Rule } from "#schema/json.ts";
import { LIST_ITEMS_ASSUMED, STEP_WORK_MAX } from "#schema/limits/executions.ts";
import type { Warning } from "#schema/refusal.ts";
import { assert } from "../assert.ts";
import { isPlainObject } from "../language/json-values.ts";
import { parseCondition } from "../language/rule-findings.ts";
import { workOf } from "../computing/work.ts";
import { graphOf, nodeAt, ROOT, transitionList, transitionsOf, type GraphNode } from "../programs/machine/graph.ts";
import { pointer, statePointer, transitionPointer } from "../programs/machine/pointers.ts";

/** A cost with its most expensive rule. `largestRule`: the cost of that rule. `where`: the pointer of that rule. */
type Cost = { readonly work: number; readonly largestRule: number; readonly where: string };

export function costWarnings(definition: MachineDefinition): readonly Warning[] {
  const { work, where } = costliestStep(definition);
  if (work <= STEP_WORK_MAX) return [];
  const message = `one step may take about ${Math.round(work)} cost units, most of them for this rule; the limit is ${STEP_WORK_MAX} (STEP_WORK_MAX). A list of unknown length counts as ${LIST_ITEMS_ASSUMED} items`;
  const fix = "Use shorter lists, or split the work of one event over several.";
  return [{ severity: "warning", pointer: where, code: "step_costly", message, fix }];
}

/**
 * The cost of a step for the most expensive event, with all eventless transitions after it and the runs that start in
 * the new state.
 */
function costliestStep(definition: MachineDefinition): Cost {
  const graph = graphOf(definition);
  const nodes = [...graph.values()];
  const root = nodeAt(graph, ROOT);
  const { variables = {}, actions = [] } = definition;
  const costs = new Map<GraphNode, readonly ListCost[]>(nodes.map((at) => [at, listCosts(at, variables)]));
  const of = (at: GraphNode, isMeant: (list: ListCost) => boolean): Cost =>
    total(
      listsOf(costs, at)
        .filter(isMeant)
        .map(({ cost }) => cost),
    );
  const wild = activeStatesCost(root, (at) => of(at, ({ field, key }) => field === "on" && key === "*"));
  const costliestEvent = total([largest([...eventCosts(root, costs).values()]), wild]);
  const timedOrDone = nodes.map((at) => of(at, ({ field }) => field === "after" || field === "onDone"));
  // Each eventless transition makes the engine check all active states again. Each state with `always` is assumed to
  // cause one such check.
  const rounds = nodes.filter(({ node }) => node.always !== undefined).length;
  const always = activeStatesCost(root, (at) => of(at, ({ field }) => field === "always"));
  const entered = nodes.map((at) => behavioursCost(at, variables));
  const started = activeStatesCost(root, ({ path }) => startCost(actions, path, variables));
  return total([largest([costliestEvent, ...timedOrDone]), multiplied(always, rounds), largest(entered), started]);
}

type ListCost = { readonly field: string; readonly key: string | null; readonly cost: Cost };

/**
 * The cost of each list of transitions. In the worst case all guards of the list are evaluated, and then one transition
 * is taken.
 */
function listCosts({ path, node }: GraphNode, variables: JsonObject): readonly ListCost[] {
  return transitionsOf(node).map(({ field, key, list }) => {
    const each = transitionList(list).map(({ guard, assign = {} }, index) => {
      const where = transitionPointer(path, field, key, list, index);
      const asked = guard === undefined ? NOTHING : ruleCost(guard, pointer(where, "guard"), variables);
      return { asked, done: assignCost(assign, where, variables) };
    });
    return { field, key, cost: total([...each.map(({ asked }) => asked), largest(each.map(({ done }) => done))]) };
  });
}

function listsOf(costs: ReadonlyMap<GraphNode, readonly ListCost[]>, at: GraphNode): readonly ListCost[] {
  const lists = costs.get(at);
  assert(lists, `the lists of ${at.path} must have been checked with the lists of all other states`);
  return lists;
}

/**
 * Computes the costs of all event types in one pass. A pass for each type would be slow, because a definition may have
 * thousands of types and states.
 */
function eventCosts(at: GraphNode, costs: ReadonlyMap<GraphNode, readonly ListCost[]>): Map<string, Cost> {
  const found = new Map<string, Cost>();
  const isParallel = at.node.type === "parallel";
  for (const child of at.children) {
    for (const [type, cost] of eventCosts(child, costs)) {
      const others = found.get(type) ?? NOTHING;
      found.set(type, isParallel ? total([others, cost]) : largest([others, cost]));
    }
  }
  for (const { field, key, cost } of listsOf(costs, at)) {
    if (field === "on" && key !== "*") found.set(String(key), total([found.get(String(key)) ?? NOTHING, cost]));
  }
  return found;
}

/**
 * The cost of the active states: the sum over parallel regions, and otherwise the maximum over sibling states, because
 * only one of them is active.
 */
function activeStatesCost(at: GraphNode, costOf: (at: GraphNode) => Cost): Cost {
  const inner = at.children.map((child) => activeStatesCost(child, costOf));
  return total([costOf(at), at.node.type === "parallel" ? total(inner) : largest(inner)]);
}

function startCost(actions: readonly ActionDefinition[], state: string, variables: JsonObject): Cost {
  const costs = actions.flatMap(({ triggerState, condition, validUntil, limit = [] }, n) => {
    if (triggerState !== state) return [];
    const keys = limit.map(({ key }, at) => ruleCost(key, pointer("/actions", n, "limit", at, "key"), variables));
    const rules = Object.entries({ condition, validUntil }).flatMap(([field, rule]) =>
      rule === undefined ? [] : [ruleCost(rule, pointer("/actions", n, field), variables)],
    );
    return [...rules, ...keys];
  });
  return total(costs);
}

function behavioursCost({ path, node }: GraphNode, variables: JsonObject): Cost {
  const of = (list: readonly Behaviour[] | undefined, field: string): Cost[] =>
    (list ?? []).map((item, n) =>
      typeof item === "string" ? NOTHING : assignCost(item.assign, pointer(statePointer(path), field, n), variables),
    );
  return total([...of(node.entry, "entry"), ...of(node.exit, "exit")]);
}

function assignCost(assign: { readonly [variable: string]: Rule }, where: string, variables: JsonObject): Cost {
  return total(Object.entries(assign).map(([name, rule]) => ruleCost(rule, pointer(where, "assign", name), variables)));
}

function ruleCost(rule: Rule, where: string, variables: JsonObject): Cost {
  const read = typeof rule === "string" ? parseCondition(rule) : rule;
  // An invalid rule costs nothing here, because another check reports it.
  const work = read === undefined ? 0 : ruleWork(read, variables);
  return { work, largestRule: work, where };
}

const ITERATING = new Set(["map", "filter", "all", "some", "none", "reduce"]);

function ruleWork(rule: Json, variables: JsonObject): number {
  if (Array.isArray(rule)) return rule.reduce((all: number, each: Json) => all + ruleWork(each, variables), 1);
  if (!isPlainObject(rule)) return 1;
  const [[name, operands] = ["", null]] = Object.entries(rule as JsonObject);
  if (name === "preserve") return 1;
  const own = name === "date" ? workOf.date : 1;
  if (!ITERATING.has(name) || !Array.isArray(operands)) return own + ruleWork(operands, variables);
  const [list = null, body = null] = operands as readonly Json[];
  return own + ruleWork(list, variables) + itemsIn(list, variables) * ruleWork(body, variables);
}

/**
 * The assumed length of a list. A literal list has its own length, and a variable the length of its initial value. Any
 * other list has a typical length.
 */
function itemsIn(list: Json, variables: JsonObject): number {
  if (Array.isArray(list)) return list.length;
  const path = isPlainObject(list) ? list["var"] : null;
  const name = typeof path === "string" ? /^(?:\.\.\/)*execution\.variables\.([^.]+)$/.exec(path)?.[1] : undefined;
  const known = name === undefined ? null : variables[name];
  return Array.isArray(known) && known.length > 0 ? known.length : LIST_ITEMS_ASSUMED;
}

const NOTHING: Cost = { work: 0, largestRule: 0, where: "" };

function total(costs: readonly Cost[]): Cost {
  return costs.reduce((all, each) => ({ ...moreExpensive(all, each), work: all.work + each.work }), NOTHING);
}

function largest(costs: readonly Cost[]): Cost {
  return costs.reduce((all, each) => (each.work > all.work ? each : all), NOTHING);
}

function moreExpensive(a: Cost, b: Cost): Cost {
  return b.largestRule > a.largestRule ? b : a;
}

function multiplied(cost: Cost, rounds: number): Cost {
  return { ...cost, work: cost.work * rounds };
}
