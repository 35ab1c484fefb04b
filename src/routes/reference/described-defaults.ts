// Defaults in descriptions: replaces the keyword `default` with a sentence in the description. Type generators treat a
// field with `default` as always present, which is true in a response and wrong in a request.
import type { Parts } from "./json-schema.ts";

/** Rewrites the components that no response uses. */
export function withDescribedDefaults(schemas: Parts, answers: unknown): Parts {
  const answered = reachableFrom(answers, schemas);
  const described = Object.entries(schemas).map(([name, schema]) => [
    name,
    answered.has(name) ? schema : describeDefaults(schema),
  ]);
  return Object.fromEntries(described) as Parts; // a rewritten schema is a schema
}

function describeDefaults(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(describeDefaults);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.entries(schema).map(([keyword, value]) => [
    keyword,
    keyword === "properties"
      ? describeProperties(value)
      : VALUE_KEYWORDS.has(keyword)
        ? value
        : describeDefaults(value),
  ]);
  const { default: standard, ...rest }: { [keyword: string]: unknown } = Object.fromEntries(inner);
  if (standard === undefined) return rest;
  const { description } = rest;
  const sentence = `Default: \`${JSON.stringify(standard)}\`.`;
  return { ...rest, description: typeof description === "string" ? `${description} ${sentence}` : sentence };
}

/** The keys of `properties` are field names, and a field may be named "default". */
function describeProperties(fields: unknown): unknown {
  if (typeof fields !== "object" || fields === null) return fields;
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, describeDefaults(field)]));
}

/** The values of these keywords are not schemas. */
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
