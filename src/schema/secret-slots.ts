// Secret slots: a rendered config is stored and shown, so it contains slots in place of secrets. Just before the call
// the secrets are inserted. "Bearer {{secrets.crm_api_token}}" becomes { "$secret": ["Bearer ", { "name":
// "crm_api_token" }] }. Data cannot forge a slot: rendering adds a "$" to data fields named "$secret", "$$secret" and
// so on, and filling removes it. The unsubscribe link of an e-mail is inserted in the same way.
import type { Json } from "./json.ts";
import type { ActionError } from "./engine/outcome.ts";
import { UNSUBSCRIBE_URL } from "./outgoing/unsubscribe-link.ts";

/** The place of the unsubscribe link, which acts for the recipient, as a secret does for its owner. */
export type LinkPart = { readonly link: typeof UNSUBSCRIBE_URL };
export const LINK_PART: LinkPart = { link: UNSUBSCRIBE_URL };
export type SecretSlot = { readonly $secret: readonly (string | { readonly name: string } | LinkPart)[] };

type Secrets = { readonly [name: string]: string };
type Filled = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly error: ActionError };

/**
 * Returns the value with the secrets inserted in its slots. Returns an error if a secret is not set. `link`: the text
 * that is inserted for the unsubscribe link.
 */
export function fillSecrets(value: Json, secrets: Secrets, link = ""): Filled {
  if (holdsNoSlots(value)) return { ok: true, value };
  const missing = secretNames(value).filter((name) => !Object.hasOwn(secrets, name));
  if (missing.length === 0) return { ok: true, value: fill(value, secrets, link) };
  const message = `${missing.length === 1 ? "secret" : "secrets"} ${missing.join(", ")} not set`;
  return { ok: false, error: { type: "invalid_configuration", message, retryable: false, details: { missing } } };
}

/** Returns true if filling would not change the value, because it has no slot and no escaped field. */
export function holdsNoSlots(value: Json): boolean {
  if (value === null || typeof value !== "object") return true;
  if (Array.isArray(value)) return value.every(holdsNoSlots);
  for (const [name, item] of Object.entries(value)) if (name.startsWith("$") || !holdsNoSlots(item)) return false;
  return true;
}

/** Returns the names of the secrets in the slots. Each name occurs once, in alphabetical order. */
export function secretNames(value: Json): string[] {
  return [...new Set(namesIn(value))].toSorted();
}

function namesIn(value: Json): string[] {
  if (value === null || typeof value !== "object") return [];
  if (isSlot(value))
    return value.$secret.flatMap((part) => (typeof part === "object" && "name" in part ? [part.name] : []));
  return Object.values(value).flatMap((item: Json) => namesIn(item));
}

function fill(value: Json, secrets: Secrets, link: string): Json {
  if (value === null || typeof value !== "object") return value;
  if (isSlot(value)) return value.$secret.map((part) => filledPart(part, secrets, link)).join("");
  if (Array.isArray(value)) return value.map((item: Json) => fill(item, secrets, link));
  const entries = Object.entries(value as { readonly [key: string]: Json }); // The checks above exclude null, scalars and lists, so the value is an object.
  return Object.fromEntries(
    entries.map(([key, item]) => [key.replace(/^\$(\$+secret)$/, "$1"), fill(item, secrets, link)]),
  );
}

function filledPart(part: SecretSlot["$secret"][number], secrets: Secrets, link: string): string {
  if (typeof part === "string") return part;
  return "name" in part ? String(secrets[part.name]) : link;
}

function isSlot(value: object): value is SecretSlot {
  return Object.hasOwn(value, "$secret");
}
