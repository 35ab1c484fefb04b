// Response texts: parse JSON up to a depth that is safe for recursion, and select the part that is stored.
import type { BodyIncomplete } from "#schema/engine/outcome.ts";
import { depthOf, isExact, type Json } from "#schema/json.ts";
import { ANSWER_DEPTH_MAX, RESPONSE_BYTES_KEPT } from "#schema/limits/outgoing/responses.ts";
import { redactJson, redactValues } from "../core/redact-values.ts";

export type ReadResult = {
  readonly data: Json;
  readonly fault: Extract<BodyIncomplete, "too_deep" | "not_json"> | null;
};

/**
 * Parses a body by its content type. Invalid JSON is returned as text with a fault, because the call itself succeeded.
 */
export function readText(text: string, type: string, secrets: readonly string[]): ReadResult {
  const asText = (fault: ReadResult["fault"]): ReadResult => ({ data: redactValues(text, secrets), fault });
  if (text === "") return { data: null, fault: null };
  if (!/[/+]json\b/i.test(type)) return asText(null);
  if (depthOf(text) > ANSWER_DEPTH_MAX) return asText("too_deep");
  try {
    return { data: redactJson(parseExact(text), secrets), fault: null };
  } catch {
    return asText("not_json");
  }
}

/**
 * Parses JSON. A number that a double cannot represent exactly becomes a text, so that an id of seventeen digits is not
 * rounded.
 */
function parseExact(text: string): Json {
  const read: unknown = MAY_BE_INEXACT.test(text) ? JSON.parse(text, keepExact) : JSON.parse(text);
  return read as Json; // JSON.parse returns only JSON
}

/**
 * Matches texts that may contain a number that a double cannot represent. Most answers do not match, so their values
 * are not checked one by one.
 */
const MAY_BE_INEXACT = /\d{16}|\d\.\d{15}|\d[eE]/;

/** `source`: the number as written in the text. TypeScript's types do not declare this parameter yet. */
function keepExact(_name: string, value: Json, { source }: { readonly source?: string } = {}): Json {
  return typeof value === "number" && source !== undefined && !isExact(source) ? source : value;
}

/**
 * Returns true if the parsed body is certainly complete. A list or an object has an end, but a truncated number is
 * still a number.
 */
export function isComplete(data: Json): boolean {
  return data !== null && typeof data === "object";
}

/** The maximum of UTF-8 bytes per UTF-16 unit. */
const UTF8_BYTES_MAX = 3;

/**
 * Returns the part of the body that is stored: all data, or the beginning of a long text. If a secret is at the cut,
 * the whole secret is removed.
 */
export function storablePart(text: string, data: Json, secrets: readonly string[]): { data: Json; truncated: boolean } {
  if (text.length * UTF8_BYTES_MAX <= RESPONSE_BYTES_KEPT) return { data, truncated: false };
  const bytesBuffer = new Uint8Array(RESPONSE_BYTES_KEPT);
  if (new TextEncoder().encodeInto(text, bytesBuffer).read === text.length) return { data, truncated: false };
  const clean = redactValues(text, secrets);
  return { data: clean.slice(0, new TextEncoder().encodeInto(clean, bytesBuffer).read), truncated: true };
}
