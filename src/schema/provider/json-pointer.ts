// JSON pointers (RFC 6901): read one value in a JSON value. Definitions and runners use them to read providers'
// answers.
import { z } from "zod";
import type { Json } from "../json.ts";
import { PROVIDER_TEXT_CHARS_MAX } from "../limits/outgoing/responses.ts";

export const jsonPointer = z
  .string()
  .regex(/^(?:\/(?:[^~/]|~0|~1)*)*$/, {
    message: 'must be a JSON pointer such as "/data/id"; "" means the whole body',
  });

/**
 * Returns the value at the pointer. Returns undefined if there is none. Inherited fields are not read, so "constructor"
 * finds nothing.
 */
export function valueAt(root: Json, pointer: string): Json | undefined {
  let value: Json | undefined = root;
  for (const part of pointer.split("/").slice(1)) {
    const name = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (value === null || typeof value !== "object" || !Object.hasOwn(value, name)) return undefined;
    if (Array.isArray(value) && !/^\d+$/.test(name)) return undefined; // "length" of a list is not JSON, so only indexes are read.
    value = (value as { readonly [name: string]: Json })[name]; // A list is read by its indexes.
  }
  return value;
}

/**
 * Returns the text at the pointer. Returns null if there is no text there, or if it is empty or too long to be stored.
 */
export function textAt(root: Json, pointer: string): string | null {
  const value = valueAt(root, pointer);
  return typeof value === "string" && value !== "" && value.length <= PROVIDER_TEXT_CHARS_MAX ? value : null;
}
