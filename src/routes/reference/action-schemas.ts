// Action schemas: the config of each action type as JSON Schema, generated from the runners' own schemas. The routes
// get these schemas with `deps`, so a newly registered type appears without a change here.
import { z } from "zod";
import { typeAliases } from "#schema/definition/action-type.ts";
import type { ActionType } from "#services/deps.ts";
import { asDraft, TEMPLATE_TEXT, templateText } from "./draft-schema.ts";
import { isSchema, partsOf, refTo, type JsonSchema, type Parts } from "./json-schema.ts";

export type ActionTypes = { readonly [type: string]: Pick<ActionType, "config"> };

/** The name of the union of all action types. In this union, an action's `type` decides which `config` is valid. */
export const TYPED_ACTION = "TypedAction";
/** The keyword that marks a field as an action's config. The keyword's value names the field with the action's type. */
const CONFIG_OF = "x-config-of";

export function actionSchemas(types: ActionTypes): Parts {
  const names = Object.keys(types);
  const union = {
    description: "An action of any type. The fields of `config` depend on `type`.",
    // The constant in `type` already distinguishes the actions. OpenAPI's `discriminator` would repeat it, and code
    // generators treat a discriminator below `allOf` as inheritance.
    oneOf: names.map((type) => refTo(`${pascal(type)}Action`)),
  };
  const parts = names.map((type) => partsOfType(type, types[type]?.config ?? z.never()));
  return Object.assign({ [TYPED_ACTION]: union, [TEMPLATE_TEXT]: templateText }, ...parts);
}

/** Returns the address of a type's config schema in the OpenAPI document. */
export function configSchemaOf(type: string): string {
  return `/openapi.json#/components/schemas/${pascal(type)}Config`;
}

function partsOfType(type: string, config: z.ZodType): Parts {
  const name = `${pascal(type)}Config`;
  const { [name]: whole = {}, ...parts } = partsOf(name, config);
  const drafts = Object.fromEntries(Object.entries(parts).map(([part, schema]) => [part, asDraft(schema)]));
  const action = {
    type: "object",
    properties: { type: typeSchema(type), config: refTo(name) },
    required: ["type", "config"],
    // Allows fields that this schema does not declare, because the schema that refers to it declares them. True is the
    // default, but some linters treat an absent keyword as false.
    unevaluatedProperties: true,
  };
  return { [`${pascal(type)}Action`]: action, [name]: asDraft(whole), ...drafts };
}

function typeSchema(type: string): JsonSchema {
  const aliases = Object.keys(typeAliases).filter((alias) => typeAliases[alias] === type);
  return { type: "string", ...(aliases.length === 0 ? { const: type } : { enum: [type, ...aliases] }) };
}

/**
 * Returns the schema in which each action's config is typed by the action's type, at any depth. Other parts of the
 * schema stay the same.
 */
export function withTypedConfigs(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withTypedConfigs);
  if (!isSchema(schema)) return schema;
  const inner = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, withTypedConfigs(value)]));
  return hasConfigOf(schema) ? withTypedConfig(inner) : inner;
}

/** Combines an action's own schema with the union of action types, which describes `type` and `config`. */
export function withTypedConfig({ description, examples, ...schema }: JsonSchema): JsonSchema {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const descriptionOf = (field: unknown): JsonSchema =>
    isSchema(field) && field.description !== undefined ? { description: field.description } : {};
  const untyped = { ...properties, type: descriptionOf(properties.type), config: descriptionOf(properties.config) };
  return {
    ...(description === undefined ? {} : { description }),
    allOf: [{ ...schema, properties: untyped }, refTo(TYPED_ACTION)],
    ...(examples === undefined ? {} : { examples }),
  };
}

function hasConfigOf({ properties }: JsonSchema): boolean {
  return isSchema(properties) && isSchema(properties.config) && properties.config[CONFIG_OF] === "type";
}

function pascal(type: string): string {
  return type.replace(/(?:^|_)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
