// What a rule always comes to, where that can be seen without an execution. null: it depends.
import type { Json, JsonObject, Rule } from "#schema/json.ts";
import { isPlainObject } from "../language/equality.ts";
import { truthy } from "../language/logic.ts";
import { parseCondition } from "../language/rule-findings.ts";
import type { Work } from "../language/work.ts";

/** `work` is for all rules of a definition together: looking ahead must not cost more than a step. */
export function alwaysComesTo(condition: Rule, work: Work): boolean | null {
  const read = typeof condition === "string" ? parseCondition(condition) : condition;
  return read === undefined ? null : verdictOf(read, work);
}

function verdictOf(rule: Json, work: Work): boolean | null {
  const [operator, operands] = operatorOf(rule);
  const verdicts = (): (boolean | null)[] => operands.map((each) => verdictOf(each, work));
  if (operator === "and") {
    const each = verdicts();
    return each.includes(false) || contradicts(operands) ? false : each.includes(null) ? null : true;
  }
  if (operator === "or") {
    const each = verdicts();
    return each.includes(true) ? true : each.includes(null) ? null : false;
  }
  if (operator === "!" || operator === "!!") {
    const [held = null] = verdicts();
    return held === null ? null : held === (operator === "!!");
  }
  if (looksAtSomething(rule)) return null;
  const held = truthy(asRule(rule), {}, work);
  return held.ok ? held.value : null;
}

/** A text by itself is a text here, and not the JSON of a rule. */
function asRule(rule: Json): Rule {
  return typeof rule === "string" ? { "!!": [rule] } : rule;
}

function operatorOf(rule: Json): readonly [string, readonly Json[]] {
  const [entry] = isPlainObject(rule) ? Object.entries(rule as JsonObject) : [];
  if (entry === undefined) return ["", []];
  const [name, operands] = entry;
  return [name, Array.isArray(operands) ? (operands as readonly Json[]) : [operands]];
}

const LOOKING = new Set(["var", "exists", "missing", "missing_some"]);

function looksAtSomething(rule: Json): boolean {
  if (Array.isArray(rule)) return rule.some((each: Json) => looksAtSomething(each));
  if (!isPlainObject(rule)) return false;
  return Object.entries(rule as JsonObject).some(
    ([name, operands]) => LOOKING.has(name) || (name !== "preserve" && looksAtSomething(operands)),
  );
}

/** One path is to be equal to two things that nothing is equal to at once. */
function contradicts(operands: readonly Json[]): boolean {
  const wanted = new Map<string, Json>();
  return operands.some((operand) => {
    const [operator, sides] = operatorOf(operand);
    if ((operator !== "==" && operator !== "===") || sides.length !== 2) return false;
    const [path, another] = sides.map(pathOf).filter((each) => each !== null);
    const value = sides.find((side) => pathOf(side) === null) ?? null;
    if (path === undefined || another !== undefined || value === null || typeof value === "object") return false;
    const before = wanted.get(path);
    wanted.set(path, before ?? value);
    return before !== undefined && areApart(before, value);
  });
}

function pathOf(side: Json): string | null {
  const [operator, [path]] = operatorOf(side);
  return operator === "var" && typeof path === "string" ? path : null;
}

/** Texts that read as numbers may be equal to one number, as "1" and "1.0" are. */
function areApart(a: Json, b: Json): boolean {
  if (typeof a !== typeof b || a === b) return false;
  return typeof a !== "string" || Number.isNaN(Number(a)) || Number.isNaN(Number(b));
}
