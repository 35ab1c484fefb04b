// The constant result of a rule, computed without an execution. null if the result depends on data.
import type { Json, JsonObject, Rule } from "#schema/json.ts";
import { isPlainObject } from "../language/json-values.ts";
import { truthy } from "../language/logic.ts";
import { parseCondition } from "../language/rule-findings.ts";
import { LOOPS } from "../language/rule-parts.ts";
import type { Work } from "../computing/work.ts";

/**
 * The constant result of a condition; null if it depends on data. `work`: one budget for all rules of a definition,
 * because this check must not cost more than a step. `event`: the only type that the message can have; null if several
 * types are possible.
 */
export function constantResult(condition: Rule, work: Work, event: string | null = null): boolean | null {
  const read = typeof condition === "string" ? parseCondition(condition) : condition;
  return read === undefined ? null : resultOf(event === null ? read : withType(read, event), work);
}

/** The rule, in which each path of the message's type is replaced by this type. */
function withType(rule: Json, event: string): Json {
  if (Array.isArray(rule)) return rule.map((each: Json) => withType(each, event));
  if (!isPlainObject(rule)) return rule;
  const fields = rule as JsonObject;
  if (fields["var"] === "message.type") return event;
  const inside = ([name, operands]: readonly [string, Json]): readonly [string, Json] =>
    // Paths in these operands do not start at the scope. In a loop they start at an item, and the operand of "preserve"
    // is a literal. They are therefore left unchanged.
    LOOPS.has(name) || name === "preserve" ? [name, operands] : [name, withType(operands, event)];
  return Object.fromEntries(Object.entries(fields).map(inside));
}

function resultOf(rule: Json, work: Work): boolean | null {
  const [operator, operands] = operatorOf(rule);
  const verdicts = (): (boolean | null)[] => operands.map((each) => resultOf(each, work));
  if (operator === "and") {
    const each = verdicts();
    return each.includes(false) || isContradiction(operands) ? false : each.includes(null) ? null : true;
  }
  if (operator === "or") {
    const each = verdicts();
    return each.includes(true) ? true : each.includes(null) ? null : false;
  }
  if (operator === "!" || operator === "!!") {
    const [held = null] = verdicts();
    return held === null ? null : held === (operator === "!!");
  }
  if (isInEmptyList(operator, operands) || comparesPathWithItself(operator, operands)) return false;
  if (readsData(rule)) return null;
  const held = truthy(asRule(rule), {}, work);
  return held.ok ? held.value : null;
}

/** Whether the rule is `in` with an empty list. Such a rule is always false. */
function isInEmptyList(operator: string, [, list]: readonly Json[]): boolean {
  return operator === "in" && Array.isArray(list) && list.length === 0;
}

/**
 * Whether a comparison has the same path on both sides. A value is never less than, greater than or different from
 * itself, so such a comparison is always false.
 */
function comparesPathWithItself(operator: string, [one, other, more]: readonly Json[]): boolean {
  if (!INEQUALITIES.has(operator) || one === undefined || more !== undefined) return false;
  return JSON.stringify(one) === JSON.stringify(other);
}

const INEQUALITIES = new Set(["<", ">", "!=", "!=="]);

/** The operand as a rule. In this place a text is plain text, and never the JSON of a rule. */
function asRule(rule: Json): Rule {
  return typeof rule === "string" ? { "!!": [rule] } : rule;
}

function operatorOf(rule: Json): readonly [string, readonly Json[]] {
  const [entry] = isPlainObject(rule) ? Object.entries(rule as JsonObject) : [];
  if (entry === undefined) return ["", []];
  const [name, operands] = entry;
  return [name, Array.isArray(operands) ? (operands as readonly Json[]) : [operands]];
}

const READING_OPERATORS = new Set(["var", "exists", "missing", "missing_some"]);

/** Whether the rule reads data of an execution. */
export function readsData(rule: Json): boolean {
  if (Array.isArray(rule)) return rule.some((each: Json) => readsData(each));
  if (!isPlainObject(rule)) return false;
  return Object.entries(rule as JsonObject).some(
    ([name, operands]) => READING_OPERATORS.has(name) || (name !== "preserve" && readsData(operands)),
  );
}

function isContradiction(operands: readonly Json[]): boolean {
  return requiresTwoValues(operands) || hasEmptyRange(operands);
}

/**
 * Whether the operands can never be true together: a path must be above one number and below another that is not
 * larger.
 */
function hasEmptyRange(operands: readonly Json[]): boolean {
  const bounds = operands.flatMap(boundsIn);
  const [lowest, highest] = [new Map<string, Bound>(), new Map<string, Bound>()];
  for (const bound of bounds) {
    const strictest = bound.isAbove ? lowest : highest;
    strictest.set(bound.path, stricter(bound, strictest.get(bound.path) ?? bound));
  }
  return [...lowest].some(([path, { value, withIt }]) => {
    const other = highest.get(path);
    return other !== undefined && (value > other.value || (value === other.value && !(withIt && other.withIt)));
  });
}

/** Of two bounds on the same side, the one that allows fewer values. */
function stricter(a: Bound, b: Bound): Bound {
  if (a.value === b.value) return a.withIt ? b : a;
  return a.value > b.value === a.isAbove ? a : b;
}

/** `withIt`: whether the bound's own value is allowed. */
type Bound = { readonly path: string; readonly isAbove: boolean; readonly value: number; readonly withIt: boolean };

/** The bounds that a comparison with numbers sets for a path. A comparison of three operands sets two. */
function boundsIn(operand: Json): readonly Bound[] {
  const [operator, sides] = operatorOf(operand);
  if (!/^[<>]=?$/.test(operator)) return [];
  const withIt = operator.endsWith("=");
  return sides.flatMap((right, n) => {
    const left = sides[n - 1];
    if (left === undefined) return [];
    const isLess = operator.startsWith("<");
    const [path, value, isPathLeft] =
      pathOf(left) === null ? [pathOf(right), left, false] : [pathOf(left), right, true];
    return path === null || typeof value !== "number" ? [] : [{ path, isAbove: isPathLeft !== isLess, value, withIt }];
  });
}

/** Whether the operands can never be true together: a path must equal two different values. */
function requiresTwoValues(operands: readonly Json[]): boolean {
  const wanted = new Map<string, Json>();
  return operands.some((operand) => {
    const [operator, sides] = operatorOf(operand);
    if ((operator !== "==" && operator !== "===") || sides.length !== 2) return false;
    const [path, another] = sides.map(pathOf).filter((each) => each !== null);
    const value = sides.find((side) => pathOf(side) === null) ?? null;
    if (path === undefined || another !== undefined || value === null || typeof value === "object") return false;
    const before = wanted.get(path);
    wanted.set(path, before ?? value);
    return before !== undefined && areNeverEqual(before, value);
  });
}

function pathOf(side: Json): string | null {
  const [operator, [path]] = operatorOf(side);
  return operator === "var" && typeof path === "string" ? path : null;
}

/**
 * Whether two values are never equal. False for two texts that are numbers, because "1" and "1.0" both equal the number
 * 1.
 */
function areNeverEqual(a: Json, b: Json): boolean {
  if (typeof a !== typeof b || a === b) return false;
  return typeof a !== "string" || Number.isNaN(Number(a)) || Number.isNaN(Number(b));
}
