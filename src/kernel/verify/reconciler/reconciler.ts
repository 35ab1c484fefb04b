// All errors in a reconciler whose shape is valid: unknown names, states that cannot be reached, and unused fields.
import type { ReconcilerDefinition } from "#schema/definition/reconciler.ts";
import { MACHINE_STATES_MAX } from "#schema/limits/definition-sizes.ts";
import type { Finding } from "#schema/refusal.ts";
import { openGuesses } from "#schema/suggest.ts";
import { templateFindings } from "../../language/render.ts";
import { pointer } from "../../programs/machine/pointers.ts";
import { oneActionFindings } from "../actions.ts";
import { schemaFindingsOf } from "../declared/schemas.ts";
import { tooManyStates } from "../count-findings.ts";
import { delaysOf, namedDelayFindings } from "../delays.ts";
import { finding, listNames } from "../finding.ts";
import { capSubjectFindings, limitNameFindings, limitsOf, limitTextFindings } from "../limits/limits.ts";
import { startLimitFindings } from "../limits/start-limits.ts";
import { reasonsIn, rulesIn } from "../rules-and-templates/reconciler.ts";
import { placedRuleFindings } from "../rules-and-templates/zone-rules.ts";
import { derivedFieldFindings } from "./derived-fields.ts";
import { unusedFieldFindings } from "./unused-fields.ts";
import { targetsOf } from "./reach.ts";

export function reconcilerFindings(definition: ReconcilerDefinition): readonly Finding[] {
  const names = Object.keys(definition.states);
  if (names.length > MACHINE_STATES_MAX) return [tooManyStates(names.length)];
  const delays = delaysOf(definition);
  const limits = limitsOf(definition);
  return [
    ...schemaFindingsOf(definition),
    ...namedDelayFindings(definition),
    ...stateFindings(definition, names),
    ...actionNameFindings(definition),
    ...rulesIn(definition).flatMap(placedRuleFindings),
    ...reasonsIn(definition).flatMap(({ text, where }) => templateFindings(text, where)),
    ...(definition.actions ?? []).flatMap((action, n) => [
      ...oneActionFindings(action, delays, pointer("/actions", n)),
      ...limitNameFindings(limits, action, pointer("/actions", n)),
    ]),
    ...capSubjectFindings(definition),
    ...startLimitFindings(definition),
    ...limitTextFindings(definition),
    ...unusedFieldFindings(definition),
    ...derivedFieldFindings(definition),
  ];
}

function stateFindings(definition: ReconcilerDefinition, names: readonly string[]): readonly Finding[] {
  const { initial, states, onShutdown } = definition;
  const known = { states, guess: openGuesses(names) };
  const down = typeof onShutdown === "object" ? onShutdown.target : onShutdown;
  const downAt = typeof onShutdown === "object" ? "/onShutdown/target" : "/onShutdown";
  return [
    ...nameFindings(initial, "/initial", known),
    ...(down === undefined ? [] : nameFindings(down, downAt, known)),
    ...Object.entries(states).flatMap(([name, { rules = [], type, outcome }]) => [
      ...rules.flatMap(({ target }, n) =>
        target === undefined ? [] : nameFindings(target, pointer("/states", name, "rules", n, "target"), known),
      ),
      ...(type === "final" && rules.length > 0
        ? [
            finding(
              pointer("/states", name, "rules"),
              "final_with_rules",
              `the state ${name} is final, so its rules are never evaluated`,
            ),
          ]
        : []),
      ...(type !== "final" && outcome !== undefined
        ? [
            finding(
              pointer("/states", name, "outcome"),
              "outcome_not_final",
              `the state ${name} is not final`,
              'Add "type": "final".',
            ),
          ]
        : []),
    ]),
    ...unreachable(definition, names),
  ];
}

type KnownStates = { readonly states: ReconcilerDefinition["states"]; readonly guess: (name: string) => string | null };

function nameFindings(name: string, where: string, { states, guess: guessed }: KnownStates): readonly Finding[] {
  if (Object.hasOwn(states, name)) return [];
  const guess = guessed(name);
  const hint = guess ? `Did you mean ${guess}?` : `Known states: ${listNames(Object.keys(states))}.`;
  return [finding(where, "unknown_state", `the state ${name} does not exist`, hint)];
}

/** Errors about states that cannot be reached, neither from the initial state nor from the shutdown state. */
function unreachable(definition: ReconcilerDefinition, names: readonly string[]): readonly Finding[] {
  const reached = new Set<string>();
  const open = [definition.initial, ...targetsOf(definition.onShutdown)];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (reached.has(name) || !Object.hasOwn(definition.states, name)) continue;
    reached.add(name);
    for (const { target } of definition.states[name]?.rules ?? []) if (target !== undefined) open.push(target);
  }
  return names
    .filter((name) => !reached.has(name))
    .map((name) =>
      finding(
        pointer("/states", name),
        "unreachable_state",
        `no rule leads to the state ${name}`,
        "Name the state as the target of a rule, or remove the state.",
      ),
    );
}

function actionNameFindings({ actions = [], states, collector }: ReconcilerDefinition): readonly Finding[] {
  const ids = actions.map(({ actionId }) => actionId);
  const known = new Set(ids);
  const guessed = openGuesses(ids);
  const check = (id: string, where: string): readonly Finding[] => {
    if (known.has(id)) return [];
    const guess = guessed(id);
    const hint = guess ? `Did you mean ${guess}?` : 'Add the action to "actions".';
    return [finding(where, "unknown_action", `the action ${id} does not exist`, hint)];
  };
  const twice = ids.flatMap((id, n) =>
    ids.indexOf(id) === n
      ? []
      : [finding(pointer("/actions", n, "actionId"), "duplicate_action", `two actions have the id ${id}`)],
  );
  const emitted = Object.entries(states).flatMap(([name, { rules = [] }]) =>
    rules.flatMap(({ emit }, n): readonly Finding[] => {
      if (emit === undefined) return [];
      const where = pointer("/states", name, "rules", n, "emit");
      if (emit !== collector?.action) return check(emit, where);
      const message = `the action ${emit} is the collector: it runs automatically, and rules cannot start it`;
      return [finding(where, "collector_emitted", message, "Create another action with the same config.")];
    }),
  );
  return [...twice, ...emitted, ...(collector === undefined ? [] : check(collector.action, "/collector/action"))];
}
