// The parts of a rule: the paths that it names, and its literal texts.
import type { Json, Rule } from "#schema/json.ts";
import { isPlainObject } from "./equality.ts";
import { childPointer } from "./pointer.ts";

export type RulePart = { readonly kind: "path" | "text"; readonly text: string; readonly at: string };

/** Their operands are paths themselves. */
const NAMING = new Set(["exists", "missing"]);
/** Inside them, paths start at an item. */
export const LOOPS: ReadonlySet<string> = new Set(["map", "filter", "all", "some", "none", "reduce"]);

type Walk = { readonly parts: RulePart[]; readonly isInLoop: boolean };

/** `at`: pointer of the rule. Paths inside loops are left out, because they start at an unknown item. */
export function partsOf(rule: Rule, at: string): readonly RulePart[] {
  const parts: RulePart[] = [];
  visit({ parts, isInLoop: false }, rule, at);
  return parts;
}

function visit(walk: Walk, rule: Json, at: string): void {
  if (typeof rule === "string") walk.parts.push({ kind: "text", text: rule, at });
  if (Array.isArray(rule)) rule.forEach((item: Json, n) => visit(walk, item, childPointer(at, n)));
  if (!isPlainObject(rule)) return;
  for (const [name, operands] of Object.entries(rule as { readonly [name: string]: Json })) {
    visitOperator(walk, name, operands, childPointer(at, name));
  }
}

function visitOperator(walk: Walk, name: string, operands: Json, at: string): void {
  if (name === "preserve") return;
  const list = Array.isArray(operands) ? (operands as readonly Json[]) : [operands];
  list.forEach((operand, n) => {
    const where = Array.isArray(operands) ? childPointer(at, n) : at;
    if (NAMING.has(name) || (name === "var" && n === 0)) return path(walk, operand, where);
    if (name === "missing_some" && n === 1) return paths(walk, operand, where);
    visit(LOOPS.has(name) && n === 1 ? { ...walk, isInLoop: true } : walk, operand, where);
  });
}

function paths(walk: Walk, operand: Json, at: string): void {
  if (!Array.isArray(operand)) return visit(walk, operand, at);
  operand.forEach((each: Json, n) => path(walk, each, childPointer(at, n)));
}

function path(walk: Walk, operand: Json, at: string): void {
  if (typeof operand !== "string") return visit(walk, operand, at);
  if (!walk.isInLoop && operand !== "") walk.parts.push({ kind: "path", text: operand, at });
}
