// Defaults in descriptions: replaces the keyword `default` with a sentence in the description. Type generators treat a
// field with `default` as always present, which is true in a response and wrong in a request.
import type { Parts } from "./json-schema.ts";

/** Rewrites the components that no response uses. */
export function withDescribedDefaults(schemas: Parts, responses: unknown): Parts {
  const inResponses = reachableFrom(responses, schemas);
  const described = Object.entries(schemas).map(([name, schema]) => [
    name,
    inResponses.has(name) ? schema : describeDefaults(schema),
  ]);
  return Object.fromEntries(described) as Parts; // a rewritten schema is a schema
}

function describeDefaults(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(describeDefaults);
  if (typeof schema !== "object" || schema === null) return schema;
  const keywords = Object.entries(schema).map(([keyword, value]) => [keyword, describeKeyword(keyword, value)]);
  const { default: defaultValue, ...rest }: { [keyword: string]: unknown } = Object.fromEntries(keywords);
  if (defaultValue === undefined) return rest;
  const { description } = rest;
  const sentence = `Default: \`${JSON.stringify(defaultValue)}\`.`;
  return { ...rest, description: typeof description === "string" ? `${description} ${sentence}` : sentence };
}

function describeKeyword(keyword: string, value: unknown): unknown {
  if (VALUE_KEYWORDS.has(keyword)) return value;
  return keyword === "properties" ? describeProperties(value) : describeDefaults(value);
}

/** The names in `properties` are field names, not keywords, and a field may be named "default". */
function describeProperties(fields: unknown): unknown {
  if (typeof fields !== "object" || fields === null) return fields;
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, describeDefaults(field)]));
}

/** The values of these keywords are data, not schemas, so they stay unchanged. */
const VALUE_KEYWORDS = new Set(["examples", "enum", "const", "required"]);

function reachableFrom(start: unknown, schemas: Parts): ReadonlySet<string> {
  const reached = new Set(namesIn(start));
  for (const name of reached) for (const next of namesIn(schemas[name])) reached.add(next);
  return reached;
}

function namesIn(schema: unknown): string[] {
  const text = JSON.stringify(schema) ?? "";
  return Array.from(text.matchAll(/"#\/(?:\$defs|components\/schemas)\/([^"]+)"/g), ([, name = ""]) => name);
}
