// Wrong languages: a template in the field of a rule is used as plain text, and a rule in the field of a template is
// sent unchanged.
import type { Json, JsonObject } from "#schema/json.ts";
import type { Change, Warning } from "#schema/refusal.ts";
import { isPlainObject } from "../language/json-values.ts";
import { operators } from "../language/operators.ts";
import { partsOf } from "../language/rule-parts.ts";
import { parseCondition } from "../language/rule-findings.ts";
import { pointer } from "../programs/machine/pointers.ts";
import { warning } from "./finding.ts";
import { resemblesPath, isReadable, intendedPath } from "./readable-names.ts";
import type { WarningBudget } from "./warning-budget.ts";
import type { PlacedRule, RulesAndTemplates } from "./rules-and-templates/rules-and-templates.ts";

export function languageWarnings(
  { rules, configs, knownVariables: variables }: RulesAndTemplates,
  { make }: WarningBudget,
): readonly Warning[] {
  return [
    ...rules.flatMap((each) => templatesIn(each, variables, make)),
    ...configs.flatMap(({ rule, where }) => rulesIn(rule, where, variables, make)),
  ];
}

type Variables = ReadonlySet<string>;

type Make = WarningBudget["make"];

function templatesIn({ rule, where, isCondition }: PlacedRule, variables: Variables, make: Make): readonly Warning[] {
  const read = isCondition && typeof rule === "string" ? parseCondition(rule) : undefined;
  const isText = read !== undefined;
  return partsOf(read ?? rule, where).flatMap(({ kind, text, at }) => {
    if (!text.includes("{{")) return [];
    const told = make(() => {
      const said = kind === "text" ? asRule(text, variables) : asPath(text, variables);
      const shown = JSON.stringify(said);
      const fix = said === null ? 'Compute the value with "cat" and "var".' : `Write ${shown}.`;
      const patch: Change[] | null = said === null || isText ? null : [{ op: "replace", path: at, value: said }];
      const message = `templates have no effect in a rule: ${JSON.stringify(text.slice(0, 100))} is used as plain text`;
      return warning(isText ? where : at, "template_in_rule", message, { fix, patch });
    });
    return [told];
  });
}

const OUTPUT = /\{\{-?\s*([A-Za-z_][\w.]*)\s*-?\}\}/;

/** The rule that means the same as a template of texts and plain paths. null if the template has filters or tags. */
function asRule(text: string, variables: Variables): Json | null {
  if (/secrets\./.test(text)) return null;
  const alone = asPath(text, variables);
  if (alone !== null) return { var: alone };
  const split = text.split(OUTPUT);
  if (split.some((piece, n) => n % 2 === 1 && readablePath(piece, variables) === null)) return null;
  const pieces = split.map((piece, n) => (n % 2 === 0 ? piece : { var: readablePath(piece, variables) }));
  const isPlain = pieces.every((piece) => typeof piece !== "string" || !/\{\{|\{%/.test(piece));
  return isPlain ? { cat: pieces.filter((piece) => piece !== "") } : null;
}

function asPath(text: string, variables: Variables): string | null {
  const [before, path, after] = text.split(OUTPUT);
  return before === "" && after === "" && path !== undefined ? readablePath(path, variables) : null;
}

/**
 * The path itself if it exists, or the path that the author probably meant. null if there is none. A wrong language and
 * a wrong path often occur together.
 */
function readablePath(path: string, variables: Variables): string | null {
  const names = path.split(".");
  return isReadable(names) ? path : intendedPath(names, variables);
}

/** Warnings about the outermost rules in a config. */
function rulesIn(value: Json, where: string, variables: Variables, make: Make): readonly Warning[] {
  if (value === null || typeof value !== "object") return [];
  // If the outermost rule reads no path, no rule inside reads one.
  if (isRule(value)) return readsPath(value) ? [make(() => ruleInTemplateWarning(value, where, variables))] : [];
  return Object.entries(value).flatMap(([key, item]: [string, Json]) =>
    rulesIn(item, pointer(where, key), variables, make),
  );
}

function isRule(value: Json): value is JsonObject {
  const [name, another] = isPlainObject(value) ? Object.keys(value) : [];
  return name !== undefined && another === undefined && Object.hasOwn(operators, name);
}

/**
 * Whether the rule reads a path of the engine. A receiver may expect an object with one field called "in", but hardly
 * one with such a path.
 */
function readsPath(rule: JsonObject): boolean {
  return partsOf(rule, "").some(
    ({ kind, text }) => kind === "path" && text.includes(".") && resemblesPath(text.split(".")),
  );
}

function ruleInTemplateWarning(rule: JsonObject, where: string, variables: Variables): Warning {
  const said = asTemplate(rule, variables);
  const fix =
    said === null
      ? 'Compute the value in an "assign", and write {{ execution.variables.<name> }} here.'
      : `Write ${JSON.stringify(said)}.`;
  const patch = said === null ? null : [{ op: "replace", path: where, value: said } as const];
  const message = `this field takes templates, not rules: ${JSON.stringify(rule).slice(0, 100)} is sent unchanged`;
  return warning(where, "rule_in_template", message, { fix, patch });
}

function asTemplate(rule: Json, variables: Variables): string | null {
  if (typeof rule === "string") return rule;
  if (!isPlainObject(rule)) return null;
  const { var: path, cat } = rule;
  const meant = typeof path === "string" ? readablePath(path, variables) : null;
  if (meant !== null) return `{{ ${meant} }}`;
  if (!Array.isArray(cat)) return null;
  const parts = cat.map((part: Json) => asTemplate(part, variables));
  return parts.includes(null) ? null : parts.join("");
}
