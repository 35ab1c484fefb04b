// What /openapi.json promises without its texts: paths, parameters, schemas with their limits, statuses, media types and
// codes, in one canonical order. As long as it is unchanged, a change of texts is a change of nothing else.

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** Keywords whose values are texts for people. */
const TEXTS = new Set(["summary", "description", "title", "$comment", "license"]);
/** Keywords whose keys are names: nothing in them is a keyword. */
const MAPS = new Set([
  ...["paths", "responses", "schemas", "securitySchemes", "headers", "content"],
  ...["properties", "patternProperties", "$defs"],
]);
/** Keywords whose values are data. */
const DATA = new Set(["default", "const", "enum", "mapping"]);
const EXAMPLES = new Set(["example", "examples"]);

const LINE_MAX = 140;

export function contractOf(document: JsonObject): string {
  return `${printed(withoutTexts(document), "")}\n`;
}

export function withoutTexts(schema: Json): Json {
  if (isList(schema)) return schema.map(withoutTexts);
  if (!isObject(schema)) return schema;
  return sorted(
    Object.entries(schema).flatMap(([keyword, value]) => {
      if (TEXTS.has(keyword) || (EXAMPLES.has(keyword) && hasBlank(value))) return [];
      if (DATA.has(keyword) || EXAMPLES.has(keyword)) return [[keyword, value]];
      return [[keyword, MAPS.has(keyword) ? eachWithoutTexts(value) : withoutTexts(value)]];
    }),
  );
}

function eachWithoutTexts(map: Json): Json {
  if (!isObject(map)) return withoutTexts(map);
  return sorted(Object.entries(map).map(([name, value]) => [name, withoutTexts(value)]));
}

/** An example with a blank in it may be a text. */
function hasBlank(value: Json): boolean {
  if (typeof value === "string") return value.includes(" ");
  return typeof value === "object" && value !== null && Object.values(value).some(hasBlank);
}

function sorted(entries: readonly (readonly [string, Json])[]): JsonObject {
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** What fits on one line is on one, and a single key takes no line of its own, so that a difference is short. */
function printed(value: Json, indent: string): string {
  const line = JSON.stringify(value);
  if (indent.length + line.length <= LINE_MAX || typeof value !== "object" || value === null) return line;
  const inner = `${indent}  `;
  if (isList(value)) return `[\n${value.map((each) => inner + printed(each, inner)).join(",\n")}\n${indent}]`;
  const isSingle = Object.keys(value).length === 1;
  const fields = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}: ${printed(each, isSingle ? indent : inner)}`,
  );
  return isSingle ? `{${fields.join("")}}` : `{\n${inner}${fields.join(`,\n${inner}`)}\n${indent}}`;
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !isList(value);
}
