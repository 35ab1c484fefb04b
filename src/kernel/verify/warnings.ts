// Probable mistakes in a definition. They do not prevent storing it; validation reports them.
import type { Definition, MachineDefinition } from "#schema/definition/definition.ts";
import { WARNINGS_TOLD_MAX } from "#schema/limits/kernel.ts";
import type { Warning } from "#schema/refusal.ts";
import { bareOrderings, type Ordering } from "../language/orderings.ts";
import { unquotedOutputs, type Unquoted } from "../language/unquoted.ts";
import { graphOf } from "../programs/machine/graph.ts";
import { hint, warning } from "./finding.ts";
import { guardWarnings } from "./guards.ts";
import { heardWarnings } from "./heard.ts";
import { languageWarnings } from "./languages.ts";
import { loopWarnings } from "./loops.ts";
import { pathWarnings } from "./paths.ts";
import { heardIn, journeyWarnings } from "./journey/warnings.ts";
import { reconcilerWarnings } from "./reconciler/warnings.ts";
import { reachWarnings } from "./reach.ts";
import { costWarnings } from "./step-cost.ts";
import { timeWarnings } from "./lasting.ts";
import { isAlwaysThere, knownBy, undeclaredWarnings } from "./declared/undeclared.ts";
import { valueWarnings } from "./declared/values.ts";
import { writtenIn } from "./written/of-definition.ts";
import type { PlacedText } from "./written/written.ts";

export function warningsOf(definition: Definition): readonly Warning[] {
  const found = [...ofKind(definition), ...ofLanguages(definition)];
  return found.length <= WARNINGS_TOLD_MAX ? found : [...found.slice(0, WARNINGS_TOLD_MAX), more(found.length)];
}

function ofKind(definition: Definition): readonly Warning[] {
  const written = writtenIn(definition);
  switch (definition.kind) {
    case "machine":
      return [...ofMachine(definition), ...undeclaredWarnings(definition, written, listenedFor(definition))];
    case "journey":
      return [...journeyWarnings(definition, written), ...undeclaredWarnings(definition, written, heardIn(definition))];
    case "reconciler":
      return [...reconcilerWarnings(definition), ...undeclaredWarnings(definition, written, NOTHING)];
  }
}

const NOTHING: ReadonlySet<string> = new Set();

function listenedFor(definition: MachineDefinition): ReadonlySet<string> {
  return new Set([...graphOf(definition).values()].flatMap(({ node }) => Object.keys(node.on ?? {})));
}

function ofMachine(definition: MachineDefinition): readonly Warning[] {
  return [
    ...reachWarnings(definition),
    ...heardWarnings(definition),
    ...guardWarnings(definition),
    ...loopWarnings(definition),
    ...timeWarnings(definition),
    ...costWarnings(definition),
  ];
}

function ofLanguages(definition: Definition): readonly Warning[] {
  const written = writtenIn(definition);
  const { rules, texts, variables } = written;
  const known = knownBy(definition, written);
  const orderings = rules.flatMap(({ rule, where, event }) =>
    bareOrderings(rule, where).map((each) => ({ ...each, isThere: isAlwaysThere(known, each.path, event) })),
  );
  return [
    ...pathWarnings(written),
    ...valueWarnings(definition, written),
    ...languageWarnings(written),
    ...orderings.filter(({ path, isThere }) => !isThere && mayBeNothing(path, definition, variables)).map(ofOrdering),
    ...texts.filter(isHtml).flatMap(({ text, where }) => unquotedOutputs(text).map((each) => ofUnquoted(each, where))),
  ];
}

function more(count: number): Warning {
  const message = `there are ${count - WARNINGS_TOLD_MAX} more`;
  return hint("", "more_warnings", message, { fix: "Fix these first, then validate again." });
}

/**
 * A variable exists if it has an initial value or a rule sets it. The content of an event is known by its schema only,
 * and there may have been no event or action yet.
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

/** Every field named html, at any depth. */
function isHtml({ where }: PlacedText): boolean {
  return where.endsWith("/html");
}

function ofUnquoted({ written, line }: Unquoted, where: string): Warning {
  const message = `${written} (line ${line}) is in an attribute without quotes: a space in the value would start another attribute`;
  return warning(where, "unquoted_attribute", message, { fix: `Write "${written}".` });
}
