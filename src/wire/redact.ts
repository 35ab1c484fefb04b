// Redaction: hides texts that look like credentials. Stored configs contain slots instead of secrets. Redaction hides
// credentials that a client wrote into a config as plain text.
import type { Json, JsonObject } from "#schema/json.ts";
import { onlyNames } from "#schema/secret.ts";

const CREDENTIAL =
  /authorization|cookie|password|passwd|secret|token|api[-_]?key|private[-_]?key|credential|signature/i;
/**
 * Field names that mean a credential only as the whole name, such as "auth". Within a longer name, such as "author",
 * they do not.
 */
const CREDENTIAL_ALONE = /^(?:x[-_])?(?:auth|bearer|hmac|jwt|otp|passphrase|pwd)$|^x[-_]key$/i;
const CREDENTIAL_QUERY = /^(?:access[-_]?key|code|key|sig)$/i;
const ADDRESS = /^[a-z][a-z0-9+.-]{0,20}:\/\//i;
const BLOT = "[redacted]";

export function redact(value: JsonObject): JsonObject {
  return redactObject(value, () => false);
}

/**
 * Redacts a config before its templates are rendered. References to secrets such as {{secrets.name}} stay visible;
 * literal credentials are hidden.
 */
export function redactWritten(value: JsonObject): JsonObject {
  return redactObject(value, (text) => text.includes("{{"));
}

/** Returns true if a text in a credential's field is no credential, and so stays visible. */
type Shows = (text: string) => boolean;

function redactObject(value: JsonObject, shows: Shows): JsonObject {
  const named = [value["name"], value["key"], value["header"]].some(isCredentialWord);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      // An object such as {"name": "Authorization", "value": "…"} describes a header or field, so its `value` is the
      // credential.
      const isMeant = name === "value" && named;
      return [name, isMeant || isCredential(name) ? cover(inner, shows) : redactMember(name, inner, shows)];
    }),
  );
}

/** Replaces all texts and numbers in a credential's field, at any depth. Booleans and null stay visible. */
function cover(value: Json, shows: Shows): Json {
  if (typeof value === "string" && shows(value)) return redactAddress(value);
  if (typeof value === "string" || typeof value === "number") return BLOT;
  if (value === null || typeof value !== "object") return value;
  if (isList(value)) return value.map((each) => cover(each, shows));
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === "$secret" || onlyNames(name) ? redactMember(name, inner, shows) : cover(inner, shows),
    ]),
  );
}

function redactMember(name: string, value: Json, shows: Shows): Json {
  return name === "$secret" && isList(value) ? redactSlot(value) : redactJson(value, shows);
}

function redactJson(value: Json, shows: Shows): Json {
  if (typeof value === "string") return redactAddress(value);
  if (value === null || typeof value !== "object") return value;
  if (!isList(value)) return redactObject(value, shows);
  return value.map((each) => redactPair(each, shows) ?? redactJson(each, shows));
}

/**
 * Redacts a header that is written as a list of name and value. Returns null for any other JSON, which the caller then
 * redacts by its field names.
 */
function redactPair(value: Json, shows: Shows): Json | null {
  if (value === null || typeof value !== "object" || !isList(value) || value.length !== 2) return null;
  const [first, second] = value;
  return isCredentialWord(first) && second !== undefined ? [first ?? null, cover(second, shows)] : null;
}

/**
 * Returns true if the text is the name of a credential's field or header. A sentence that contains "password" is not
 * such a name.
 */
function isCredentialWord(text: Json | undefined): boolean {
  return typeof text === "string" && /^[\w.-]{1,100}$/.test(text) && isCredential(text);
}

/**
 * Redacts the parts of a text with secret slots one by one. The text after a slot may contain further query parameters
 * of the URL.
 */
function redactSlot(parts: readonly Json[]): Json {
  const [first] = parts;
  if (typeof first !== "string" || !ADDRESS.test(first)) return parts;
  return parts.map((part) => (typeof part === "string" ? redactQuery(redactAddress(part)) : part));
}

function isCredential(name: string): boolean {
  return name !== "$secret" && !onlyNames(name) && (CREDENTIAL.test(name) || CREDENTIAL_ALONE.test(name));
}

/**
 * Redacts a URL: its user and password, and the credentials in its query. The name of a query parameter contains
 * neither `?` nor `&`. So the search takes linear time.
 */
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
