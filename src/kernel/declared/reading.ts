// What is known of a path before anything has come in: whether it may be there at all, whether it always is, and what it may
// be. Where several schemas speak of one value nobody can say as much, and nothing is said.
import type { Declared, DeclaredSchema, DeclaredType } from "#schema/definition/declared.ts";
import { referred } from "./standpoint.ts";

export type Reading =
  | { readonly kind: "unknown" }
  /** `names`: how much of the path leads somewhere; `known`: what there is instead. Open: others may be there as well. */
  | { readonly kind: "absent"; readonly names: number; readonly known: readonly string[]; readonly isOpen: boolean }
  /** Always: it was asked for, and cannot be null. */
  | { readonly kind: "there"; readonly schema: DeclaredSchema; readonly isAlways: boolean };

const UNKNOWN: Reading = { kind: "unknown" };

/** `isObject`: that there is an object is known otherwise. */
export function readingOf(root: DeclaredSchema, names: readonly string[], isObject: boolean): Reading {
  let at = plain(root, root);
  let isAlways = isObject || (at !== null && isOnly(at, "object"));
  for (const [n, name] of names.entries()) {
    if (at === null) return UNKNOWN;
    const types = typesOf(at);
    if (types.includes("array") && /^(\d+|length)$/.test(name)) return UNKNOWN;
    if (!types.includes("object")) return { kind: "absent", names: n, known: [], isOpen: false };
    const { properties, required = [], additionalProperties = true } = at;
    const known = Object.keys(properties ?? {});
    const own: Declared | undefined = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (own === undefined && additionalProperties === false) return { kind: "absent", names: n, known, isOpen: false };
    if (own === undefined && additionalProperties === true) return { kind: "absent", names: n, known, isOpen: true };
    at = plain(own ?? additionalProperties, root);
    const isLast = n === names.length - 1;
    isAlways &&= required.includes(name) && at !== null && (isLast ? isSomething(at) : isOnly(at, "object"));
  }
  return at === null ? UNKNOWN : { kind: "there", schema: at, isAlways };
}

const SEVERAL = ["allOf", "anyOf", "oneOf", "not", "if"] as const;

/** One that speaks for itself, or that another one speaks for altogether. */
function plain(declared: Declared, root: DeclaredSchema, hops = 0): DeclaredSchema | null {
  if (typeof declared === "boolean" || SEVERAL.some((key) => declared[key] !== undefined)) return null;
  const { $ref, $defs: _parts, description: _said, title: _name, $comment: _comment, ...own } = declared;
  if ($ref === undefined) return declared;
  // A definition that has not been verified yet may go round in a circle.
  return Object.keys(own).length > 0 || hops > HOPS_MAX ? null : plain(referred(root, $ref), root, hops + 1);
}

const HOPS_MAX = 20;
const ANY: readonly DeclaredType[] = ["string", "number", "integer", "boolean", "object", "array", "null"];

function typesOf({ type = [...ANY] }: DeclaredSchema): readonly DeclaredType[] {
  return typeof type === "string" ? [type] : type;
}

function isOnly(schema: DeclaredSchema, type: DeclaredType): boolean {
  return typesOf(schema).every((each) => each === type);
}

/** Not null: by its type, or by what it may be. */
function isSomething(schema: DeclaredSchema): boolean {
  if (schema.const !== undefined) return schema.const !== null;
  return !typesOf(schema).includes("null") || schema.enum?.includes(null) === false;
}

/** The only values it may have, if they are few enough to be named. */
export function valuesOf({ const: only, enum: several }: DeclaredSchema): readonly unknown[] | null {
  return only === undefined ? (several ?? null) : [only];
}

/** Whether nothing of this type fits. */
export function excludes(schema: DeclaredSchema, type: DeclaredType): boolean {
  return !typesOf(schema).some((each) => each === type || (each === "number" && type === "integer"));
}
