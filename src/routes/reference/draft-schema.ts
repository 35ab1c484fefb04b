// Draft schemas: a config's schema for editors. A template may replace any value, because its result is unknown before
// the action runs. The runners check drafts in the same way.
import { ANY, refTo, type JsonSchema } from "./json-schema.ts";

export const TEMPLATE_TEXT = "TemplateText";
export const templateText: JsonSchema = {
  type: "string",
  pattern: "\\{\\{|\\{%",
  description: "A Liquid template instead of a value. Its result is checked when the action runs.",
};

/** Keywords whose value is one schema, a list of schemas, or an object of schemas. */
const ONE = new Set(["items", "additionalProperties", "contains"]);
const LIST = new Set(["prefixItems"]);
const BY_NAME = new Set(["properties"]);
const CHOICES = new Set(["anyOf", "oneOf", "allOf"]);
/** Keywords that do not restrict a string. */
const SAYS_NOTHING = new Set(["type", "description", "examples", "default"]);

/** Allows a template in place of each part of the value, but not in place of the whole value. */
export function asDraft(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).map(([keyword, value]): [string, unknown] => {
    if (ONE.has(keyword)) return [keyword, orTemplate(value)];
    if (LIST.has(keyword) && Array.isArray(value)) return [keyword, value.map(orTemplate)];
    if (BY_NAME.has(keyword) && isSchema(value))
      return [keyword, Object.fromEntries(Object.entries(value).map(([name, each]) => [name, orTemplate(each)]))];
    if (CHOICES.has(keyword) && Array.isArray(value)) return [keyword, value.filter(isSchema).map(asDraft)];
    return [keyword, value];
  });
  return Object.fromEntries(entries);
}

function orTemplate(value: unknown): unknown {
  if (!isSchema(value) || takesAnyText(value)) return value;
  const { description, examples, default: standard, ...checked } = asDraft(value);
  const about = { description, examples, default: standard };
  const said = Object.fromEntries(Object.entries(about).filter(([, each]) => each !== undefined));
  const { anyOf, ...rest } = checked;
  const choices = Array.isArray(anyOf) && Object.keys(rest).length === 0 ? anyOf : [checked];
  return { ...said, anyOf: [...choices, refTo(TEMPLATE_TEXT)] };
}

/** True if the schema accepts any text, and therefore accepts templates already. */
function takesAnyText(schema: JsonSchema): boolean {
  const { type, anyOf, $ref } = schema;
  if ($ref === refTo(ANY).$ref) return true;
  if (Array.isArray(anyOf) && anyOf.filter(isSchema).some(takesAnyText)) return true;
  const isText = type === undefined ? Object.keys(schema).length === 0 : type === "string" || hasText(type);
  return isText && Object.keys(schema).every((keyword) => SAYS_NOTHING.has(keyword) || !isAboutText(keyword));
}

function isAboutText(keyword: string): boolean {
  return ["enum", "const", "pattern", "format", "minLength", "maxLength", "anyOf", "oneOf", "allOf", "$ref"].includes(
    keyword,
  );
}

function hasText(type: unknown): boolean {
  return Array.isArray(type) && type.includes("string");
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
