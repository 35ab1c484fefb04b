// Names in assumptions, in what is given and in tests that nothing in the definition has: a typo must never come to nothing.
import type { Definition } from "#schema/definition/definition.ts";
import type { DefinitionTest } from "#schema/definition/tests.ts";
import { jsonPointer } from "#schema/findings.ts";
import type { Finding } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import type { Assumptions, Given } from "#schema/virtual/assumptions.ts";
import { placedActions } from "../programs/placed-actions.ts";
import { forced } from "./forced.ts";
import { placesOf } from "./places.ts";

type Path = readonly (string | number)[];

export function assumptionFindings(definition: Definition, assume: Assumptions, at: Path): readonly Finding[] {
  const { actions = {}, branches = {} } = assume;
  const made = forced(definition, branches);
  const impossible = made.ok ? [] : made.unforced;
  return [
    ...Object.keys(actions).flatMap((name) =>
      name === "*" ? [] : actionFinding(definition, name, [...at, "actions", name]),
    ),
    ...impossible.map(({ node, message }) => {
      return { pointer: jsonPointer([...at, "branches", node]), code: "not_possible", message };
    }),
  ];
}

export function givenFindings(definition: Definition, given: readonly Given[], at: Path): readonly Finding[] {
  const places = placesOf(definition);
  return given.flatMap((each, n) => {
    const ofAction = [each.retry, each.archive].flatMap((name) =>
      name === undefined ? [] : actionFinding(definition, name, [...at, n, each.retry === name ? "retry" : "archive"]),
    );
    if (typeof each.at !== "object" || places.includes(each.at.reached)) return ofAction;
    return [...ofAction, unknownName([...at, n, "at", "reached"], each.at.reached, "state or node", places)];
  });
}

export function testFindings(definition: Definition, tests: readonly DefinitionTest[], at: Path): readonly Finding[] {
  const places = placesOf(definition);
  return tests.flatMap(({ assume = {}, given = [], expect }, n) => [
    ...assumptionFindings(definition, assume, [...at, n, "assume"]),
    ...givenFindings(definition, given, [...at, n, "given"]),
    ...expect.flatMap(({ states = [], actions = [] }, m) => [
      ...states.flatMap((state, k) => {
        const path = [...at, n, "expect", m, "states", k];
        return places.includes(state) ? [] : [unknownName(path, state, "state or node", places)];
      }),
      ...actions.flatMap(({ action }, k) =>
        actionFinding(definition, action, [...at, n, "expect", m, "actions", k, "action"]),
      ),
    ]),
  ]);
}

function actionFinding(definition: Definition, name: string, path: Path): readonly Finding[] {
  const known = placedActions(definition).map(({ action }) => action.actionId);
  return known.includes(name) ? [] : [unknownName(path, name, "action or node", known)];
}

function unknownName(path: Path, name: string, what: string, known: readonly string[]): Finding {
  const near = didYouMean(name, known);
  const hint = near === null ? `there are ${known.slice(0, 20).join(", ") || "none"}` : `did you mean "${near}"?`;
  return { pointer: jsonPointer(path), code: "unknown_name", message: `the definition has no ${what} "${name}"`, hint };
}
