// Comparisons of a path that may be missing by <, <=, > or >=: finds those without a check that the path exists.
// JSONLogic counts a missing value as 0. `amount <= 100` is therefore true if there is no amount.
import type { Json, Rule } from "#schema/json.ts";
import { isPlainObject, childPointer } from "./json-values.ts";
import { parseCondition } from "./rule-findings.ts";
import { LOOPS } from "./rule-parts.ts";

export type Ordering = { readonly path: string; readonly operator: string; readonly pointer: string };

const ORDERINGS = new Set(["<", "<=", ">", ">="]);
/** Operators that handle a missing value. Inside such an operator the author expects that a path may be missing. */
const HANDLES_MISSING = new Set("exists missing missing_some ! !! and or if ?: ?? == != === !==".split(" "));
type OrderingSearch = { readonly found: Ordering[]; readonly asked: Set<string> };

export function bareOrderings(rule: Rule, pointer: string): readonly Ordering[] {
  const read = typeof rule === "string" ? parseCondition(rule) : rule;
  const walk: OrderingSearch = { found: [], asked: new Set() };
  if (read !== undefined) visit(walk, read, pointer);
  return walk.found.filter(({ path }) => !walk.asked.has(path));
}

function visit(walk: OrderingSearch, rule: Json, pointer: string): void {
  if (Array.isArray(rule)) rule.forEach((item: Json, index) => visit(walk, item, childPointer(pointer, index)));
  if (!isPlainObject(rule)) return;
  for (const [name, operands] of Object.entries(rule as { readonly [name: string]: Json })) {
    if (name === "preserve") continue;
    const list = Array.isArray(operands) ? (operands as readonly Json[]) : [operands];
    const at = childPointer(pointer, name);
    if (HANDLES_MISSING.has(name)) for (const path of list.flatMap(pathsIn)) walk.asked.add(path);
    list.forEach((operand, index) => {
      const path = ORDERINGS.has(name) ? barePath(operand) : null;
      if (path !== null) walk.found.push({ path, operator: name, pointer: childPointer(at, index) });
      if (!LOOPS.has(name) || index !== 1) visit(walk, operand, Array.isArray(operands) ? childPointer(at, index) : at);
    });
  }
}

/**
 * The paths that an operand names: the operands of exists, missing and missing_some are paths, and `var` names a path.
 */
function pathsIn(operand: Json): readonly string[] {
  if (typeof operand === "string") return [operand];
  if (Array.isArray(operand)) return operand.filter((each) => typeof each === "string");
  const path = barePath(operand);
  return path === null ? [] : [path];
}

/** The path of { var: path } if the rule gives no default value; null for any other operand. */
function barePath(operand: Json): string | null {
  if (!isPlainObject(operand) || !Object.hasOwn(operand, "var")) return null;
  const { var: path } = operand as { readonly var: Json }; // The line above has checked that the operand is an object with `var`.
  if (typeof path === "string") return path;
  const [first, otherwise = null] = Array.isArray(path) ? (path as readonly Json[]) : [];
  return typeof first === "string" && otherwise === null ? first : null;
}
