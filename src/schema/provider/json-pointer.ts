// JSON pointers (RFC 6901): read one place of a JSON value. Definitions name fields of answers; runners read providers'
// answers.
import { z } from "zod";
import type { Json } from "../json.ts";
import { PROVIDER_TEXT_CHARS_MAX } from "../limits/outgoing/responses.ts";

export const jsonPointer = z
  .string()
  .regex(/^(?:\/(?:[^~/]|~0|~1)*)*$/, { message: 'must be a JSON pointer such as "/data/id"; "" is the whole body' });

/** Returns the value at the pointer; undefined if absent. Only own fields are found, so "constructor" is not. */
export function valueAt(root: Json, pointer: string): Json | undefined {
  let value: Json | undefined = root;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, name)) return undefined;
    if (Array.isArray(value) && !/^\d+$/.test(name)) return undefined; // A list's "length" is not part of the JSON.
    value = (value as { readonly [name: string]: Json })[name]; // A list has its items under their indexes.
  }
  return value;
}

/** Returns the text at the pointer, if it is not empty and short enough to be stored; null for everything else. */
export function textAt(root: Json, pointer: string): string | null {
  const value = valueAt(root, pointer);
  return typeof value === "string" && value !== "" && value.length <= PROVIDER_TEXT_CHARS_MAX ? value : null;
}
