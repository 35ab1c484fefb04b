// Probable mistakes in a definition. The definition is stored in spite of them, and its validation reports them as
// warnings.
import type { Definition, MachineDefinition } from "#schema/definition/definition.ts";
import { WARNINGS_RETURNED_MAX } from "#schema/limits/definition-sizes.ts";
import type { Warning } from "#schema/refusal.ts";
import { bareOrderings, type Ordering } from "../language/orderings.ts";
import { unquotedOutputs, type UnquotedOutput } from "../language/unquoted-outputs.ts";
import type { Computation } from "../computing/computation.ts";
import { graphOf } from "../programs/machine/graph.ts";
import { hint, warning } from "./finding.ts";
import { checkOf, runChecks, type Check } from "./checks.ts";
import { openWarningBudget, type WarningBudget } from "./warning-budget.ts";
import { guardWarnings } from "./guards.ts";
import { outcomeWarnings } from "./unhandled-outcomes.ts";
import { languageWarnings } from "./languages.ts";
import { unusedLimitWarnings } from "./limits/limits.ts";
import { loopWarnings } from "./loops.ts";
import { pathWarnings } from "./unknown-paths.ts";
import { awaitedEventTypesIn, journeyWarnings } from "./journey/warnings.ts";
import { reconcilerWarnings } from "./reconciler/warnings.ts";
import { reachWarnings } from "./reachable-states.ts";
import { costWarnings } from "./step-cost.ts";
import { timeWarnings } from "./work-beyond-state.ts";
import {
  isAlwaysPresent,
  openPathReader,
  undeclaredWarnings,
  unusedEventSchemaWarnings,
  type PathReader,
} from "./declared/schema-paths.ts";
import { valueWarnings } from "./declared/compared-values.ts";
import { zoneWarnings } from "./rules-and-templates/zone-rules.ts";
import { rulesAndTemplatesOf } from "./rules-and-templates/of-definition.ts";
import {
  splitIntoPortions,
  type PlacedRule,
  type PlacedText,
  type RulesAndTemplates,
} from "./rules-and-templates/rules-and-templates.ts";

/** The first warnings, and a count of those that are left out. */
export function* warningsInParts(definition: Definition): Computation<readonly Warning[]> {
  const written = rulesAndTemplatesOf(definition);
  const found = yield* runChecks([
    ...checksOfKind(definition, written),
    checkOf(definition, unusedLimitWarnings),
    ...checksOfLanguages(definition, written),
  ]);
  return found.length <= WARNINGS_RETURNED_MAX
    ? found
    : [...found.slice(0, WARNINGS_RETURNED_MAX), moreWarnings(found.length)];
}

type Checks = readonly Check<Warning>[];

function checksOfKind(definition: Definition, written: RulesAndTemplates): Checks {
  switch (definition.kind) {
    case "machine":
      return [
        ...machineChecks.map((check) => checkOf(definition, check)),
        ...schemaPathChecks(definition, written, listenedTypes),
      ];
    case "journey":
      return [
        checkOf(definition, () => journeyWarnings(definition, written)),
        ...schemaPathChecks(definition, written, awaitedEventTypesIn),
      ];
    case "reconciler":
      return [checkOf(definition, reconcilerWarnings), ...schemaPathChecks(definition, written, () => NOTHING)];
  }
}

const NOTHING: ReadonlySet<string> = new Set();

function listenedTypes(definition: MachineDefinition): ReadonlySet<string> {
  return new Set([...graphOf(definition).values()].flatMap(({ node }) => Object.keys(node.on ?? {})));
}

const machineChecks: readonly ((definition: MachineDefinition) => readonly Warning[])[] = [
  reachWarnings,
  outcomeWarnings,
  guardWarnings,
  loopWarnings,
  timeWarnings,
  costWarnings,
];

function schemaPathChecks<Kind extends Definition>(
  definition: Kind,
  written: RulesAndTemplates,
  heardIn: (definition: Kind) => ReadonlySet<string>,
): Checks {
  return [
    ...inPortions(written, (portion, budget) => undeclaredWarnings(definition, portion, budget)),
    checkOf(definition, () => unusedEventSchemaWarnings(definition, heardIn(definition))),
  ];
}

function checksOfLanguages(definition: Definition, written: RulesAndTemplates): Checks {
  const known = openPathReader(definition, written);
  return [
    ...inPortions(written, pathWarnings),
    ...inPortions(written, (portion, budget) => valueWarnings(definition, portion, budget)),
    ...inPortions(written, languageWarnings),
    ...inPortions(written, ({ rules }) => zoneWarnings(rules, definition)),
    ...inPortions(written, ({ rules, setVariables: variables }) =>
      orderingWarnings(rules, known, { definition, variables }),
    ),
    ...inPortions(written, ({ texts }) =>
      texts
        .filter(isHtml)
        .flatMap(({ text, where }) => unquotedOutputs(text).map((each) => unquotedWarning(each, where))),
    ),
  ];
}

/** Splits a check of rules and texts into one check for each portion. */
function inPortions(
  written: RulesAndTemplates,
  check: (portion: RulesAndTemplates, budget: WarningBudget) => readonly Warning[],
): Checks {
  const budget = openWarningBudget();
  return splitIntoPortions(written).map(({ portion, bytes }) => ({ bytes, run: () => check(portion, budget) }));
}

type OrderingContext = { readonly definition: Definition; readonly variables: ReadonlySet<string> };

function orderingWarnings(
  rules: readonly PlacedRule[],
  known: PathReader,
  { definition, variables }: OrderingContext,
): readonly Warning[] {
  return rules
    .flatMap(({ rule, where, event }) =>
      bareOrderings(rule, where).filter(
        ({ path }) => !isAlwaysPresent(known, path, event) && mayBeMissing(path, definition, variables),
      ),
    )
    .map(orderingWarning);
}

function moreWarnings(count: number): Warning {
  const message = `the list is incomplete: the number of further warnings is ${count - WARNINGS_RETURNED_MAX}`;
  return hint("", "more_warnings", message, { fix: "Fix the listed warnings first, then validate again." });
}

/**
 * Whether a path may lead to no value. A variable exists if it has an initial value or a rule sets it. The fields of an
 * event are known only from its schema. Before the first event or action, `message` and `action` have no value.
 */
function mayBeMissing(path: string, { kind, variables = {} }: Definition, set: ReadonlySet<string>): boolean {
  // In a reconciler, `action` has a value even before the first run.
  if (/^(?:message|action)(?:\.|$)/.test(path)) return kind !== "reconciler";
  const name = /^execution\.variables\.([^.]+)/.exec(path)?.[1];
  return name !== undefined && (!set.has(name) || (Object.hasOwn(variables, name) && variables[name] === null));
}

function orderingWarning({ path, operator, pointer: at }: Ordering): Warning {
  const message = `if ${path} is missing, the operator ${operator} counts it as 0`;
  const fix = `Check that the value exists: { "and": [{ "exists": "${path}" }, …] }, give a default: { "var": ["${path}", …] }, or make the value required in the schema.`;
  return warning(at, "ordering_of_nothing", message, { fix });
}

/** Whether the text is HTML: every field named html is, at any depth of a config. */
function isHtml({ where }: PlacedText): boolean {
  return where.endsWith("/html");
}

function unquotedWarning({ written, line }: UnquotedOutput, where: string): Warning {
  const message = `${written} (line ${line}) is in an attribute without quotes: a space in the value would start another attribute`;
  return warning(where, "unquoted_attribute", message, { fix: `Write "${written}".` });
}
