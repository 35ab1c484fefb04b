// Rules that read the time: whether a rule's result may change although no other input changes. The answer is yes if
// the rule names `now`, reads the whole scope, or computes a path.
import type { ReconcilerRule } from "#schema/definition/reconciler.ts";
import type { Json } from "#schema/json.ts";
import { isPlainObject } from "../../language/json-values.ts";
import { parseCondition } from "../../language/rule-findings.ts";
import { LOOPS } from "../../language/rule-parts.ts";

export function readsTime({ when }: ReconcilerRule): boolean {
  if (when === undefined) return false;
  return mayReadTime(typeof when === "string" ? (parseCondition(when) ?? when) : when, false);
}

const PATH_OPERATORS = new Set(["var", "exists", "missing", "missing_some"]);

function mayReadTime(rule: Json, isInLoop: boolean): boolean {
  if (Array.isArray(rule)) return rule.some((each: Json) => mayReadTime(each, isInLoop));
  if (!isPlainObject(rule)) return false;
  return Object.entries(rule as { readonly [name: string]: Json }).some(([name, operands]) => {
    if (name === "preserve") return false;
    const list: readonly Json[] = Array.isArray(operands) ? operands : [operands];
    if (PATH_OPERATORS.has(name)) return list.some((path) => mayLeadToTime(path, isInLoop));
    return list.some((each, n) => mayReadTime(each, isInLoop || (LOOPS.has(name) && n > 0)));
  });
}

/**
 * Whether a path may lead to the time. Inside a loop a path starts at the item, unless it begins with `../`. The
 * default value of a path is checked like a path.
 */
function mayLeadToTime(path: Json, isInLoop: boolean): boolean {
  if (Array.isArray(path)) return path.some((each: Json) => mayLeadToTime(each, isInLoop));
  if (isPlainObject(path)) return true;
  if (typeof path !== "string") return false;
  const named = path.replace(/^(?:\.\.\/)+/, "");
  if (named === "") return !isInLoop || path !== "";
  return /^now(?:\.|$)/.test(named);
}
