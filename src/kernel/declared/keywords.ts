// Keywords of a declared schema for arrays, alternatives, numbers and objects. Each check returns its violations with
// their pointers.
import type { InputSchema, InputSchemaObject } from "#schema/definition/input-schema.ts";
import type { Json } from "#schema/json.ts";
import { SCHEMA_VIOLATIONS_MAX, SUGGESTED_NAMES_COMPARED_MAX } from "#schema/limits/definition-sizes.ts";
import type { Finding } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import { type Work, BYTES_PER_UNIT, charge, workOf } from "../computing/work.ts";
import { childPointer } from "../language/json-values.ts";

/**
 * Where a check is in the schema. `root`: the schema in which references are resolved. `depth`: how deep the current
 * schema is nested.
 */
export type CheckPlace = {
  readonly root: InputSchemaObject;
  readonly pointer: string;
  readonly depth: number;
  readonly work: Work;
  /** Checks a value against a nested schema. The value is the one that is being checked, or a part of it. */
  readonly check: (schema: InputSchema, value: Json, at: CheckPlace) => readonly Finding[];
};

/** The schema that a $ref names. It exists, because the reference was verified before the definition was stored. */
export function resolveReference(root: InputSchemaObject, ref: string): InputSchema {
  const name = ref.slice("#/$defs/".length).replaceAll("~1", "/").replaceAll("~0", "~");
  return ref === "#" ? root : (root.$defs?.[name] ?? true);
}

export function violation(
  { pointer }: Pick<CheckPlace, "pointer">,
  code: string,
  message: string,
  hint?: string,
): Finding {
  return { pointer, code, message, ...(hint === undefined ? {} : { hint }) };
}

export function arrayViolations(schema: InputSchemaObject, value: readonly Json[], at: CheckPlace): readonly Finding[] {
  const { minItems = 0, maxItems = Infinity, uniqueItems = false, prefixItems = [], items } = schema;
  const out: Finding[] = [];
  if (value.length < minItems) out.push(violation(at, "too_small", `must have at least ${minItems} items`));
  if (value.length > maxItems) out.push(violation(at, "too_big", `must have at most ${maxItems} items`));
  if (uniqueItems) out.push(...duplicateViolations(value, at));
  for (const [n, item] of value.entries()) {
    const declared = prefixItems[n] ?? items;
    if (declared === undefined) continue;
    out.push(...at.check(declared, item, { ...at, pointer: childPointer(at.pointer, n) }));
    if (out.length > SCHEMA_VIOLATIONS_MAX) break;
  }
  return [...out, ...containsViolations(schema, value, at)];
}

function containsViolations(
  { contains, minContains = 1, maxContains = Infinity }: InputSchemaObject,
  value: readonly Json[],
  at: CheckPlace,
) {
  if (contains === undefined) return [];
  const count = value.filter((item) => at.check(contains, item, at).length === 0).length;
  if (count < minContains)
    return [
      violation(at, "too_small", `must contain at least ${minContains} items that match the schema in "contains"`),
    ];
  if (count > maxContains)
    return [violation(at, "too_big", `must contain at most ${maxContains} items that match the schema in "contains"`)];
  return [];
}

/** A violation for the first item that equals an earlier item; empty if all items differ. */
function duplicateViolations(value: readonly Json[], at: CheckPlace): readonly Finding[] {
  const seen = new Set<string>();
  for (const [n, item] of value.entries()) {
    const text = sortedJson(item);
    charge(at.work, text.length / BYTES_PER_UNIT);
    if (seen.has(text))
      return [
        violation(
          { pointer: childPointer(at.pointer, n) },
          "not_unique",
          "must differ from all other items of the list, but equals an earlier item",
        ),
      ];
    seen.add(text);
  }
  return [];
}

/** A text that is the same for equal values, because it lists the fields in alphabetical order. */
function sortedJson(value: Json): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    typeof each === "object" && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );
}

export function choiceViolations(schema: InputSchemaObject, value: Json, at: CheckPlace): readonly Finding[] {
  const { allOf = [], anyOf, oneOf, not, if: asked, then = true, else: otherwise = true } = schema;
  const fits = (each: InputSchema): boolean => at.check(each, value, at).length === 0;
  return [
    ...allOf.flatMap((each) => at.check(each, value, at)),
    ...(anyOf === undefined ? [] : anyOfViolations(anyOf, value, at)),
    ...(oneOf === undefined ? [] : oneOfViolations(oneOf, value, at)),
    ...(not === undefined || !fits(not) ? [] : [violation(at, "not_allowed", 'must not match the schema in "not"')]),
    ...(asked === undefined ? [] : at.check(fits(asked) ? then : otherwise, value, at)),
  ];
}

function anyOfViolations(choices: readonly InputSchema[], value: Json, at: CheckPlace): readonly Finding[] {
  const each = choices.map((choice) => at.check(choice, value, at));
  return each.some((found) => found.length === 0) ? [] : noMatchViolations(choices, each, at);
}

function oneOfViolations(choices: readonly InputSchema[], value: Json, at: CheckPlace): readonly Finding[] {
  const each = choices.map((choice) => at.check(choice, value, at));
  const count = each.filter((found) => found.length === 0).length;
  if (count > 1)
    return [
      violation(
        at,
        "invalid_union",
        `matches ${count} of the allowed alternatives, but must match exactly one of them`,
      ),
    ];
  return count === 1 ? [] : noMatchViolations(choices, each, at);
}

/**
 * The violations of a value that matches none of the alternatives. If only one alternative has the value's type, its
 * violations are reported.
 */
function noMatchViolations(
  choices: readonly InputSchema[],
  each: readonly (readonly Finding[])[],
  at: CheckPlace,
): readonly Finding[] {
  const [meant, another] = each.filter((found) => !found.some((one) => isTypeViolation(one, at)));
  if (meant !== undefined && another === undefined) return meant;
  const titles = choices.flatMap((choice) =>
    typeof choice === "object" && choice.title !== undefined ? [choice.title] : [],
  );
  const said = [...new Set(each.flatMap(([first]) => (first?.pointer === at.pointer ? [first.message] : [])))];
  const hint = titles.length > 0 ? `Send one of these: ${titles.join(", ")}.` : said.join("; ");
  return [
    violation(
      at,
      "invalid_union",
      `matches none of the ${choices.length} allowed alternatives`,
      hint === "" ? undefined : hint,
    ),
  ];
}

/**
 * Whether the violation shows that another alternative is meant: the type is wrong, or the field that distinguishes the
 * alternatives has another value.
 */
function isTypeViolation({ pointer, code }: Finding, at: CheckPlace): boolean {
  if (code === "invalid_value") return pointer.lastIndexOf("/") <= at.pointer.length;
  return code === "invalid_type" && pointer === at.pointer;
}

export function numberViolations(schema: InputSchemaObject, value: number, at: CheckPlace): readonly Finding[] {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = schema;
  const out: Finding[] = [];
  if (minimum !== undefined && value < minimum) out.push(violation(at, "too_small", `must be at least ${minimum}`));
  if (above !== undefined && value <= above) out.push(violation(at, "too_small", `must be greater than ${above}`));
  if (maximum !== undefined && value > maximum) out.push(violation(at, "too_big", `must be at most ${maximum}`));
  if (below !== undefined && value >= below) out.push(violation(at, "too_big", `must be less than ${below}`));
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
    out.push(violation(at, "not_multiple_of", `must be a multiple of ${multipleOf}`));
  }
  return out;
}

/**
 * Whether a number is a multiple of another one. A small error of rounding is ignored, because 0.3 and 0.1 have no
 * exact binary form.
 */
function isMultiple(value: number, of: number): boolean {
  const times = value / of;
  if (Number.isInteger(of) && Number.isInteger(value)) return value % of === 0;
  return Number.isFinite(times) && Math.abs(times - Math.round(times)) <= Math.abs(times) * Number.EPSILON * 4;
}

/** The number of letters of a name that a comparison reads, which is the limit of `didYouMean` too. */
const NAME_LETTERS_COMPARED = 64;

type Fields = { readonly [name: string]: Json };

export function objectViolations(schema: InputSchemaObject, value: Fields, at: CheckPlace): readonly Finding[] {
  const { minProperties = 0, maxProperties = Infinity } = schema;
  const names = Object.keys(value);
  charge(at.work, names.length * workOf.name);
  const out: Finding[] = [];
  if (names.length < minProperties) out.push(violation(at, "too_small", `must have at least ${minProperties} fields`));
  if (names.length > maxProperties) out.push(violation(at, "too_big", `must have at most ${maxProperties} fields`));
  out.push(...missingViolations(schema, value, at));
  for (const [name, each] of Object.entries(value)) {
    out.push(...fieldViolations(schema, name, each, { ...at, pointer: childPointer(at.pointer, name) }));
    if (out.length > SCHEMA_VIOLATIONS_MAX) break;
  }
  return out;
}

function missingViolations(schema: InputSchemaObject, value: Fields, at: CheckPlace): readonly Finding[] {
  const { required = [], dependentRequired = {}, properties = {} } = schema;
  const of = Object.entries(dependentRequired).filter(([name]) => Object.hasOwn(value, name));
  const wanted = [
    ...required.map((name) => ({ name, by: "" })),
    ...of.flatMap(([by, names]) => names.map((name) => ({ name, by }))),
  ];
  charge(at.work, wanted.length * workOf.name);
  return wanted.flatMap(({ name, by }) => {
    if (Object.hasOwn(value, name)) return [];
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const type = typeName(declared, at);
    const expected = type === null ? "is missing" : `is missing (${type} expected)`;
    const message = by === "" ? expected : `${expected}, but the field ${by} requires it`;
    const hint = typeof declared === "object" ? declared.description : undefined;
    return [violation({ pointer: childPointer(at.pointer, name) }, "required", message, hint)];
  });
}

function typeName(declared: InputSchema | undefined, { root }: CheckPlace): string | null {
  if (typeof declared !== "object") return null;
  const { type, $ref } = declared;
  if (type !== undefined) return typeof type === "string" ? type : type.join(" or ");
  const other = $ref === undefined ? true : resolveReference(root, $ref);
  return typeof other === "object" && typeof other.type === "string" ? other.type : null;
}

function fieldViolations(schema: InputSchemaObject, name: string, value: Json, at: CheckPlace): readonly Finding[] {
  const { properties = {}, additionalProperties, propertyNames } = schema;
  const named = propertyNames === undefined ? [] : at.check(propertyNames, name, at).map(asNameViolation);
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (own !== undefined) return [...named, ...at.check(own, value, at)];
  if (additionalProperties === undefined) return named;
  if (additionalProperties !== false) return [...named, ...at.check(additionalProperties, value, at)];
  const known = Object.keys(properties).slice(0, SUGGESTED_NAMES_COMPARED_MAX);
  charge(at.work, known.length * Math.min(name.length, NAME_LETTERS_COMPARED));
  const near = didYouMean(name, known);
  const hint = near === null ? `Known fields: ${known.join(", ") || "none"}.` : `Did you mean ${near}?`;
  return [...named, violation(at, "unknown_field", "is not in the schema, which allows no other fields", hint)];
}

function asNameViolation(found: Finding): Finding {
  return {
    ...found,
    code: "invalid_key",
    message: `has a name that the schema does not allow: its name ${found.message}`,
  };
}
