// Draft schemas: the schema of a config for editors. Any value may be a template, because its result is unknown before
// the action runs. The runners check drafts in the same way.
import { ANY, isSchema, refTo, type JsonSchema } from "./json-schema.ts";

export const TEMPLATE_TEXT = "TemplateText";
export const templateText: JsonSchema = {
  type: "string",
  pattern: "\\{\\{|\\{%",
  description: "A Liquid template instead of a value. Its result is checked when the action runs.",
};

/** Keywords whose value is one schema, a list of schemas, or an object of schemas. */
const SCHEMA_KEYWORDS = new Set(["items", "additionalProperties", "contains"]);
const LIST_KEYWORDS = new Set(["prefixItems"]);
const OBJECT_KEYWORDS = new Set(["properties"]);
const CHOICE_KEYWORDS = new Set(["anyOf", "oneOf", "allOf"]);
/** Keywords that restrict a string. */
const TEXT_KEYWORDS = [
  "enum",
  "const",
  "pattern",
  "format",
  "minLength",
  "maxLength",
  "anyOf",
  "oneOf",
  "allOf",
  "$ref",
];

/** Returns a schema that allows a template for each part of the value, but not for the whole value. */
export function asDraft(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (SCHEMA_KEYWORDS.has(keyword)) return [keyword, orTemplate(value)];
    if (LIST_KEYWORDS.has(keyword) && Array.isArray(value)) return [keyword, value.map(orTemplate)];
    if (OBJECT_KEYWORDS.has(keyword) && isSchema(value))
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, orTemplate(each)]))];
    if (CHOICE_KEYWORDS.has(keyword) && Array.isArray(value)) return [keyword, value.filter(isSchema).map(asDraft)];
    return [keyword, value];
  });
  return Object.fromEntries(entries);
}

function orTemplate(value: unknown): unknown {
  if (!isSchema(value) || acceptsAnyText(value)) return value;
  const { description, examples, default: defaultValue, ...checked } = asDraft(value);
  const annotations = Object.entries({ description, examples, default: defaultValue });
  const present = annotations.filter(([, annotation]) => annotation !== undefined);
  const { anyOf, ...rest } = checked;
  const choices = Array.isArray(anyOf) && Object.keys(rest).length === 0 ? anyOf : [checked];
  return { ...Object.fromEntries(present), anyOf: [...choices, refTo(TEMPLATE_TEXT)] };
}

/** True if the schema accepts any text; such a schema already accepts templates. */
function acceptsAnyText(schema: JsonSchema): boolean {
  const { type, anyOf, $ref } = schema;
  if ($ref === refTo(ANY).$ref) return true;
  if (Array.isArray(anyOf) && anyOf.filter(isSchema).some(acceptsAnyText)) return true;
  const isText = type === undefined ? Object.keys(schema).length === 0 : type === "string" || includesString(type);
  return isText && !TEXT_KEYWORDS.some((keyword) => Object.hasOwn(schema, keyword));
}

function includesString(type: unknown): boolean {
  return Array.isArray(type) && type.includes("string");
}
