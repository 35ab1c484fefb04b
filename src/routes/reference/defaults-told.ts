// Defaults in descriptions: replaces the keyword `default` with a sentence in the description. Type generators treat a
// field with `default` as always present, which is true in a response and wrong in a request.
import type { Parts } from "./json-schema.ts";

/** Rewrites the components that no response uses. */
export function withDefaultsTold(schemas: Parts, answers: unknown): Parts {
  const answered = reachableFrom(answers, schemas);
  const told = Object.entries(schemas).map(([name, schema]) => [name, answered.has(name) ? schema : tell(schema)]);
  return Object.fromEntries(told) as Parts; // a rewritten schema is a schema
}

function tell(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(tell);
  if (typeof schema !== "object" || schema === null) return schema;
  const inner = Object.entries(schema).map(([keyword, value]) => [
    keyword,
    keyword === "properties" ? byName(value) : AS_IT_IS.has(keyword) ? value : tell(value),
  ]);
  const { default: standard, ...rest }: { [keyword: string]: unknown } = Object.fromEntries(inner);
  if (standard === undefined) return rest;
  const { description } = rest;
  const sentence = `Default: \`${JSON.stringify(standard)}\`.`;
  return { ...rest, description: typeof description === "string" ? `${description} ${sentence}` : sentence };
}

/** The keys of `properties` are field names, and a field may be named "default". */
function byName(fields: unknown): unknown {
  if (typeof fields !== "object" || fields === null) return fields;
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, tell(field)]));
}

/** The values of these keywords are not schemas. */
const AS_IT_IS = new Set(["examples", "enum", "const", "required"]);

function reachableFrom(start: unknown, schemas: Parts): ReadonlySet<string> {
  const reached = new Set(namesIn(start));
  for (const name of reached) for (const next of namesIn(schemas[name])) reached.add(next);
  return reached;
}

function namesIn(schema: unknown): string[] {
  const text = JSON.stringify(schema) ?? "";
  return Array.from(text.matchAll(/"#\/(?:\$defs|components\/schemas)\/([^"]+)"/g), ([, name = ""]) => name);
}
