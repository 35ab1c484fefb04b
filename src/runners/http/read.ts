// What an answer's text says: JSON where it is JSON, down to a depth that nothing which recurses over it falls into; and how
// much of it is stored.
import type { BodyIncomplete } from "#schema/engine/outcome.ts";
import { depthOf, isExact, type Json } from "#schema/json.ts";
import { limits } from "#schema/limits.ts";
import { ANSWER_DEPTH_MAX } from "#schema/limits/runners.ts";
import { redactJson, redactValues } from "../core/redact.ts";

export type Read = { readonly data: Json; readonly fault: Extract<BodyIncomplete, "too_deep" | "not_json"> | null };

/** A body that calls itself JSON and is not stays text: what the receiver did is done. */
export function readText(text: string, type: string, secrets: readonly string[]): Read {
  const asText = (fault: Read["fault"]): Read => ({ data: redactValues(text, secrets), fault });
  if (text === "") return { data: null, fault: null };
  if (!/[/+]json\b/i.test(type)) return asText(null);
  if (depthOf(text) > ANSWER_DEPTH_MAX) return asText("too_deep");
  try {
    return { data: redactJson(parsed(text), secrets), fault: null };
  } catch {
    return asText("not_json");
  }
}

/** An order's id of seventeen digits would be another order's. What is no such number in a double stays the text it was. */
function parsed(text: string): Json {
  const read: unknown = MAY_CHANGE.test(text) ? JSON.parse(text, exactly) : JSON.parse(text);
  return read as Json; // JSON.parse gives nothing but JSON
}

/** Digits enough, or a power: most answers have neither, and are read without asking for each value. */
const MAY_CHANGE = /\d{16}|\d\.\d{15}|\d[eE]/;

/** `source` is what stood there; TypeScript's own types do not know it yet. */
function exactly(_name: string, value: Json, { source }: { readonly source?: string } = {}): Json {
  return typeof value === "number" && source !== undefined && !isExact(source) ? source : value;
}

/** A list or an object: whatever was cut off behind it, it is whole. A number may be the half of one. */
export function isWhole(data: Json): boolean {
  return data !== null && typeof data === "object";
}

/** A unit of a text takes no more. */
const UTF8_BYTES_MAX = 3;

/** The beginning of a long one, as it was written, without secrets and without half a secret at its end. */
export function storedOf(text: string, data: Json, secrets: readonly string[]): { data: Json; truncated: boolean } {
  if (text.length * UTF8_BYTES_MAX <= limits.responseBytesKept) return { data, truncated: false };
  const room = new Uint8Array(limits.responseBytesKept);
  if (new TextEncoder().encodeInto(text, room).read === text.length) return { data, truncated: false };
  const clean = redactValues(text, secrets);
  return { data: clean.slice(0, new TextEncoder().encodeInto(clean, room).read), truncated: true };
}
