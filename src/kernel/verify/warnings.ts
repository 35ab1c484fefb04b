// Probable mistakes in a definition. They do not prevent storing it; validation reports them.
import type { Definition, MachineDefinition } from "#schema/definition/definition.ts";
import { WARNINGS_RETURNED_MAX } from "#schema/limits/definitions/definition-size.ts";
import type { Warning } from "#schema/refusal.ts";
import { bareOrderings, type Ordering } from "../language/orderings.ts";
import { unquotedOutputs, type UnquotedOutput } from "../language/unquoted-outputs.ts";
import type { Computation } from "../computing/computation.ts";
import { graphOf } from "../programs/machine/graph.ts";
import { hint, warning } from "./finding.ts";
import { checkOf, runChecks, type Check } from "./checks.ts";
import { openWarningBudget, type WarningBudget } from "./warning-budget.ts";
import { guardWarnings } from "./guards.ts";
import { heardWarnings } from "./unhandled-outcomes.ts";
import { languageWarnings } from "./languages.ts";
import { loopWarnings } from "./loops.ts";
import { pathWarnings } from "./unknown-paths.ts";
import { heardIn, journeyWarnings } from "./journey/warnings.ts";
import { reconcilerWarnings } from "./reconciler/warnings.ts";
import { reachWarnings } from "./reachable-states.ts";
import { costWarnings } from "./step-cost.ts";
import { timeWarnings } from "./work-beyond-state.ts";
import {
  isAlwaysThere,
  knownBy,
  undeclaredWarnings,
  unlistenedWarnings,
  type PathReader,
} from "./declared/schema-paths.ts";
import { valueWarnings } from "./declared/compared-values.ts";
import { writtenIn } from "./rules-and-templates/of-definition.ts";
import {
  portionsOf,
  type PlacedRule,
  type PlacedText,
  type Written,
} from "./rules-and-templates/rules-and-templates.ts";

/** The first warnings, and how many more there are. */
export function* warningsInParts(definition: Definition): Computation<readonly Warning[]> {
  const written = writtenIn(definition);
  const found = yield* runChecks([...ofKind(definition, written), ...ofLanguages(definition, written)]);
  return found.length <= WARNINGS_RETURNED_MAX ? found : [...found.slice(0, WARNINGS_RETURNED_MAX), more(found.length)];
}

type Checks = readonly Check<Warning>[];

function ofKind(definition: Definition, written: Written): Checks {
  switch (definition.kind) {
    case "machine":
      return [
        ...machineChecks.map((check) => checkOf(definition, check)),
        ...undeclared(definition, written, listenedFor),
      ];
    case "journey":
      return [
        checkOf(definition, () => journeyWarnings(definition, written)),
        ...undeclared(definition, written, heardIn),
      ];
    case "reconciler":
      return [checkOf(definition, reconcilerWarnings), ...undeclared(definition, written, () => NOTHING)];
  }
}

const NOTHING: ReadonlySet<string> = new Set();

function listenedFor(definition: MachineDefinition): ReadonlySet<string> {
  return new Set([...graphOf(definition).values()].flatMap(({ node }) => Object.keys(node.on ?? {})));
}

const machineChecks: readonly ((definition: MachineDefinition) => readonly Warning[])[] = [
  reachWarnings,
  heardWarnings,
  guardWarnings,
  loopWarnings,
  timeWarnings,
  costWarnings,
];

function undeclared<Kind extends Definition>(
  definition: Kind,
  written: Written,
  heardIn: (definition: Kind) => ReadonlySet<string>,
): Checks {
  return [
    ...inPortions(written, (portion, budget) => undeclaredWarnings(definition, portion, budget)),
    checkOf(definition, () => unlistenedWarnings(definition, heardIn(definition))),
  ];
}

function ofLanguages(definition: Definition, written: Written): Checks {
  const known = knownBy(definition, written);
  return [
    ...inPortions(written, pathWarnings),
    ...inPortions(written, (portion, budget) => valueWarnings(definition, portion, budget)),
    ...inPortions(written, languageWarnings),
    ...inPortions(written, ({ rules, variables }) => orderingWarnings(rules, known, { definition, variables })),
    ...inPortions(written, ({ texts }) =>
      texts.filter(isHtml).flatMap(({ text, where }) => unquotedOutputs(text).map((each) => ofUnquoted(each, where))),
    ),
  ];
}

/** A check of rules and texts, one portion at a time. */
function inPortions(written: Written, check: (portion: Written, budget: WarningBudget) => readonly Warning[]): Checks {
  const budget = openWarningBudget();
  return portionsOf(written).map(({ portion, bytes }) => ({ bytes, run: () => check(portion, budget) }));
}

type Around = { readonly definition: Definition; readonly variables: ReadonlySet<string> };

function orderingWarnings(
  rules: readonly PlacedRule[],
  known: PathReader,
  { definition, variables }: Around,
): readonly Warning[] {
  return rules
    .flatMap(({ rule, where, event }) =>
      bareOrderings(rule, where).filter(
        ({ path }) => !isAlwaysThere(known, path, event) && mayBeNothing(path, definition, variables),
      ),
    )
    .map(ofOrdering);
}

function more(count: number): Warning {
  const message = `there are ${count - WARNINGS_RETURNED_MAX} more`;
  return hint("", "more_warnings", message, { fix: "Fix these first, then validate again." });
}

/**
 * Whether a value may be missing. A variable exists if it has an initial value or a rule sets it. The content of an
 * event is known by its schema only, and there may have been no event or action yet.
 */
function mayBeNothing(path: string, { kind, variables = {} }: Definition, set: ReadonlySet<string>): boolean {
  // In a reconciler, an action has a status even before its first run.
  if (/^(?:message|action)(?:\.|$)/.test(path)) return kind !== "reconciler";
  const name = /^execution\.variables\.([^.]+)/.exec(path)?.[1];
  return name !== undefined && (!set.has(name) || (Object.hasOwn(variables, name) && variables[name] === null));
}

function ofOrdering({ path, operator, pointer: at }: Ordering): Warning {
  const message = `a missing ${path} counts as 0 for ${operator}`;
  const fix = `Check that it exists: { "and": [{ "exists": "${path}" }, …] }, give a default: { "var": ["${path}", …] }, or make it required in the schema.`;
  return warning(at, "ordering_of_nothing", message, { fix });
}

/** Whether the text is HTML: every field named html, at any depth. */
function isHtml({ where }: PlacedText): boolean {
  return where.endsWith("/html");
}

function ofUnquoted({ written, line }: UnquotedOutput, where: string): Warning {
  const message = `${written} (line ${line}) is in an attribute without quotes: a space in the value would start another attribute`;
  return warning(where, "unquoted_attribute", message, { fix: `Write "${written}".` });
}
