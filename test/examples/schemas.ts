// Schemas of the API's description, for examples: whole values, and parts of them.
import Ajv, { type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { apiDocument } from "#test/tidy/generated/operations.ts";
import type { JsonObject } from "#schema/json.ts";

const WHOLE = "whole";
/** The same description, but every field may be absent. */
const PARTIAL = "partial";

let opened: Ajv | null = null;

function ajv(): Ajv {
  if (opened !== null) return opened;
  opened = new Ajv({ strict: false, allErrors: true });
  formats.default(opened);
  const document = apiDocument() as JsonObject;
  opened.addSchema({ $id: WHOLE, ...document });
  opened.addSchema({ $id: PARTIAL, ...(withoutRequired(document) as JsonObject) });
  return opened;
}

/** Returns the errors of the value against the schema at the pointer into the description. */
export function errorsAt(pointer: string, value: unknown, { isPart = false } = {}): readonly string[] {
  const ref = `${isPart ? PARTIAL : WHOLE}#${pointer}`;
  const validate: ValidateFunction | undefined = ajv().getSchema(ref);
  if (validate === undefined) throw new Error(`The API's description has nothing at ${pointer}.`);
  return validate(value) ? [] : (validate.errors ?? []).map(inWords);
}

export function component(name: string): string {
  return `/components/schemas/${name}`;
}

export function requestBody(method: string, path: string): string {
  return `${operationAt(method, path)}/requestBody/content/application~1json/schema`;
}

export function responseBody(method: string, path: string, status: string): string {
  return `${operationAt(method, path)}/responses/${status}/content/application~1json/schema`;
}

function operationAt(method: string, path: string): string {
  return `/paths/${encodeURI(escaped(path))}/${method.toLowerCase()}`;
}

/** As one part of a JSON Pointer. */
export function escaped(part: string): string {
  return part.replaceAll("~", "~0").replaceAll("/", "~1");
}

function inWords({ instancePath, message, params }: ErrorObject): string {
  return `${instancePath} ${message ?? ""} ${JSON.stringify(params)}`;
}

/** With all fields optional, several alternatives may match, so `oneOf` becomes `anyOf`. */
function withoutRequired(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutRequired);
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).filter(([name, value]) => name !== "required" || !Array.isArray(value));
  return Object.fromEntries(
    entries.map(([name, value]) => [name === "oneOf" ? "anyOf" : name, withoutRequired(value)]),
  );
}
