// Objects: checks them against a schema.
import type { Declared, DeclaredSchema } from "#schema/definition/declared.ts";
import type { Json } from "#schema/json.ts";
import { MISFITS_TOLD_MAX, NAMES_GUESSED_MAX } from "#schema/limits/kernel.ts";
import type { Finding } from "#schema/refusal.ts";
import { didYouMean } from "#schema/suggest.ts";
import { childPointer } from "../language/pointer.ts";
import { spend, workOf } from "../computing/work.ts";
import { misfit, referred, type At } from "./standpoint.ts";

/** The same limit as in `didYouMean`. */
const NAME_LETTERS_COMPARED = 64;

type Fields = { readonly [name: string]: Json };

export function objectMisfits(schema: DeclaredSchema, value: Fields, at: At): readonly Finding[] {
  const { minProperties = 0, maxProperties = Infinity } = schema;
  const names = Object.keys(value);
  spend(at.work, names.length * workOf.name);
  const out: Finding[] = [];
  if (names.length < minProperties) out.push(misfit(at, "too_small", `must have at least ${minProperties} fields`));
  if (names.length > maxProperties) out.push(misfit(at, "too_big", `must have at most ${maxProperties} fields`));
  out.push(...missing(schema, value, at));
  for (const [name, each] of Object.entries(value)) {
    out.push(...ofField(schema, name, each, { ...at, pointer: childPointer(at.pointer, name) }));
    if (out.length > MISFITS_TOLD_MAX) break;
  }
  return out;
}

function missing(schema: DeclaredSchema, value: Fields, at: At): readonly Finding[] {
  const { required = [], dependentRequired = {}, properties = {} } = schema;
  const of = Object.entries(dependentRequired).filter(([name]) => Object.hasOwn(value, name));
  const wanted = [
    ...required.map((name) => ({ name, by: "" })),
    ...of.flatMap(([by, names]) => names.map((name) => ({ name, by }))),
  ];
  spend(at.work, wanted.length * workOf.name);
  return wanted.flatMap(({ name, by }) => {
    if (Object.hasOwn(value, name)) return [];
    const declared = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const type = typeName(declared, at);
    const expected = type === null ? "is missing" : `is missing (${type} expected)`;
    const message = by === "" ? expected : `${expected}: ${by} requires it`;
    const hint = typeof declared === "object" ? declared.description : undefined;
    return [misfit({ pointer: childPointer(at.pointer, name) }, "required", message, hint)];
  });
}

function typeName(declared: Declared | undefined, { root }: At): string | null {
  if (typeof declared !== "object") return null;
  const { type, $ref } = declared;
  if (type !== undefined) return typeof type === "string" ? type : type.join(" or ");
  const other = $ref === undefined ? true : referred(root, $ref);
  return typeof other === "object" && typeof other.type === "string" ? other.type : null;
}

function ofField(schema: DeclaredSchema, name: string, value: Json, at: At): readonly Finding[] {
  const { properties = {}, additionalProperties, propertyNames } = schema;
  const named = propertyNames === undefined ? [] : at.look(propertyNames, name, at).map(ofName);
  const own = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (own !== undefined) return [...named, ...at.look(own, value, at)];
  if (additionalProperties === undefined) return named;
  if (additionalProperties !== false) return [...named, ...at.look(additionalProperties, value, at)];
  const known = Object.keys(properties).slice(0, NAMES_GUESSED_MAX);
  spend(at.work, known.length * Math.min(name.length, NAME_LETTERS_COMPARED));
  const near = didYouMean(name, known);
  const hint = near === null ? `Known fields: ${known.join(", ") || "none"}.` : `Did you mean ${near}?`;
  return [...named, misfit(at, "unknown_field", "is not in the schema", hint)];
}

function ofName(found: Finding): Finding {
  return { ...found, code: "invalid_key", message: `its name ${found.message}` };
}
