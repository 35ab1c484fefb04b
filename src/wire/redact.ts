// Blots out what looks like a credential. Secrets never reach a stored config; this is for those written into one.
import type { Json, JsonObject } from "#schema/json.ts";

const CREDENTIAL =
  /authorization|cookie|password|passwd|secret|token|api[-_]?key|private[-_]?key|credential|signature/i;
/** Words that are credentials by themselves and ordinary parts of others. */
const CREDENTIAL_ALONE = /^(?:x[-_])?(?:auth|bearer|hmac|jwt|otp|passphrase|pwd)$|^x[-_]key$/i;
const CREDENTIAL_QUERY = /^(?:access[-_]?key|code|key|sig)$/i;
const ADDRESS = /^[a-z][a-z0-9+.-]{0,20}:\/\//i;
const BLOT = "[redacted]";

export function redact(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, blot(name, inner)]));
}

/** What somebody wrote and has not been rendered: a credential that is named there, and not written out, is shown. */
export function redactWritten(value: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      if (typeof inner === "string" && inner.includes("{{")) return [name, redactAddress(inner)];
      if (inner === null || typeof inner !== "object" || isList(inner)) return [name, blot(name, inner)];
      return [name, redactWritten(inner)];
    }),
  );
}

function blot(name: string, value: Json): Json {
  if (isCredential(name) && (typeof value === "string" || typeof value === "number")) return BLOT;
  return name === "$secret" && isList(value) ? redactSlot(value) : redactJson(value);
}

function redactJson(value: Json): Json {
  if (typeof value === "string") return redactAddress(value);
  if (value === null || typeof value !== "object") return value;
  if (isList(value)) return value.map(redactJson);
  return redact(value);
}

/** A text with places for secrets, part by part: an address may go on after one. */
function redactSlot(parts: readonly Json[]): Json {
  const [first] = parts;
  if (typeof first !== "string" || !ADDRESS.test(first)) return parts;
  return parts.map((part) => (typeof part === "string" ? redactQuery(redactAddress(part)) : part));
}

function isCredential(name: string): boolean {
  return CREDENTIAL.test(name) || CREDENTIAL_ALONE.test(name);
}

/** User and password, and credentials in a query. Names end at each other's beginnings, so that no text takes long. */
function redactAddress(text: string): string {
  if (!ADDRESS.test(text)) return text;
  return redactQuery(text.replace(/^([a-z0-9+.-]{1,21}:\/\/)[^/?#\s]{1,1000}@/i, `$1${BLOT}@`));
}

function redactQuery(text: string): string {
  return text.replace(/([?&]([^=&#?]*)=)([^&#]+)/g, (all, start: string, name: string, said: string) =>
    said.includes("{{") || !(isCredential(name) || CREDENTIAL_QUERY.test(name)) ? all : start + BLOT,
  );
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
