// Violations of a declared schema: checks a value, finds each violation with its pointer, and builds the refusal. A
// message never contains the value, because the value is a tenant's data.
import type { InputSchema, InputSchemaObject, SchemaType } from "#schema/definition/input-schema.ts";
import type { Json } from "#schema/json.ts";
import { SCHEMA_CHECK_DEPTH_MAX, SCHEMA_VIOLATIONS_MAX } from "#schema/limits/definition-sizes.ts";
import { type Finding, refuse, type RefusalCode, type Refusal } from "#schema/refusal.ts";
import { fault, sentenceOf } from "../computing/fault.ts";
import { charge, workOf, type Work, runPart, isExhausted } from "../computing/work.ts";
import { strictlyEqual } from "../language/json-values.ts";
import {
  arrayViolations,
  choiceViolations,
  numberViolations,
  objectViolations,
  violation,
  resolveReference,
  type CheckPlace,
} from "./keywords.ts";
import { textViolations } from "./text-keywords.ts";

/**
 * The first violations of a value, as many as a response lists. Throws a fault if the check costs more than the budget
 * has left.
 */
export function schemaViolations(
  schema: InputSchemaObject,
  value: Json,
  pointer: string,
  work: Work,
): readonly Finding[] {
  return violationsOf(schema, value, { root: schema, pointer, depth: 0, work, check: violationsOf }).slice(
    0,
    SCHEMA_VIOLATIONS_MAX,
  );
}

function violationsOf(schema: InputSchema, value: Json, around: CheckPlace): readonly Finding[] {
  if (schema === true) return [];
  if (schema === false) return [violation(around, "not_allowed", "must be absent: the schema allows no value here")];
  const at = { ...around, depth: around.depth + 1 };
  if (at.depth > SCHEMA_CHECK_DEPTH_MAX)
    throw fault("too_deep", `the schema nests more than ${SCHEMA_CHECK_DEPTH_MAX} levels deep`);
  charge(at.work, workOf.templateStep);
  const found = [
    ...(schema.$ref === undefined ? [] : violationsOf(resolveReference(at.root, schema.$ref), value, at)),
    ...ownViolations(schema, value, at),
    ...choiceViolations(schema, value, at),
  ];
  const { description } = schema;
  // The author of the schema wrote its description for senders, so it is used as the hint.
  return description === undefined
    ? found
    : found.map((each) =>
        each.pointer === at.pointer && each.hint === undefined ? { ...each, hint: description } : each,
      );
}

function ownViolations(schema: InputSchemaObject, value: Json, at: CheckPlace): readonly Finding[] {
  const wrong = typeViolation(schema, value, at);
  if (wrong !== null) return [wrong];
  const listed = [...constViolations(schema, value, at), ...enumViolations(schema, value, at)];
  if (listed.length > 0) return listed;
  if (typeof value === "string") return textViolations(schema, value, at);
  if (typeof value === "number") return numberViolations(schema, value, at);
  if (Array.isArray(value)) return arrayViolations(schema, value as readonly Json[], at);
  if (typeof value !== "object" || value === null) return [];
  return objectViolations(schema, value as { readonly [name: string]: Json }, at);
}

function typeViolation({ type }: InputSchemaObject, value: Json, at: CheckPlace): Finding | null {
  if (type === undefined) return null;
  const wanted = typeof type === "string" ? [type] : type;
  const has = typeOf(value);
  if (wanted.some((each) => each === has || (each === "number" && has === "integer"))) return null;
  return violation(at, "invalid_type", `must be ${wanted.join(" or ")}, not ${has === "integer" ? "number" : has}`);
}

export function typeOf(value: Json): SchemaType {
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  if (typeof value === "number") return Number.isInteger(value) ? "integer" : "number";
  return typeof value === "string" ? "string" : typeof value === "boolean" ? "boolean" : "object";
}

function constViolations(schema: InputSchemaObject, value: Json, at: CheckPlace): readonly Finding[] {
  if (!("const" in schema) || schema.const === undefined || isEqual(schema.const, value, at)) return [];
  return [violation(at, "invalid_value", `must be ${allowedText(schema, [schema.const])}`)];
}

function enumViolations(schema: InputSchemaObject, value: Json, at: CheckPlace): readonly Finding[] {
  const { enum: values } = schema;
  if (values === undefined || values.some((each) => isEqual(each, value, at))) return [];
  return [violation(at, "invalid_value", `must be one of ${allowedText(values, values)}`)];
}

function isEqual(a: Json, b: Json, { work }: CheckPlace): boolean {
  return strictlyEqual(a, b, { use: (cost) => charge(work, cost) });
}

const SHOWN_CHARS_MAX = 300;

/**
 * The allowed values as text for messages, cached by schema. The text may be long, and a list may have many items with
 * the same schema.
 */
const allowedTexts = new WeakMap<object, string>();

/** The allowed values as text. `by`: the key of the cache, either the list of values or the schema that contains it. */
function allowedText(by: object, values: readonly Json[]): string {
  const known = allowedTexts.get(by);
  if (known !== undefined) return known;
  const all = values.map((value) => JSON.stringify(value)).join(", ");
  const shown = all.length <= SHOWN_CHARS_MAX ? all : `${all.slice(0, SHOWN_CHARS_MAX)}…`;
  allowedTexts.set(by, shown);
  return shown;
}

export type SchemaCheck = {
  readonly schema: InputSchemaObject | undefined;
  readonly value: Json;
  readonly pointer: string;
  readonly code: Extract<RefusalCode, "payload_invalid" | "variables_invalid">;
  /** The name of the checked value, with which the message begins. */
  readonly what: string;
  readonly work: Work;
};

export function refuseViolations(fitting: SchemaCheck): { readonly ok: false; readonly refusal: Refusal } | null {
  return runPart(fitting.work, () => refusalOf(fitting));
}

function refusalOf(fitting: SchemaCheck): { readonly ok: false; readonly refusal: Refusal } | null {
  const { schema, value, pointer, code, what, work } = fitting;
  if (schema === undefined) return null;
  try {
    const errors = schemaViolations(schema, value, pointer, work);
    const [first] = errors;
    if (first === undefined) return null;
    const message = `${what}: ${first.pointer} ${first.message}`;
    const hint =
      first.hint === undefined
        ? "Nothing was changed. Send a value that matches the schema."
        : `${first.hint} Nothing was changed.`;
    return refuse({ code, message, hint, errors });
  } catch (thrown) {
    const message = `${what}: ${sentenceOf(thrown, "the engine cannot check the value")}`;
    return refuse({
      code: isExhausted(work) ? "rule_too_costly" : code,
      message,
      hint: "Nothing was changed. Send a smaller value.",
    });
  }
}
