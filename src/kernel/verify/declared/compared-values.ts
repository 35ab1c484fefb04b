// Comparisons with values that a schema excludes: for example a misspelled enum value, or a text where the schema
// requires a number.
import type { Definition } from "#schema/definition/definition.ts";
import type { Json, JsonObject, Rule } from "#schema/json.ts";
import { SUGGESTED_NAMES_COMPARED_MAX } from "#schema/limits/definition-sizes.ts";
import type { Change, Warning } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import { typeOf } from "../../declared/schema-violations.ts";
import { excludes, valuesOf } from "../../declared/path-reading.ts";
import { isPlainObject, looselyEqual, strictlyEqual, childPointer } from "../../language/json-values.ts";
import { parseCondition } from "../../language/rule-findings.ts";
import { LOOPS } from "../../language/rule-parts.ts";
import { warning } from "../finding.ts";
import type { WarningBudget } from "../warning-budget.ts";
import { openPathReader } from "./schema-paths.ts";
import type { RulesAndTemplates } from "../rules-and-templates/rules-and-templates.ts";

export function valueWarnings(
  definition: Definition,
  written: RulesAndTemplates,
  { make }: WarningBudget,
): readonly Warning[] {
  const known = openPathReader(definition, written);
  return written.rules.flatMap(({ rule, where, isCondition, event }) => {
    const isText = isCondition && typeof rule === "string";
    const read = isText ? parseCondition(rule) : rule;
    return comparisonsIn(read ?? null, where).flatMap(({ path, value, at, isStrict }) => {
      const reading = known(path.split("."), event)?.reading;
      if (reading?.kind !== "there" || value === null) return [];
      const values = valuesOf(reading.schema);
      const isSame = (a: unknown, b: unknown): boolean => (isStrict ? strictlyEqual : looselyEqual)(a, b, NO_BUDGET);
      const isOtherType = isStrict && excludes(reading.schema, typeOf(value));
      if (!isOtherType && (values === null || values.some((each) => isSame(each, value)))) return [];
      return [make(() => impossibleValueWarning({ path, value, at: isText ? where : at, values, isText }))];
    });
  });
}

/** A literal is one word or number, so comparing it needs no budget. */
const NO_BUDGET = { use: (): void => undefined };

type Comparison = { readonly path: string; readonly value: Json; readonly at: string; readonly isStrict: boolean };

const EQUAL = new Set(["==", "===", "!=", "!=="]);
/** Comparisons of a path with a literal. `in` with a list counts as one comparison for each literal of the list. */
function comparisonsIn(rule: Rule, at: string): readonly Comparison[] {
  if (Array.isArray(rule)) return rule.flatMap((each: Json, n) => comparisonsIn(each, childPointer(at, n)));
  if (!isPlainObject(rule)) return [];
  return Object.entries(rule as JsonObject).flatMap(([name, operands]) => {
    const inside = childPointer(at, name);
    if (name === "preserve") return [];
    const list = Array.isArray(operands) ? (operands as readonly Json[]) : null;
    const deeper = list?.slice(0, LOOPS.has(name) ? 1 : undefined) ?? operands;
    const [one, other, more] = list ?? [];
    const isPair = one !== undefined && other !== undefined && more === undefined;
    const own = isPair ? comparisonsOf(name, one, other, inside) : [];
    return [...own, ...comparisonsIn(deeper, inside)];
  });
}

function comparisonsOf(name: string, one: Json, other: Json, at: string): readonly Comparison[] {
  const isStrict = name.length === "===".length;
  if (EQUAL.has(name)) {
    const [left, right] = [pathOf(one), pathOf(other)];
    if (left !== null && isLiteral(other)) return [{ path: left, value: other, at: childPointer(at, 1), isStrict }];
    return right !== null && isLiteral(one) ? [{ path: right, value: one, at: childPointer(at, 0), isStrict }] : [];
  }
  const path = name === "in" ? pathOf(one) : null;
  if (path === null || !Array.isArray(other)) return [];
  const values = other as readonly Json[];
  return values.flatMap((value, n) =>
    isLiteral(value) ? [{ path, value, at: childPointer(childPointer(at, 1), n), isStrict: true }] : [],
  );
}

function isLiteral(side: Json): boolean {
  return side === null || typeof side !== "object";
}

/** The path of { var: path } if the rule gives no default value; null for any other operand. */
function pathOf(side: Json): string | null {
  if (!isPlainObject(side)) return null;
  const { var: path } = side as JsonObject;
  const only = Array.isArray(path) && path.length === 1 ? (path[0] as Json) : path;
  return typeof only === "string" ? only : null;
}

type ImpossibleComparison = {
  readonly path: string;
  readonly value: Json;
  readonly at: string;
  readonly values: readonly unknown[] | null;
  readonly isText: boolean;
};

function impossibleValueWarning({ path, value, at, values, isText }: ImpossibleComparison): Warning {
  const texts = (values ?? []).filter((each) => typeof each === "string");
  const near = typeof value === "string" ? didYouMean(value, texts.slice(0, SUGGESTED_NAMES_COMPARED_MAX)) : null;
  const others =
    values === null
      ? "the schema gives the value another type"
      : `the schema allows ${values
          .slice(0, SHOWN_MAX)
          .map((each) => JSON.stringify(each))
          .join(", ")}`;
  const message = `${path} is never ${JSON.stringify(value)}: ${others}`.slice(0, MESSAGE_CHARS_MAX);
  const meant = near === null ? "Compare with a value that the schema allows" : `Write ${JSON.stringify(near)}`;
  const fix = `${meant}, or add the value to the schema.`;
  const patch: Change[] | null = near === null || isText ? null : [{ op: "replace", path: at, value: near }];
  return warning(at, "value_never", message, { fix, patch });
}

const MESSAGE_CHARS_MAX = 500;
const SHOWN_MAX = 20;
