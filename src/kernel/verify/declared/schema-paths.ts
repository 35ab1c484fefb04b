// Paths in rules and templates that the schemas do not allow. A variable that a rule sets, or that has an initial
// value, may have any value. The fields of an event are known only if the transition names the event type and this type
// has a schema.
import type { Definition } from "#schema/definition/definition.ts";
import { SUGGESTED_NAMES_COMPARED_MAX } from "#schema/limits/definition-sizes.ts";
import type { Change, Warning } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import { readPath, type PathReading } from "../../declared/path-reading.ts";
import { partsOf } from "../../language/rule-parts.ts";
import { parseCondition } from "../../language/rule-findings.ts";
import { globalsIn } from "../../language/template.ts";
import { pointer } from "../../programs/machine/pointers.ts";
import { hint, jsonOf, warning } from "../finding.ts";
import { isNear } from "../near-names.ts";
import { PLAIN_PATH, replacePath } from "../unknown-paths.ts";
import type { WarningBudget } from "../warning-budget.ts";
import type { RulesAndTemplates } from "../rules-and-templates/rules-and-templates.ts";

export function undeclaredWarnings(
  definition: Definition,
  written: RulesAndTemplates,
  budget: WarningBudget,
): readonly Warning[] {
  const { rules, texts } = written;
  const known = openPathReader(definition, written);
  return [
    ...rules.flatMap(({ rule, where, isCondition, event }) => {
      const isText = isCondition && typeof rule === "string";
      const read = isText ? parseCondition(rule) : rule;
      return partsOf(read ?? null, where).flatMap(({ kind, text, at }) => {
        if (kind !== "path" || !PLAIN_PATH.test(text)) return [];
        const fixed = (path: string): readonly Change[] | null =>
          isText ? null : [{ op: "replace", path: at, value: path }];
        const place = { where: isText ? where : at, fixed };
        return pathWarnings(text.split("."), known(text.split("."), event), place, budget);
      });
    }),
    ...texts.flatMap(({ text, where }) =>
      globalsIn(text).flatMap((names) => {
        const fixed = (path: string): readonly Change[] | null => {
          if (!budget.mayPatch(text)) return null;
          const value = replacePath(text, names.join("."), path);
          const isGone = !globalsIn(value).some((each) => each.join(".") === names.join("."));
          return isGone ? [{ op: "replace", path: where, value }] : null;
        };
        // Liquid gives every text and every list the properties size, first and last, so a schema does not declare
        // them.
        const isAsked = /^(size|first|last)$/.test(String(names.at(-1)));
        return isAsked ? [] : pathWarnings(names, known(names, null), { where, fixed }, budget);
      }),
    ),
  ];
}

/**
 * What a schema says about a path. `from`: the pointer of this schema. The first two names of a path select the schema,
 * and the other names are read in it.
 */
export type ReadSchemaPath = { readonly reading: PathReading; readonly from: string };
export type PathReader = (names: readonly string[], event: string | null) => ReadSchemaPath | null;

/**
 * Returns a function that reads a path in the definition's schemas. The function returns null if no schema applies to
 * the path.
 */
export function openPathReader(
  { input, events = {} }: Definition,
  { setVariables: variables }: RulesAndTemplates,
): PathReader {
  return ([root, field, ...rest], event) => {
    if (rest.length > 0 && root === "execution" && field === "variables" && input && !variables.has(String(rest[0]))) {
      return { reading: readPath(input, rest, true), from: "input" };
    }
    const declared = event !== null && Object.hasOwn(events, event) ? events[event] : undefined;
    if (rest.length === 0 || root !== "message" || field !== "payload" || declared === undefined) return null;
    return { reading: readPath(declared, rest, false), from: `events of ${event}` };
  };
}

const PLACE_NAMES = 2;

export function isAlwaysPresent(known: PathReader, path: string, event: string | null): boolean {
  const reading = known(path.split("."), event)?.reading;
  return reading?.kind === "there" && reading.isAlways;
}

type WarningPlace = { readonly where: string; readonly fixed: (path: string) => readonly Change[] | null };

function pathWarnings(
  names: readonly string[],
  looked: ReadSchemaPath | null,
  place: WarningPlace,
  { make }: WarningBudget,
): readonly Warning[] {
  if (looked?.reading.kind !== "absent") return [];
  const { reading, from } = looked;
  const known = reading.known.slice(0, SUGGESTED_NAMES_COMPARED_MAX);
  const wrong = String(names[PLACE_NAMES + reading.names]);
  if (!reading.isOpen)
    return [make(() => absentPathWarning({ names, reading, from, known, near: didYouMean(wrong, known) }, place))];
  const near = known.find((each) => isNear(each, wrong));
  return near === undefined ? [] : [make(() => absentPathWarning({ names, reading, from, known, near }, place))];
}

type AbsentPath = {
  readonly names: readonly string[];
  readonly reading: Extract<PathReading, { kind: "absent" }>;
  readonly from: string;
  readonly known: readonly string[];
  /** The declared name that is most similar to the wrong name; null if none is similar. */
  readonly near: string | null;
};

function absentPathWarning({ names, reading, from, known, near }: AbsentPath, { where, fixed }: WarningPlace): Warning {
  const at = PLACE_NAMES + reading.names;
  const wrong = String(names[at]);
  const path = [...names.slice(0, at), near ?? wrong, ...names.slice(at + 1)].join(".");
  const declare =
    from === "input" ? ", add it to the schema, or give it a value in variables" : " or add it to the schema";
  const others = known.length === 0 ? "" : `; known: ${known.join(", ")}`;
  const instead = near === null ? `Remove the reference${declare}.` : `Write ${path} if you mean that name${declare}.`;
  const patch = near === null ? null : fixed(path);
  const message = `${names.join(".")}: the schema of ${from} has no ${wrong}${others}`;
  return (reading.isOpen ? hint : warning)(where, "undeclared_path", message, { fix: instead, patch });
}

/**
 * Warnings about event schemas without a listener: the engine refuses such an event as unknown. `listenedFor`: the
 * event types with a listener; `*` if a listener accepts every type.
 */
export function unusedEventSchemaWarnings(
  { kind, events = {} }: Definition,
  listenedFor: ReadonlySet<string>,
): readonly Warning[] {
  if (listenedFor.has("*")) return [];
  const undeclared = [...listenedFor]
    .filter((type) => !Object.hasOwn(events, type))
    .slice(0, SUGGESTED_NAMES_COMPARED_MAX);
  return Object.entries(events).flatMap(([type, schema]) => {
    if (listenedFor.has(type)) return [];
    const where = pointer("/events", type);
    const near = didYouMean(type, undeclared);
    const moved = near === null ? [] : [{ op: "add", path: pointer("/events", near), value: jsonOf(schema) } as const];
    const fix =
      near === null
        ? "Add a transition for the event type, or remove its schema."
        : `If you mean the event type "${near}", write that name.`;
    const patch: Change[] = [{ op: "remove", path: where }, ...moved];
    return [
      warning(where, "event_unhandled", `no ${kind === "machine" ? "state" : "node"} listens for ${type}`, {
        fix,
        patch,
      }),
    ];
  });
}
