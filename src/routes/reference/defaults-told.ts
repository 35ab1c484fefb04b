// Defaults in words: moves a field's default into its description. Type generators treat a field with the keyword
// `default` as always present, which is right in an answer and wrong in a request.
import type { Parts } from "./json-schema.ts";

/** The components that no answer uses, with their defaults in words. */
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

/** Here the keys are names of fields, and one of them may be "default". */
function byName(fields: unknown): unknown {
  if (typeof fields !== "object" || fields === null) return fields;
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, tell(field)]));
}

/** Values, not schemas. */
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
