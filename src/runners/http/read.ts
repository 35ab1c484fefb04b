// What an answer's text says: JSON where it is JSON, down to a depth that nothing which recurses over it falls into; and how
// much of it is stored.
import type { BodyIncomplete } from "#schema/engine/outcome.ts";
import { depthOf, type Json } from "#schema/json.ts";
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
    return { data: redactJson(JSON.parse(text) as Json, secrets), fault: null }; // JSON.parse gives nothing but JSON
  } catch {
    return asText("not_json");
  }
}

/** A list or an object: whatever was cut off behind it, it is whole. A number may be the half of one. */
export function isWhole(data: Json): boolean {
  return data !== null && typeof data === "object";
}

/** The beginning of a long one, as it was written, without secrets and without half a secret at its end. */
export function storedOf(text: string, data: Json, secrets: readonly string[]): { data: Json; truncated: boolean } {
  const room = new Uint8Array(limits.responseBytesKept);
  if (new TextEncoder().encodeInto(text, room).read === text.length) return { data, truncated: false };
  const clean = redactValues(text, secrets);
  return { data: clean.slice(0, new TextEncoder().encodeInto(clean, room).read), truncated: true };
}
