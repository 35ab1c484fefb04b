// Response texts: parses JSON, to a depth that is safe for recursion; and selects the part that is stored.
import type { BodyIncomplete } from "#schema/engine/outcome.ts";
import { depthOf, isExact, type Json } from "#schema/json.ts";
import { limits } from "#schema/limits.ts";
import { ANSWER_DEPTH_MAX } from "#schema/limits/runners.ts";
import { redactJson, redactValues } from "../core/redact.ts";

export type ReadResult = {
  readonly data: Json;
  readonly fault: Extract<BodyIncomplete, "too_deep" | "not_json"> | null;
};

/** Invalid JSON stays text: the receiver has done its work. */
export function readText(text: string, type: string, secrets: readonly string[]): ReadResult {
  const asText = (fault: ReadResult["fault"]): ReadResult => ({ data: redactValues(text, secrets), fault });
  if (text === "") return { data: null, fault: null };
  if (!/[/+]json\b/i.test(type)) return asText(null);
  if (depthOf(text) > ANSWER_DEPTH_MAX) return asText("too_deep");
  try {
    return { data: redactJson(parsed(text), secrets), fault: null };
  } catch {
    return asText("not_json");
  }
}

/** Rounding would change an order's id of seventeen digits. A number that a double cannot represent stays a text. */
function parsed(text: string): Json {
  const read: unknown = MAY_CHANGE.test(text) ? JSON.parse(text, exactly) : JSON.parse(text);
  return read as Json; // JSON.parse returns only JSON
}

/** Many digits, or an exponent: most answers have neither, and are parsed without checking each value. */
const MAY_CHANGE = /\d{16}|\d\.\d{15}|\d[eE]/;

/** `source` is the original text; TypeScript's own types lack it yet. */
function exactly(_name: string, value: Json, { source }: { readonly source?: string } = {}): Json {
  return typeof value === "number" && source !== undefined && !isExact(source) ? source : value;
}

/** A list or an object is complete, whatever was cut off after it. A number may be incomplete. */
export function isWhole(data: Json): boolean {
  return data !== null && typeof data === "object";
}

/** The maximum for one unit of a text. */
const UTF8_BYTES_MAX = 3;

/** The beginning of a long text, as written, without secrets and without half a secret at its end. */
export function storedOf(text: string, data: Json, secrets: readonly string[]): { data: Json; truncated: boolean } {
  if (text.length * UTF8_BYTES_MAX <= limits.responseBytesKept) return { data, truncated: false };
  const room = new Uint8Array(limits.responseBytesKept);
  if (new TextEncoder().encodeInto(text, room).read === text.length) return { data, truncated: false };
  const clean = redactValues(text, secrets);
  return { data: clean.slice(0, new TextEncoder().encodeInto(clean, room).read), truncated: true };
}
