// Input schemas: which variables and events a definition accepts. They use the part of JSON Schema (2020-12) that can
// be checked in bounded time. An unknown keyword is refused, because a misspelt keyword would check nothing.
import { z } from "zod";
import { eventType } from "../engine/event.ts";
import { json, type Json } from "../json.ts";
import { DESCRIPTION_CHARS_MAX, ID_CHARS_MAX } from "../limits/api-requests.ts";
import { SCHEMA_CHOICES_MAX, SCHEMA_PATTERN_CHARS_MAX, SCHEMA_VALUES_MAX } from "../limits/definition-sizes.ts";

export const schemaTypes = ["string", "number", "integer", "boolean", "object", "array", "null"] as const;
export type SchemaType = (typeof schemaTypes)[number];

/** Text formats of JSON Schema that the engine enforces. */
export const schemaFormats = ["date-time", "date", "time", "duration", "email", "uri", "uuid"] as const;
export type SchemaFormat = (typeof schemaFormats)[number];

export type InputSchema = boolean | InputSchemaObject;
export type InputSchemaObject = {
  $schema?: string | undefined;
  $comment?: string | undefined;
  title?: string | undefined;
  description?: string | undefined;
  default?: Json | undefined;
  examples?: Json[] | undefined;
  deprecated?: boolean | undefined;
  readOnly?: boolean | undefined;
  writeOnly?: boolean | undefined;
  $defs?: Record<string, InputSchema> | undefined;
  $ref?: string | undefined;
  type?: SchemaType | SchemaType[] | undefined;
  enum?: Json[] | undefined;
  const?: Json | undefined;
  properties?: Record<string, InputSchema> | undefined;
  required?: string[] | undefined;
  additionalProperties?: InputSchema | undefined;
  propertyNames?: InputSchema | undefined;
  minProperties?: number | undefined;
  maxProperties?: number | undefined;
  dependentRequired?: Record<string, string[]> | undefined;
  items?: InputSchema | undefined;
  prefixItems?: InputSchema[] | undefined;
  contains?: InputSchema | undefined;
  minContains?: number | undefined;
  maxContains?: number | undefined;
  minItems?: number | undefined;
  maxItems?: number | undefined;
  uniqueItems?: boolean | undefined;
  minLength?: number | undefined;
  maxLength?: number | undefined;
  pattern?: string | undefined;
  format?: SchemaFormat | undefined;
  minimum?: number | undefined;
  maximum?: number | undefined;
  exclusiveMinimum?: number | undefined;
  exclusiveMaximum?: number | undefined;
  multipleOf?: number | undefined;
  allOf?: InputSchema[] | undefined;
  anyOf?: InputSchema[] | undefined;
  oneOf?: InputSchema[] | undefined;
  not?: InputSchema | undefined;
  if?: InputSchema | undefined;
  then?: InputSchema | undefined;
  else?: InputSchema | undefined;
};

const count = z.number().int().min(0);
const text = z.string().max(DESCRIPTION_CHARS_MAX);
const name = z.string().max(ID_CHARS_MAX);
// Each of the two schemas is one object, which is made once. zod calls this function each time that it needs the
// schema.
const within: z.ZodType<InputSchema> = z.lazy(() => withinUnion);
const alternatives = z.array(within).min(1).max(SCHEMA_CHOICES_MAX);

export const inputSchemaObject: z.ZodType<InputSchemaObject> = z
  .lazy(() => schemaObject)
  .meta({ id: "DeclaredSchema" });
const schemaObject = z.strictObject({
  $schema: z.literal("https://json-schema.org/draft/2020-12/schema").optional(),
  $comment: text.optional(),
  title: text.optional(),
  /** A text about the schema. If a value violates the schema, the finding returns this text as its hint. */
  description: text.optional(),
  /**
   * The default is documentation only: if the value is absent, it stays absent. A default that is applied belongs in
   * the definition's `variables`.
   */
  default: json.optional(),
  examples: z.array(json).optional(),
  deprecated: z.boolean().optional(),
  readOnly: z.boolean().optional(),
  writeOnly: z.boolean().optional(),
  $defs: z.record(name, within).optional(),
  $ref: name
    .regex(/^#(\/\$defs\/[^/]+)?$/, { message: "must refer to the same schema: #/$defs/<name>, or #" })
    .optional(),
  type: z.union([z.enum(schemaTypes), z.array(z.enum(schemaTypes)).min(1)]).optional(),
  enum: z.array(json).min(1).max(SCHEMA_VALUES_MAX).optional(),
  const: json.optional(),
  properties: z.record(name, within).optional(),
  required: z.array(name).optional(),
  additionalProperties: within.optional(),
  propertyNames: within.optional(),
  minProperties: count.optional(),
  maxProperties: count.optional(),
  dependentRequired: z.record(name, z.array(name)).optional(),
  items: within.optional(),
  prefixItems: z.array(within).min(1).max(SCHEMA_CHOICES_MAX).optional(),
  contains: within.optional(),
  minContains: count.optional(),
  maxContains: count.optional(),
  minItems: count.optional(),
  maxItems: count.optional(),
  uniqueItems: z.boolean().optional(),
  minLength: count.optional(),
  maxLength: count.optional(),
  pattern: z.string().max(SCHEMA_PATTERN_CHARS_MAX).optional(),
  format: z.enum(schemaFormats).optional(),
  minimum: z.number().optional(),
  maximum: z.number().optional(),
  exclusiveMinimum: z.number().optional(),
  exclusiveMaximum: z.number().optional(),
  multipleOf: z.number().positive().optional(),
  allOf: alternatives.optional(),
  anyOf: alternatives.optional(),
  oneOf: alternatives.optional(),
  not: within.optional(),
  if: within.optional(),
  then: within.optional(),
  else: within.optional(),
});
const withinUnion = z.union([z.boolean(), inputSchemaObject]);

/** The payload schemas of a definition's events, by event type. */
export const eventSchemas = z.record(eventType, inputSchemaObject);
