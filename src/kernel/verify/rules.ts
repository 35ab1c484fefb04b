// Errors in the rules, timers and action names of a machine's states.
import type { Behaviour, MachineDefinition } from "#schema/definition/definition.ts";
import type { Rule } from "#schema/json.ts";
import type { Finding } from "#schema/refusal.ts";
import { ruleFindings } from "../language/logic.ts";
import { isReserved, isEngineEvent, engineEvents } from "#schema/engine/event.ts";
import { PATCHED } from "../execution/program.ts";
import { graphOf, transitionList, transitionsOf } from "../programs/machine/graph.ts";
import { openGuesses } from "#schema/suggest.ts";
import { delayFindings, delaysOf } from "./delays.ts";
import { pointer, statePointer, transitionPointer } from "../programs/machine/pointers.ts";
import { finding } from "./finding.ts";

export function ruleAndNameFindings(definition: MachineDefinition): readonly Finding[] {
  const names = namesOf(definition);
  const delays = delaysOf(definition);
  const out: Finding[] = [...keyFindings(definition)];
  for (const { path, node } of graphOf(definition).values()) {
    const here = statePointer(path);
    for (const [field, list] of [
      ["entry", node.entry],
      ["exit", node.exit],
    ] as const) {
      (list ?? []).forEach((item, index) => out.push(...behaviourFindings(item, pointer(here, field, index), names)));
    }
    for (const key of Object.keys(node.after ?? {}))
      out.push(...delayFindings(key, delays, pointer(here, "after", key)));
    for (const type of Object.keys(node.on ?? {})) {
      const where = pointer(here, "on", type);
      out.push(...resultEventFindings(type, names, where), ...taskAndChildEventFindings(type, names, where));
    }
    for (const { field, key, list } of transitionsOf(node)) {
      transitionList(list).forEach((transition, index) => {
        const base = transitionPointer(path, field, key, list, index);
        if (transition.guard !== undefined)
          out.push(...ruleFindings(transition.guard, pointer(base, "guard"), "condition"));
        out.push(...assignFindings(transition.assign ?? {}, base));
        (transition.actions ?? []).forEach((id, at) =>
          out.push(...nameFindings(id, names, pointer(base, "actions", at))),
        );
      });
    }
  }
  return out;
}

/** The names that exist, collected once for the checks of all states. */
type Names = {
  readonly actions: ReadonlySet<string>;
  readonly guess: (action: string) => string | null;
  /** Event types that actions name in `onExhausted`: an action sends its event when it has failed permanently. */
  readonly named: ReadonlySet<string>;
};

function namesOf({ actions = [] }: MachineDefinition): Names {
  const ids = actions.map(({ actionId }) => actionId);
  const named = actions.flatMap(({ onExhausted }) => (typeof onExhausted === "object" ? [onExhausted.event] : []));
  return { actions: new Set(ids), guess: openGuesses(ids), named: new Set(named) };
}

/**
 * Errors of the correlation key's rule. It must read only variables, because the key is computed again only after a
 * change of variables.
 */
function keyFindings({ correlation }: MachineDefinition): readonly Finding[] {
  return correlation === undefined ? [] : ruleFindings(correlation.key, pointer("/correlation", "key"));
}

function behaviourFindings(item: Behaviour, where: string, names: Names): readonly Finding[] {
  return typeof item === "string" ? nameFindings(item, names, where) : assignFindings(item.assign, where);
}

function assignFindings(assign: { readonly [variable: string]: Rule }, base: string): readonly Finding[] {
  return Object.entries(assign).flatMap(([key, rule]) => ruleFindings(rule, pointer(base, "assign", key)));
}

function nameFindings(id: string, { actions, guess: guessed }: Names, where: string): readonly Finding[] {
  if (actions.has(id)) return [];
  const guess = guessed(id);
  return [
    finding(
      where,
      "unknown_action",
      `the action ${id} does not exist`,
      guess ? `Did you mean ${guess}?` : 'Add the action to "actions".',
    ),
  ];
}

/**
 * Errors about listeners for results that never arrive: of an unknown action, or of a type that the engine never sends.
 * A state with such a listener would wait forever.
 */
function resultEventFindings(type: string, names: Names, where: string): readonly Finding[] {
  if (!isReserved(type) || type === PATCHED) return [];
  if (!type.startsWith("action."))
    return [finding(where, "unknown_event", `no event of the type ${type} is ever sent`, `Use ${PATCHED}.`)];
  const id = /^action\.([^.]+)\.(ok|failed|skipped|archived)$/.exec(type)?.[1];
  if (id !== undefined) return nameFindings(id, names, where);
  return [
    finding(
      where,
      "unknown_event",
      `no event of the type ${type} is ever sent`,
      "Use action.<actionId>.ok, .failed, .skipped or .archived.",
    ),
  ];
}

/**
 * Errors about listeners for child and task events that the engine never sends. `task_created` is accepted, because a
 * runner sends it. An event that an action names in `onExhausted` is accepted too.
 */
function taskAndChildEventFindings(type: string, { named }: Names, where: string): readonly Finding[] {
  if (!isEngineEvent(type) || named.has(type) || type === "task_created" || engineEvents.includes(type)) return [];
  const hint = `Only the engine sends event types that begin with child_ or task_. Known types: ${engineEvents.join(", ")}.`;
  return [finding(where, "unknown_event", `no event of the type ${type} is ever sent`, hint)];
}
