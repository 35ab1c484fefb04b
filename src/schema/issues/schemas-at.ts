// Schema lookup: finds the object schemas that apply at a path of a value, so that a finding can list the known fields.
import { z } from "zod";

type Path = readonly PropertyKey[];
type Schema = z.core.$ZodType;

/** A schema, the whole value, and the depth at which the schema applies in the value. */
export type KnownSchema = { readonly schema: Schema | undefined; readonly value: unknown; readonly at: number };

/**
 * The object schemas at a path. `meant`: those that the value's constant fields, such as `kind` or `type`, select.
 * `others`: those that a constant field excludes.
 */
export type KnownObjects = { readonly meant: readonly z.ZodObject[]; readonly others: readonly z.ZodObject[] };

export function objectsAt(known: KnownSchema, path: Path): KnownObjects {
  const objects = schemasAt(known, path)
    .flatMap(unwrapped)
    .filter((schema) => schema instanceof z.ZodObject);
  const meant = meantBy(objects, valueAt(known.value, path));
  return { meant, others: objects.filter((each) => !meant.includes(each)) };
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((part, step) => childValue(part, step), value);
}

/** Reduces a union to the branch that the client most likely meant, so that hints name only fields of this branch. */
export function branchOf(known: KnownSchema, path: Path, index: number): KnownSchema {
  const [union, another] = schemasAt(known, path).map(bare);
  const option = another === undefined && union instanceof z.ZodUnion ? union.options[index] : undefined;
  return option === undefined ? known : { ...known, schema: option, at: path.length };
}

/** Returns the value of a schema's field if only one value is possible, otherwise undefined. */
export function constantOf(object: z.ZodObject, field: string): unknown {
  const schema: unknown = object.shape[field];
  return schema instanceof z.ZodLiteral && schema.values.size === 1 ? [...schema.values][0] : undefined;
}

function schemasAt({ schema: root, value, at }: KnownSchema, path: Path): readonly Schema[] {
  let schemas: readonly Schema[] = root === undefined ? [] : [root];
  let part = valueAt(value, path.slice(0, at));
  for (const step of path.slice(at)) {
    const within = schemas.flatMap(unwrapped);
    const objects = within.filter((schema) => schema instanceof z.ZodObject);
    const meant: readonly Schema[] = meantBy(objects, part);
    const others = within.filter((schema) => !(schema instanceof z.ZodObject));
    schemas = [...meant, ...others].flatMap((schema) => childOf(schema, step));
    part = childValue(part, step);
  }
  return schemas;
}

/**
 * Returns the schemas that the value's constant fields select. If no constant is equal, returns the schemas without a
 * constant that excludes the value.
 */
function meantBy(objects: readonly z.ZodObject[], value: unknown): readonly z.ZodObject[] {
  if (!isRecord(value)) return objects;
  const rated = objects.map((object) => ({ object, fit: fitOf(object, value) }));
  const selected = rated.filter(({ fit }) => fit === "selected");
  const possible = selected.length > 0 ? selected : rated.filter(({ fit }) => fit === "possible");
  return possible.map(({ object }) => object);
}

function fitOf(object: z.ZodObject, value: { readonly [name: string]: unknown }): "selected" | "possible" | "excluded" {
  const constants = Object.keys(object.shape).filter(
    (field) => value[field] !== undefined && constantOf(object, field) !== undefined,
  );
  if (constants.length === 0) return "possible";
  return constants.every((field) => constantOf(object, field) === value[field]) ? "selected" : "excluded";
}

function childValue(part: unknown, step: PropertyKey): unknown {
  return isRecord(part) && Object.hasOwn(part, step) ? part[String(step)] : undefined;
}

function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null;
}

/** Returns the schemas inside wrappers and unions, until it reaches objects, lists or plain values. */
function unwrapped(schema: Schema): readonly Schema[] {
  const inner = bare(schema);
  return inner instanceof z.ZodUnion ? inner.options.flatMap(unwrapped) : [inner];
}

function bare(schema: Schema): Schema {
  if (schema instanceof z.ZodPipe) return bare(schema.in);
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodReadonly ||
    schema instanceof z.ZodLazy
  ) {
    return bare(schema.unwrap());
  }
  return schema;
}

function childOf(schema: Schema, step: PropertyKey): readonly Schema[] {
  if (schema instanceof z.ZodArray) return [schema.element];
  if (schema instanceof z.ZodRecord) return [schema.valueType];
  if (!(schema instanceof z.ZodObject) || !Object.hasOwn(schema.shape, step)) return [];
  const child: unknown = schema.shape[String(step)];
  return child instanceof z.ZodType ? [child] : [];
}
