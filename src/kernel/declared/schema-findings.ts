// Errors in a schema that cannot be seen from its shape: in references, patterns, bounds and sizes.
import type { InputSchema, InputSchemaObject } from "#schema/definition/input-schema.ts";
import { SCHEMA_DEPTH_MAX, SCHEMA_NODES_MAX, SUGGESTED_NAMES_COMPARED_MAX } from "#schema/limits/definition-sizes.ts";
import type { Finding } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import { childPointer } from "../language/json-values.ts";
import { readPattern } from "./pattern.ts";

export function schemaFindings(schema: InputSchemaObject, where: string): readonly Finding[] {
  const placed = nestedSchemas(schema, where);
  if (placed === null) {
    const message = `the schema has more than ${SCHEMA_DEPTH_MAX} levels (SCHEMA_DEPTH_MAX), or contains more than ${SCHEMA_NODES_MAX} schemas (SCHEMA_NODES_MAX)`;
    return [finding(where, "limit_exceeded", message, "Simplify the schema, or define repeated parts in $defs.")];
  }
  const found = placed.flatMap(({ declared, at }) => [
    ...referenceFindings(declared, schema, at),
    ...patternFindings(declared, at),
    ...boundFindings(declared, at),
    ...requiredFindings(declared, at),
  ]);
  return found.length > 0 ? found : loopFindings(placed, schema);
}

type PlacedSchema = { readonly declared: InputSchemaObject; readonly at: string };

/** The direct subschemas with their paths. `isHere`: true if the subschema applies to the same value as its parent. */
function subschemas(
  schema: InputSchemaObject,
): readonly { declared: InputSchema; path: readonly (string | number)[]; isHere: boolean }[] {
  const one = (
    ["not", "if", "then", "else", "additionalProperties", "propertyNames", "items", "contains"] as const
  ).flatMap((key) => {
    const declared = schema[key];
    return declared === undefined ? [] : [{ declared, path: [key], isHere: HERE.has(key) }];
  });
  const listed = (["allOf", "anyOf", "oneOf", "prefixItems"] as const).flatMap((key) =>
    (schema[key] ?? []).map((declared, n) => ({ declared, path: [key, n], isHere: HERE.has(key) })),
  );
  const named = (["properties", "$defs"] as const).flatMap((key) =>
    Object.entries(schema[key] ?? {}).map(([name, declared]) => ({ declared, path: [key, name], isHere: false })),
  );
  return [...one, ...listed, ...named];
}

const HERE: ReadonlySet<string> = new Set(["not", "if", "then", "else", "allOf", "anyOf", "oneOf"]);

/** All nested schemas with their pointers. null if they are too many, or nested too deep. */
function nestedSchemas(schema: InputSchemaObject, where: string): readonly PlacedSchema[] | null {
  const found: PlacedSchema[] = [];
  const work = [{ declared: schema, at: where, depth: 1 }];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const { declared, at, depth } = next;
    found.push({ declared, at });
    if (found.length > SCHEMA_NODES_MAX || depth > SCHEMA_DEPTH_MAX) return null;
    for (const each of subschemas(declared)) {
      if (typeof each.declared === "object") {
        work.push({ declared: each.declared, at: each.path.reduce(childPointer, at), depth: depth + 1 });
      }
    }
  }
  return found;
}

function referenceFindings(
  { $ref, $defs }: InputSchemaObject,
  root: InputSchemaObject,
  at: string,
): readonly Finding[] {
  const stray =
    $defs === undefined || $defs === root.$defs
      ? []
      : [
          finding(
            childPointer(at, "$defs"),
            "schema_defs_inside",
            "must be at the top level of the schema",
            "Move the definitions to the top level of the schema.",
          ),
        ];
  if ($ref === undefined || $ref === "#") return stray;
  const known = Object.keys(root.$defs ?? {});
  const name = nameOf($ref);
  if (known.includes(name)) return stray;
  const guess = didYouMean(name, known);
  const hint = guess ? `Did you mean #/$defs/${guess}?` : `Known definitions: ${known.join(", ") || "none"}.`;
  return [...stray, finding(childPointer(at, "$ref"), "schema_ref_unknown", `$defs has no ${name}`, hint)];
}

function nameOf(ref: string): string {
  return ref.slice("#/$defs/".length).replaceAll("~1", "/").replaceAll("~0", "~");
}

function patternFindings({ pattern }: InputSchemaObject, at: string): readonly Finding[] {
  if (pattern === undefined) return [];
  const read = readPattern(pattern);
  return read.ok ? [] : [finding(childPointer(at, "pattern"), "schema_pattern", `the pattern ${read.message}`)];
}

/** Findings about a minimum that exceeds its maximum. No value would be valid. */
function boundFindings(schema: InputSchemaObject, at: string): readonly Finding[] {
  return (["Length", "Items", "Properties", "imum", "Contains"] as const).flatMap((what) => {
    const [least, most] = [schema[`min${what}`], schema[`max${what}`]];
    if (least === undefined || most === undefined || least <= most) return [];
    return [finding(childPointer(at, `max${what}`), "schema_bounds", `is less than min${what}, so no value can match`)];
  });
}

/** Findings about required fields that the schema forbids. No value would be valid. */
function requiredFindings({ required = [], properties = {}, additionalProperties }: InputSchemaObject, at: string) {
  if (additionalProperties !== false) return [];
  const known = Object.keys(properties);
  return required.flatMap((name, n) => {
    if (known.includes(name)) return [];
    const guess = didYouMean(name, known.slice(0, SUGGESTED_NAMES_COMPARED_MAX));
    const hint = guess ? `Did you mean ${guess}?` : 'Add the field to "properties".';
    const message = `the field ${name} is required but not in "properties", so no value can match`;
    return [finding(childPointer(childPointer(at, "required"), n), "schema_required_unknown", message, hint)];
  });
}

/** Findings about schemas that refer back to themselves for the same value. Checking a value would never end. */
function loopFindings(placed: readonly PlacedSchema[], root: InputSchemaObject): readonly Finding[] {
  const next = (schema: InputSchemaObject): readonly InputSchemaObject[] => {
    const { $ref } = schema;
    const other = $ref === undefined ? true : $ref === "#" ? root : root.$defs?.[nameOf($ref)];
    const here = subschemas(schema).flatMap(({ declared, isHere }) => (isHere ? [declared] : []));
    return [other, ...here].filter((each) => typeof each === "object");
  };
  const done = new Set<InputSchemaObject>();
  const way = new Set<InputSchemaObject>();
  const visit = (schema: InputSchemaObject): InputSchemaObject | null => {
    if (way.has(schema)) return schema;
    if (done.has(schema)) return null;
    way.add(schema);
    for (const each of next(schema)) {
      const loop = visit(each);
      if (loop !== null) return loop;
    }
    way.delete(schema);
    done.add(schema);
    return null;
  };
  const first = firstLoop(placed, visit);
  const message = "refers to itself at the same place, so a check would never end";
  return placed
    .filter(({ declared }) => declared === first)
    .map(({ at }) => finding(at, "schema_loop", message, 'Use the reference inside "properties" or "items".'));
}

/**
 * The first schema that is part of a loop of references; null if there is none. A schema that only refers to a schema
 * in a loop does not count.
 */
function firstLoop(
  placed: readonly PlacedSchema[],
  visit: (schema: InputSchemaObject) => InputSchemaObject | null,
): InputSchemaObject | null {
  for (const { declared } of placed) {
    const loop = visit(declared);
    if (loop !== null) return loop;
  }
  return null;
}

function finding(pointer: string, code: string, message: string, hint?: string): Finding {
  return { pointer, code, message, ...(hint === undefined ? {} : { hint }) };
}
