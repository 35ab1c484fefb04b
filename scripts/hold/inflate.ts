// Worst bodies of a route by its JSON schema: a body that would do, with one of its fields as large as a body may be.
import { deepLists, manyNames, repeated } from "./texts.ts";

/** What of a JSON schema is read here. */
export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maxItems?: number;
  readonly required?: readonly string[];
  readonly properties?: { readonly [name: string]: Schema };
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
};
export type Schemas = { readonly [name: string]: Schema };
/** Made when it is sent: all of them together would not fit into memory. */
export type Body = { readonly name: string; readonly text: () => string };

/** Below the limit of a body, with room for what stands around. */
export const BYTES = 1_000_000;
const DEPTH_MAX = 4;
const BODIES_MAX = 90;
const LEVELS_MAX = 6;

export function inflated(schema: Schema, schemas: Schemas): readonly Body[] {
  const base = minimal(schema, schemas, LEVELS_MAX);
  const found: Body[] = [];
  for (let depth = 1; depth <= DEPTH_MAX; depth++)
    for (const { path, schema: field } of fieldsAt(schema, schemas, depth))
      for (const { name, text } of largest(field, schemas))
        found.push({ name: `${path.join(".")}: ${name}`, text: () => withField(base, path, text()) });
  return found.slice(0, BODIES_MAX);
}

/** The smallest value that may do. */
export function minimal(given: Schema, schemas: Schemas, levels: number): unknown {
  const schema = resolved(given, schemas);
  const [example] = schema.examples ?? [];
  if (example !== undefined) return example;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  const [branch] = schema.oneOf ?? schema.anyOf ?? schema.allOf ?? [];
  if (branch !== undefined) return levels === 0 ? null : minimal(branch, schemas, levels - 1);
  const type = typeof schema.type === "string" ? schema.type : (schema.type?.[0] ?? "object");
  if (type === "object") return levels === 0 ? {} : minimalObject(schema, schemas, levels);
  if (type === "array") return [];
  if (type === "string") return "a".repeat(Math.max(1, schema.minLength ?? 1));
  if (type === "number" || type === "integer") return schema.minimum ?? 1;
  return type === "boolean" ? true : null;
}

function minimalObject({ properties = {}, required = [] }: Schema, schemas: Schemas, levels: number) {
  const named = required.map((name) => [name, minimal(properties[name] ?? {}, schemas, levels - 1)] as const);
  return Object.fromEntries(named);
}

function resolved(schema: Schema, schemas: Schemas): Schema {
  const name = schema.$ref?.split("/").at(-1);
  const meant = name === undefined ? undefined : schemas[name];
  return meant === undefined ? schema : { ...resolved(meant, schemas), ...("examples" in schema ? schema : {}) };
}

type Field = { readonly path: readonly string[]; readonly schema: Schema };

/** Of every branch there is, each name once. */
function fieldsAt(given: Schema, schemas: Schemas, depth: number): readonly Field[] {
  const above: readonly Field[] = depth === 1 ? [{ path: [], schema: given }] : fieldsAt(given, schemas, depth - 1);
  const found = new Map<string, Field>();
  for (const { path, schema } of above) {
    for (const [name, field] of propertiesOf(schema, schemas, LEVELS_MAX)) {
      const key = [...path, name].join(".");
      if (!found.has(key)) found.set(key, { path: [...path, name], schema: field });
    }
  }
  return [...found.values()];
}

function propertiesOf(given: Schema, schemas: Schemas, levels: number): readonly (readonly [string, Schema])[] {
  const schema = resolved(given, schemas);
  const branches = levels === 0 ? [] : [...(schema.oneOf ?? []), ...(schema.anyOf ?? []), ...(schema.allOf ?? [])];
  const own = Object.entries(schema.properties ?? {});
  return [...own, ...branches.flatMap((branch) => propertiesOf(branch, schemas, levels - 1))];
}

/** As texts of JSON: parsing them here would cost as much as there. */
function largest(given: Schema, schemas: Schemas): readonly Body[] {
  const schema = resolved(given, schemas);
  const branches = [schema, ...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].map((each) => resolved(each, schemas));
  const types = new Set(branches.flatMap(({ type }) => type ?? []));
  const isAny = branches.some(
    (each) => each.type === undefined && each.oneOf === undefined && each.anyOf === undefined,
  );
  const list = branches.find(({ items }) => items !== undefined);
  const map = branches.find(({ additionalProperties: more }) => more !== undefined && more !== false);
  const isText = types.has("string") && branches.every((each) => each.enum === undefined && each.const === undefined);
  return [
    ...(isText ? texts : []),
    ...(list === undefined ? [] : lists(list, schemas)),
    ...(map === undefined ? [] : maps(map, schemas)),
    ...(isAny || types.has("object") ? objects : []),
  ];
}

const texts: readonly Body[] = [
  { name: "a long text", text: () => JSON.stringify("a".repeat(BYTES)) },
  { name: "a text of marks", text: () => JSON.stringify("a.-_:/1 {{%@[]()*+?".repeat(BYTES / 19)) },
  { name: "a text of blanks", text: () => JSON.stringify(" ".repeat(BYTES)) },
];
const objects: readonly Body[] = [
  { name: "unknown names", text: () => manyNames(BYTES, (n) => n.toString(36).padStart(6, "x"), "1") },
  { name: "empty objects", text: () => `{"a":${repeated(BYTES, "{}")}}` },
  { name: "nested lists", text: () => `{"a":${deepLists(BYTES)}}` },
];

function lists({ items = {}, maxItems }: Schema, schemas: Schemas): readonly Body[] {
  const item = JSON.stringify(minimal(items, schemas, LEVELS_MAX) ?? null);
  const most = Math.floor(BYTES / (item.length + 1));
  const allowed = maxItems === undefined ? most : Math.min(maxItems, most);
  return [
    { name: "a long list", text: () => repeated(BYTES, item) },
    { name: `${allowed} items`, text: () => `[${Array.from({ length: allowed }, () => item).join(",")}]` },
    { name: "a list of nothing", text: () => repeated(BYTES, "{}") },
  ];
}

function maps({ additionalProperties: more }: Schema, schemas: Schemas): readonly Body[] {
  const value = typeof more === "object" ? minimal(more, schemas, LEVELS_MAX) : 1;
  return [
    {
      name: "many names",
      text: () => manyNames(BYTES, (n) => n.toString(36).padStart(6, "x"), JSON.stringify(value ?? null)),
    },
    { name: "long names", text: () => manyNames(BYTES, (n) => `k${n}`.padEnd(64, "x"), "1") },
  ];
}

const HERE = "here-is-the-field";

function withField(base: unknown, path: readonly string[], text: string): string {
  const [name = "", ...rest] = path;
  const around = isRecord(base) ? base : {};
  const inner = rest.length === 0 ? HERE : null;
  const body = JSON.stringify({ ...around, [name]: inner ?? HERE });
  const value = rest.length === 0 ? text : withField(around[name] ?? {}, rest, text);
  return body.replace(JSON.stringify(HERE), () => value);
}

function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
