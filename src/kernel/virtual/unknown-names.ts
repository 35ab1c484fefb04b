// Unknown names in assumptions, given inputs and tests. They are reported, because an assumption with a misspelled name
// would have no effect, without any notice.
import type { Definition } from "#schema/definition/definition.ts";
import type { DefinitionTest } from "#schema/definition/tests.ts";
import { jsonPointer } from "#schema/findings.ts";
import { NAMES_LISTED_MAX } from "#schema/limits/definition-sizes.ts";
import type { Finding } from "#schema/refusal.ts";
import { openGuesses } from "#schema/suggest.ts";
import type { Assumptions, AssumedInput } from "#schema/virtual/assumptions.ts";
import { itemReference } from "#schema/virtual/action-reference.ts";
import { placedActions } from "../programs/placed-actions.ts";
import { forceBranches } from "./force-branches.ts";
import { placesOf } from "../programs/place-names.ts";

type Path = readonly (string | number)[];

type Names = {
  readonly listed: readonly string[];
  readonly set: ReadonlySet<string>;
  readonly guess: (name: string) => string | null;
};

/** The names of a definition, collected once for all comparisons. */
export type KnownNames = {
  readonly definition: Definition;
  readonly places: Names;
  readonly actions: Names;
  /** The nodes of a journey. Empty for other kinds. */
  readonly nodes: Names;
};

export function openNames(definition: Definition): KnownNames {
  const actions = placedActions(definition).map(({ action }) => action.actionId);
  const places = namesOf(placesOf(definition));
  const nodes = definition.kind === "journey" ? places : namesOf([]);
  return { definition, places, nodes, actions: namesOf(actions) };
}

function namesOf(listed: readonly string[]): Names {
  return { listed, set: new Set(listed), guess: openGuesses(listed) };
}

export function assumptionFindings(known: KnownNames, assume: Assumptions, at: Path): readonly Finding[] {
  const { actions = {}, branches = {} } = assume;
  const made = forceBranches(known.definition, branches);
  const impossible = made.ok ? [] : made.unforced;
  return [
    ...Object.keys(actions).flatMap((name) =>
      name === "*" ? [] : actionFinding(known, name, [...at, "actions", name]),
    ),
    ...impossible.map(({ node, message }) => {
      return { pointer: jsonPointer([...at, "branches", node]), code: "not_possible", message };
    }),
  ];
}

export function givenFindings(known: KnownNames, given: readonly AssumedInput[], at: Path): readonly Finding[] {
  const { places } = known;
  return given.flatMap((each, n) => {
    const ofAction = [each.retry, each.archive].flatMap((name) =>
      name === undefined ? [] : actionFinding(known, name, [...at, n, each.retry === name ? "retry" : "archive"]),
    );
    if (typeof each.at !== "object" || places.set.has(each.at.reached)) return ofAction;
    return [...ofAction, unknownName([...at, n, "at", "reached"], each.at.reached, "state or node", places)];
  });
}

export function testFindings(known: KnownNames, tests: readonly DefinitionTest[], at: Path): readonly Finding[] {
  const { places } = known;
  return tests.flatMap(({ assume = {}, given = [], expect }, n) => [
    ...assumptionFindings(known, assume, [...at, n, "assume"]),
    ...givenFindings(known, given, [...at, n, "given"]),
    ...expect.flatMap(({ states = [], nodes = {}, actions = [] }, m) => [
      ...states.flatMap((state, k) => {
        const path = [...at, n, "expect", m, "states", k];
        return places.set.has(state) ? [] : [unknownName(path, state, "state or node", places)];
      }),
      ...Object.keys(nodes).flatMap((node) =>
        known.nodes.set.has(node)
          ? []
          : [unknownName([...at, n, "expect", m, "nodes", node], node, "node", known.nodes)],
      ),
      ...actions.flatMap(({ action }, k) =>
        actionFinding(known, action, [...at, n, "expect", m, "actions", k, "action"]),
      ),
    ]),
  ]);
}

function actionFinding({ actions, definition }: KnownNames, name: string, path: Path): readonly Finding[] {
  const item = itemReference(name);
  if (item === null) return actions.set.has(name) ? [] : [unknownName(path, name, "action or node", actions)];
  if (isRepeated(definition, item.node)) return [];
  const nodes = namesOf(actions.listed.filter((each) => isRepeated(definition, each)));
  return [unknownName(path, item.node, "node with items", nodes, `/${item.index}`)];
}

function isRepeated(definition: Definition, name: string): boolean {
  if (definition.kind !== "journey" || !Object.hasOwn(definition.nodes, name)) return false;
  return definition.nodes[name]?.type === "each";
}

/** `suffix`: the end of the reference that follows the name. */
function unknownName(path: Path, name: string, what: string, { listed, guess }: Names, suffix = ""): Finding {
  const found = guess(name);
  const near = found === null ? null : `${found}${suffix}`;
  const hint =
    near === null ? `known: ${listed.slice(0, NAMES_LISTED_MAX).join(", ") || "none"}` : `did you mean "${near}"?`;
  return { pointer: jsonPointer(path), code: "unknown_name", message: `the definition has no ${what} "${name}"`, hint };
}
