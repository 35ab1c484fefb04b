// Static reading of a path in a schema: whether the path may exist, always exists, and which schema its value has.
// Unknown if several schemas apply to one value.
import type { InputSchema, InputSchemaObject, SchemaType } from "#schema/definition/input-schema.ts";
import { resolveReference } from "./keywords.ts";

export type PathReading =
  | { readonly kind: "unknown" }
  /**
   * `names`: how many names of the path exist. `known`: the names that exist instead. `isOpen`: other names are
   * allowed.
   */
  | { readonly kind: "absent"; readonly names: number; readonly known: readonly string[]; readonly isOpen: boolean }
  /** `isAlways`: the value is required and cannot be null. */
  | { readonly kind: "there"; readonly schema: InputSchemaObject; readonly isAlways: boolean };

const UNKNOWN: PathReading = { kind: "unknown" };

/** Reads a path in a schema. `isObject`: the caller knows that the value is an object. */
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

/** The schema if no other keyword applies to the value, or else null. Follows a $ref that has no keywords beside it. */
function onlySchema(declared: InputSchema, root: InputSchemaObject, hops = 0): InputSchemaObject | null {
  if (typeof declared === "boolean" || COMBINING_KEYWORDS.some((key) => declared[key] !== undefined)) return null;
  const { $ref, $defs: _parts, description: _said, title: _name, $comment: _comment, ...own } = declared;
  if ($ref === undefined) return declared;
  // A definition that is not verified yet may contain a reference cycle.
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

/** Whether null is excluded, by the type or by the allowed values. */
function excludesNull(schema: InputSchemaObject): boolean {
  if (schema.const !== undefined) return schema.const !== null;
  return !typesOf(schema).includes("null") || schema.enum?.includes(null) === false;
}

/** The only allowed values; null if any value is possible. */
export function valuesOf({ const: only, enum: several }: InputSchemaObject): readonly unknown[] | null {
  return only === undefined ? (several ?? null) : [only];
}

/** Whether no value of this type is allowed. */
export function excludes(schema: InputSchemaObject, type: SchemaType): boolean {
  return !typesOf(schema).some((each) => each === type || (each === "number" && type === "integer"));
}
