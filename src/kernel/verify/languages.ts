// Wrong languages: a template in a field for rules, which would be used as plain text, and a rule in a field for
// templates, which would be sent unchanged.
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
      const message = `templates have no effect in a rule: the engine uses ${JSON.stringify(text.slice(0, 100))} as plain text`;
      return warning(isText ? where : at, "template_in_rule", message, { fix, patch });
    });
    return [told];
  });
}

const OUTPUT = /\{\{-?\s*([A-Za-z_][\w.]*)\s*-?\}\}/;

/**
 * The rule with the same meaning as a template. null if the template has filters or tags, because only texts and plain
 * paths can be converted.
 */
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
 * The path itself if it exists; otherwise the path that the author probably meant, or null. An author who writes the
 * wrong language often also uses another engine's paths.
 */
function readablePath(path: string, variables: Variables): string | null {
  const names = path.split(".");
  return isReadable(names) ? path : intendedPath(names, variables);
}

/** Warnings about rules in a config. A rule inside another rule gets no warning of its own. */
function rulesIn(value: Json, where: string, variables: Variables, make: Make): readonly Warning[] {
  if (value === null || typeof value !== "object") return [];
  // If the whole rule reads no path, the rules inside it read none either, so they are not searched.
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
 * Whether the rule reads a path of the engine. An object with one field "in" may be meant as data for the receiver.
 * With such a path it is almost certainly a rule.
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
  const message = `this field accepts templates, not rules: the engine sends ${JSON.stringify(rule).slice(0, 100)} unchanged`;
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
