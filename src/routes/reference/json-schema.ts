// JSON Schema (2020-12) of zod schemas: named parts that refer to each other as `#/$defs/<name>`. OpenAPI 3.1 uses the
// same dialect with another prefix.
import { z } from "zod";
import { json } from "#schema/json.ts";
import { ANY_JSON } from "#schema/values.ts";

export type JsonSchema = { readonly [keyword: string]: unknown };
export type Parts = { readonly [name: string]: JsonSchema };

/** The name of the part that accepts any JSON value. */
export const ANY = "Json";

const DEFS = "#/$defs/";
const COMPONENTS = "#/components/schemas/";

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function refTo(name: string): { readonly $ref: string } {
  return { $ref: `${DEFS}${name}` };
}

/**
 * Converts a zod schema to JSON Schema. Returns the schema itself under `name`, and each schema that it refers to under
 * a name of its own.
 */
export function partsOf(name: string, schema: z.ZodType): Parts {
  const converted = z.toJSONSchema(schema, { io: "input", unrepresentable: "any", override: simplify });
  const { $schema: _dialect, id: _id, $defs: parts = {}, ...whole } = converted;
  const partName = (part: string): string => (isAnyJson(parts[part]) ? ANY : part.replace(/^_+schema/, `${name}Part`));
  const named = Object.entries(parts).map(([part, { id: _same, ...body }]) => [partName(part), body]);
  const text = JSON.stringify({ [name]: whole, ...Object.fromEntries(named) });
  const renamed = text.replace(/"#\/\$defs\/([^"]+)"/g, (_, part) => `"${DEFS}${partName(part)}"`);
  return reachableFrom(name, parse(renamed));
}

function isAnyJson(part: unknown): boolean {
  return JSON.stringify(part) === JSON.stringify(ANY_JSON);
}

/**
 * Replaces zod's recursive schema of any JSON value by a plain schema. Removes zod's formats for base64, which other
 * tools do not know.
 */
function simplify({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: { format?: string } }): void {
  if (jsonSchema.format?.startsWith("base64")) delete jsonSchema.format;
  if (zodSchema !== json) return;
  for (const keyword of Object.keys(jsonSchema)) Reflect.deleteProperty(jsonSchema, keyword);
  Object.assign(jsonSchema, ANY_JSON);
}

function reachableFrom(name: string, parts: Parts): Parts {
  const reached = new Set([name]);
  for (const each of reached)
    for (const [, next = ""] of JSON.stringify(parts[each]).matchAll(/"#\/\$defs\/([^"]+)"/g)) reached.add(next);
  return Object.fromEntries(Object.entries(parts).filter(([each]) => reached.has(each)));
}

/** Returns the same parts, with references to the components of an OpenAPI document instead of `#/$defs`. */
export function asComponents(parts: Parts): Parts {
  return parse(JSON.stringify(parts).replaceAll(`"${DEFS}`, `"${COMPONENTS}`));
}

/** Parses the JSON text of parts that this file has converted. */
function parse(text: string): Parts {
  return JSON.parse(text) as Parts;
}
