// The parts of a rule: the paths and texts that it names. Also the values at these paths, for a journal or an
// explanation.
import type { Json, Rule, JsonObject } from "#schema/json.ts";
import { EXPLAINED_VALUES_MAX, EXPLAINED_VALUE_BYTES_MAX } from "#schema/limits/planning/explanation-sizes.ts";
import type { Work } from "../computing/work.ts";
import { isPlainObject, childPointer, jsonBytes } from "./json-values.ts";
import { evaluate } from "./logic.ts";
import { parseCondition } from "./rule-findings.ts";

export type RulePart = { readonly kind: "path" | "text"; readonly text: string; readonly at: string };

/** Operators whose operands are paths instead of rules. */
const PATH_OPERANDS = new Set(["exists", "missing"]);
/**
 * Operators that evaluate a rule for each item of a list. Inside this rule, paths start at the item instead of the
 * scope.
 */
export const LOOPS: ReadonlySet<string> = new Set(["map", "filter", "all", "some", "none", "reduce"]);

type PartSearch = { readonly parts: RulePart[]; readonly isInLoop: boolean };

/**
 * The paths and texts that a rule names. `at`: the pointer of the rule. Paths inside loops are left out, because they
 * start at an item that is not known.
 */
export function partsOf(rule: Rule, at: string): readonly RulePart[] {
  const parts: RulePart[] = [];
  visit({ parts, isInLoop: false }, rule, at);
  return parts;
}

function visit(walk: PartSearch, rule: Json, at: string): void {
  if (typeof rule === "string") walk.parts.push({ kind: "text", text: rule, at });
  if (Array.isArray(rule)) rule.forEach((item: Json, n) => visit(walk, item, childPointer(at, n)));
  if (!isPlainObject(rule)) return;
  for (const [name, operands] of Object.entries(rule as { readonly [name: string]: Json })) {
    visitOperator(walk, name, operands, childPointer(at, name));
  }
}

function visitOperator(walk: PartSearch, name: string, operands: Json, at: string): void {
  if (name === "preserve") return;
  const list = Array.isArray(operands) ? (operands as readonly Json[]) : [operands];
  list.forEach((operand, n) => {
    const where = Array.isArray(operands) ? childPointer(at, n) : at;
    if (PATH_OPERANDS.has(name) || (name === "var" && n === 0)) return collectPath(walk, operand, where);
    if (name === "missing_some" && n === 1) return collectPaths(walk, operand, where);
    visit(LOOPS.has(name) && n === 1 ? { ...walk, isInLoop: true } : walk, operand, where);
  });
}

function collectPaths(walk: PartSearch, operand: Json, at: string): void {
  if (!Array.isArray(operand)) return visit(walk, operand, at);
  operand.forEach((each: Json, n) => collectPath(walk, each, childPointer(at, n)));
}

function collectPath(walk: PartSearch, operand: Json, at: string): void {
  if (typeof operand !== "string") return visit(walk, operand, at);
  if (!walk.isInLoop && operand !== "") walk.parts.push({ kind: "path", text: operand, at });
}

/**
 * The values at those wanted paths that the rule names outside of loops, at most EXPLAINED_VALUES_MAX. Empty if the
 * rule cannot be parsed.
 */
export function valuesRead(
  rule: Rule,
  scope: JsonObject,
  work: Work,
  isWanted: (path: string) => boolean = () => true,
): JsonObject {
  const paths = new Set(partsOf(parsedRule(rule), "").flatMap(({ kind, text }) => (kind === "path" ? [text] : [])));
  const named = [...paths].filter(isWanted).slice(0, EXPLAINED_VALUES_MAX);
  return Object.fromEntries(
    named.flatMap((path) => {
      const found = evaluate({ var: path }, scope, work);
      return found.ok ? [[path, shortValue(found.value)]] : [];
    }),
  );
}

/** The rule as JSON. A condition that is a text is parsed; any other rule is returned unchanged. */
export function parsedRule(rule: Rule): Rule {
  return typeof rule === "string" ? (parseCondition(rule) ?? rule) : rule;
}

/** The value for an explanation, which people read. A long value is replaced by a text with its size. */
export function shortValue(value: Json): Json {
  const bytes = jsonBytes(value);
  return bytes > EXPLAINED_VALUE_BYTES_MAX ? `(${bytes} bytes)` : value;
}
