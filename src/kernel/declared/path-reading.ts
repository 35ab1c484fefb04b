// Static reading of a path in a schema: whether the path can exist, whether it always exists, and the schema of its
// value. The result is "unknown" if more than one schema applies to a value on the path.
import type { InputSchema, InputSchemaObject, SchemaType } from "#schema/definition/input-schema.ts";
import { resolveReference } from "./keywords.ts";

export type PathReading =
  | { readonly kind: "unknown" }
  /**
   * `names`: how many names of the path exist. `known`: the names that the schema declares where the next name is
   * missing. `isOpen`: true if the schema also allows undeclared names there.
   */
  | { readonly kind: "absent"; readonly names: number; readonly known: readonly string[]; readonly isOpen: boolean }
  /** `isAlways`: true if every valid value has the path, with a value that is not null. */
  | { readonly kind: "there"; readonly schema: InputSchemaObject; readonly isAlways: boolean };

const UNKNOWN: PathReading = { kind: "unknown" };

/** Reads a path in a schema. `isObject`: true if the caller is certain that the root value is an object. */
export function readPath(root: InputSchemaObject, names: readonly string[], isObject: boolean): PathReading {
  let at = onlySchema(root, root);
  let isAlways = isObject || (at !== null && isOnlyType(at, "object"));
  for (const [n, name] of names.entries()) {
    if (at === null) return UNKNOWN;
    const types = typesOf(at);
    if (types.includes("array") && /^(\d+|length)$/.test(name)) return UNKNOWN;
    if (!types.includes("object")) return { kind: "absent", names: n, known: [], isOpen: false };
    const { properties, required = [], additionalProperties = true } = at;
    const own: InputSchema | undefined = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (own === undefined && typeof additionalProperties === "boolean") {
      return { kind: "absent", names: n, known: Object.keys(properties ?? {}), isOpen: additionalProperties };
    }
    at = onlySchema(own ?? additionalProperties, root);
    const isLast = n === names.length - 1;
    isAlways &&= required.includes(name) && at !== null && (isLast ? excludesNull(at) : isOnlyType(at, "object"));
  }
  return at === null ? UNKNOWN : { kind: "there", schema: at, isAlways };
}

const COMBINING_KEYWORDS = ["allOf", "anyOf", "oneOf", "not", "if"] as const;

/**
 * The only schema that applies to the value. null if a keyword such as anyOf adds another. A schema that consists of a
 * $ref is replaced by the schema it names.
 */
function onlySchema(declared: InputSchema, root: InputSchemaObject, hops = 0): InputSchemaObject | null {
  if (typeof declared === "boolean" || COMBINING_KEYWORDS.some((key) => declared[key] !== undefined)) return null;
  const { $ref, $defs: _parts, description: _said, title: _name, $comment: _comment, ...own } = declared;
  if ($ref === undefined) return declared;
  // Before a definition is verified, its references may form a cycle. The number of steps is therefore limited.
  return Object.keys(own).length > 0 || hops > HOPS_MAX
    ? null
    : onlySchema(resolveReference(root, $ref), root, hops + 1);
}

const HOPS_MAX = 20;
const ANY: readonly SchemaType[] = ["string", "number", "integer", "boolean", "object", "array", "null"];

function typesOf({ type = [...ANY] }: InputSchemaObject): readonly SchemaType[] {
  return typeof type === "string" ? [type] : type;
}

function isOnlyType(schema: InputSchemaObject, type: SchemaType): boolean {
  return typesOf(schema).every((each) => each === type);
}

/** Whether the schema excludes null, by its type or by its allowed values. */
function excludesNull(schema: InputSchemaObject): boolean {
  if (schema.const !== undefined) return schema.const !== null;
  return !typesOf(schema).includes("null") || schema.enum?.includes(null) === false;
}

/** The values that the schema allows; null if it has neither `const` nor `enum`. */
export function valuesOf({ const: only, enum: several }: InputSchemaObject): readonly unknown[] | null {
  return only === undefined ? (several ?? null) : [only];
}

/** Whether the schema allows no value of the given type. */
export function excludes(schema: InputSchemaObject, type: SchemaType): boolean {
  return !typesOf(schema).some((each) => each === type || (each === "number" && type === "integer"));
}
