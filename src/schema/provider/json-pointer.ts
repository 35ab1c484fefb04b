// JSON pointers (RFC 6901): read one place of a JSON value: a definition's fields of an answer, and runners' fields of
// providers' answers, which may be anything.
import { z } from "zod";
import type { Json } from "../json.ts";
import { PROVIDER_TEXT_CHARS_MAX } from "../limits/outgoing/responses.ts";

export const jsonPointer = z
  .string()
  .regex(/^(?:\/(?:[^~/]|~0|~1)*)*$/, { message: 'must be a JSON pointer such as "/data/id"; "" is the whole body' });

/** Undefined if absent. Own fields only, so "constructor" is not found. */
export function valueAt(root: Json, pointer: string): Json | undefined {
  let value: Json | undefined = root;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, name)) return undefined;
    if (Array.isArray(value) && !/^\d+$/.test(name)) return undefined; // a list's "length" is not part of the JSON
    value = (value as { readonly [name: string]: Json })[name]; // lists have their items under their numbers
  }
  return value;
}

/** The same for texts of a storable length; null for everything else. */
export function textAt(root: Json, pointer: string): string | null {
  const value = valueAt(root, pointer);
  return typeof value === "string" && value !== "" && value.length <= PROVIDER_TEXT_CHARS_MAX ? value : null;
}
