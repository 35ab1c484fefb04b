// Rule errors that can be found before the rule is evaluated.
import type { Json, Rule } from "#schema/json.ts";
import { RULE_DEPTH_MAX, RULE_NODES_MAX } from "#schema/limits/definition-sizes.ts";
import type { Finding } from "#schema/refusal.ts";
import { isPlainObject, childPointer } from "./json-values.ts";
import { operators, type Operator } from "./operators.ts";
import { forbiddenNames } from "./paths.ts";
import { didYouMean } from "#schema/suggest.ts";

type Walk = { readonly findings: Finding[]; nodes: number };

/** Verifies a rule. With the use "condition", the rule may also be a string that contains a rule as JSON. */
export function ruleFindings(rule: Rule, pointer: string, use: "value" | "condition" = "value"): Finding[] {
  const read = use === "condition" && typeof rule === "string" ? parseCondition(rule) : rule;
  if (read === undefined)
    return [finding(pointer, "rule_shape", "a condition must be a rule, or a text that contains a rule in JSON")];
  const walk: Walk = { findings: [], nodes: 0 };
  visit(walk, read, pointer, 0);
  if (walk.nodes > RULE_NODES_MAX) {
    const message = `the rule has more than ${RULE_NODES_MAX} parts (RULE_NODES_MAX)`;
    walk.findings.push(finding(pointer, "rule_too_big", message));
  }
  return walk.findings;
}

/** The rule that a text contains as JSON; undefined if the text is not JSON. */
export function parseCondition(text: string): Rule | undefined {
  try {
    return JSON.parse(text) as Json; // JSON.parse returns only JSON.
  } catch {
    return undefined;
  }
}

function visit(walk: Walk, rule: Json, pointer: string, depth: number): void {
  walk.nodes += 1;
  if (walk.nodes > RULE_NODES_MAX) return;
  if (depth > RULE_DEPTH_MAX) {
    const message = `the rule is nested more than ${RULE_DEPTH_MAX} levels deep (RULE_DEPTH_MAX)`;
    walk.findings.push(finding(pointer, "rule_too_deep", message));
  } else if (Array.isArray(rule)) visitAll(walk, rule, pointer, depth + 1);
  else if (isPlainObject(rule)) visitOperator(walk, rule, pointer, depth);
}

function visitAll(walk: Walk, rules: object, pointer: string, depth: number): void {
  for (const [key, rule] of Object.entries(rules)) visit(walk, rule as Json, childPointer(pointer, key), depth);
}

function visitOperator(walk: Walk, rule: { readonly [name: string]: unknown }, pointer: string, depth: number): void {
  const names = Object.keys(rule);
  const [name] = names;
  if (name === undefined) return;
  if (names.length > 1) {
    const message = `an object in a rule must have one field, its operator; this one has ${names.length}`;
    walk.findings.push({
      ...finding(pointer, "rule_shape", message),
      hint: 'Write a literal object as {"preserve": …}.',
    });
    return;
  }
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (operator === undefined) walk.findings.push(unknownOperator(name, pointer));
  else visitOperands(walk, name, operator, rule[name] as Json, childPointer(pointer, name), depth); // The value of a rule's field is JSON.
}

function unknownOperator(name: string, pointer: string): Finding {
  const meant = didYouMean(name, Object.keys(operators));
  const found = finding(pointer, "rule_operator_unknown", `unknown operator "${name}"`);
  return meant === null ? found : { ...found, hint: `did you mean "${meant}"?` };
}

function visitOperands(walk: Walk, name: string, operator: Operator, operands: Json, pointer: string, depth: number) {
  if (name === "preserve") return;
  if (name === "eachKey") return visitFields(walk, operands, pointer, depth);
  const list = Array.isArray(operands) ? operands : [operands];
  const [least, most] = operator.args;
  // The only operand may be a rule whose result is a list. The items of that list are then the operands, so the number
  // of operands is not known.
  const known = Array.isArray(operands) || !isPlainObject(operands) || NEVER_SPREAD.has(name);
  if (known && (list.length < least || list.length > most)) {
    const message = `${name} takes ${most === least ? least : `${least} to ${most}`} operands, not ${list.length}`;
    walk.findings.push(finding(pointer, "rule_shape", message.replace("to Infinity", "or more")));
  }
  if (PATHS.has(name)) walk.findings.push(...pathFindings(list, pointer));
  if (Array.isArray(operands)) visitAll(walk, operands, pointer, depth + 1);
  else visit(walk, operands, pointer, depth + 1);
}

/** Operators that read their operands unevaluated. The result of a rule therefore never becomes their operands. */
const NEVER_SPREAD = new Set([
  "if",
  "?:",
  "and",
  "or",
  "??",
  "map",
  "filter",
  "all",
  "some",
  "none",
  "reduce",
  "<",
  "<=",
  ">",
  ">=",
]);
const PATHS = new Set(["var", "exists", "missing"]);

function visitFields(walk: Walk, fields: Json, pointer: string, depth: number): void {
  if (isPlainObject(fields)) visitAll(walk, fields, pointer, depth + 1);
  else walk.findings.push(finding(pointer, "rule_shape", "eachKey takes an object whose fields are rules"));
}

function pathFindings(paths: readonly Json[], pointer: string): Finding[] {
  const names = paths.filter((path) => typeof path === "string").flatMap((path) => path.split("."));
  const reached = names.find((name) => forbiddenNames.has(name));
  if (reached === undefined) return [];
  return [finding(pointer, "rule_path_forbidden", `"${reached}" is not allowed as the name of a field`)];
}

function finding(pointer: string, code: string, message: string): Finding {
  return { pointer, code, message };
}
