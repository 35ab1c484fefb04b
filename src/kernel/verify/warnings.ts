// What a definition may say and most likely does not mean. It is stored all the same; validating says it.
import type { Behaviour, MachineDefinition } from "#schema/definition/definition.ts";
import type { Json, Rule } from "#schema/json.ts";
import type { Warning } from "#schema/refusal.ts";
import { bareOrderings, type Ordering } from "../language/orderings.ts";
import { unquotedOutputs, type Unquoted } from "../language/unquoted.ts";
import { costWarnings } from "./step-cost.ts";
import { graphOf, transitionList, transitionsOf } from "../programs/machine/graph.ts";
import { pointer, statePointer, transitionPointer } from "../programs/machine/places.ts";

type Placed = { readonly rule: Rule; readonly where: string };
type Assigned = { readonly [variable: string]: Rule };

export function warningsOf(definition: MachineDefinition): readonly Warning[] {
  const { rules, assigned } = rulesIn(definition);
  const orderings = rules.flatMap(({ rule, where }) => bareOrderings(rule, where));
  const set = new Set([...assigned, ...Object.keys(definition.variables ?? {})]);
  const actions = (definition.actions ?? []).flatMap(({ config }, n) =>
    htmlIn(config, pointer("/actions", n, "config")),
  );
  return [
    ...costWarnings(definition),
    ...orderings.filter(({ path }) => mayBeNothing(path, definition, set)).map(ofOrdering),
    ...actions.flatMap(({ html, where }) => unquotedOutputs(html).map((each) => ofUnquoted(each, where))),
  ];
}

/** Every rule with the place where it stands, and the variables that rules set. */
function rulesIn(definition: MachineDefinition): {
  readonly rules: readonly Placed[];
  readonly assigned: readonly string[];
} {
  const rules: Placed[] = [];
  const assigned: string[] = [];
  const take = (rule: Rule | undefined, where: string): void =>
    void (rule !== undefined && rules.push({ rule, where }));
  const takeAssign = (assign: Assigned, where: string): void => {
    for (const [variable, rule] of Object.entries(assign)) {
      assigned.push(variable);
      take(rule, pointer(where, "assign", variable));
    }
  };
  const takeBehaviour = (item: Behaviour, where: string): void => {
    if (typeof item !== "string") takeAssign(item.assign, where);
  };
  for (const { path, node } of graphOf(definition).values()) {
    const here = statePointer(path);
    (node.entry ?? []).forEach((item, n) => takeBehaviour(item, pointer(here, "entry", n)));
    (node.exit ?? []).forEach((item, n) => takeBehaviour(item, pointer(here, "exit", n)));
    for (const { field, key, list } of transitionsOf(node)) {
      transitionList(list).forEach(({ guard, assign = {} }, n) => {
        const where = transitionPointer(path, field, key, list, n);
        take(guard, pointer(where, "guard"));
        takeAssign(assign, where);
      });
    }
  }
  (definition.actions ?? []).forEach(({ condition }, n) => take(condition, pointer("/actions", n, "condition")));
  return { rules, assigned };
}

/**
 * A variable is there where the definition gives it a value or some rule sets it. Nobody says yet what an event brings, and
 * there need not have been one, nor an action.
 */
function mayBeNothing(path: string, { variables = {} }: MachineDefinition, set: ReadonlySet<string>): boolean {
  if (/^(?:message|action)(?:\.|$)/.test(path)) return true;
  const name = /^execution\.variables\.([^.]+)/.exec(path)?.[1];
  return name !== undefined && (!set.has(name) || (Object.hasOwn(variables, name) && variables[name] === null));
}

function ofOrdering({ path, operator, pointer: at }: Ordering): Warning {
  return {
    severity: "warning",
    pointer: at,
    code: "ordering_of_nothing",
    message: `where there is no ${path}, it counts as 0 before ${operator}`,
    fix: `Ask first: { "and": [{ "exists": "${path}" }, …] }, or say what stands in for it: { "var": ["${path}", …] }.`,
  };
}

type Html = { readonly html: string; readonly where: string };

/** Whatever an action calls html, at whatever depth. */
function htmlIn(value: Json, where: string): readonly Html[] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, item]: [string, Json]) =>
    key === "html" && typeof item === "string"
      ? [{ html: item, where: pointer(where, key) }]
      : htmlIn(item, pointer(where, key)),
  );
}

function ofUnquoted({ written, line }: Unquoted, where: string): Warning {
  const message = `${written} (line ${line}) stands in an attribute without quotes: a blank in it begins another attribute`;
  return { severity: "warning", pointer: where, code: "unquoted_attribute", message, fix: `Write "${written}".` };
}
