// Webhook signing secrets (Standard Webhooks), derived from the Worker's own keys. Nothing is stored, and no secret
// reveals another one. Receivers know the tenant-wide secret, so no other secret is derived from it.
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import type { Receiver } from "../deps.ts";

const secretCache = new Map<string, Promise<string>>();
/** Caches the secrets of each receiver, because all runs for that receiver need them. */
const receiverSecretsCache = new Map<string, Promise<readonly string[]>>();

/**
 * Derives the signing secrets of one receiver; for null, those that all receivers share. `keys` is one key, or several
 * separated by commas while a key is replaced, the new one first. Each message is then signed with every key, so
 * receivers may switch to the new key at any time.
 */
export function signingSecretsOf(
  keys: string | undefined,
  tenant: string,
  receiver: Receiver | null,
): Promise<readonly string[]> {
  const owner = receiver === null ? tenant : `${tenant}\n${receiver.generation}\n${receiver.endpoint}`;
  const name = `${keys ?? ""}\n${owner}`;
  const existing = receiverSecretsCache.get(name);
  if (existing) return existing;
  const secrets = Promise.all(keysIn(keys).map((key) => signingSecret(key, labelOf(tenant, receiver))));
  if (receiverSecretsCache.size >= isolateCaches.signingSecrets.sizeMax) receiverSecretsCache.clear();
  receiverSecretsCache.set(name, secrets);
  return secrets;
}

/**
 * Derives the secrets that sign the tokens in hook URLs. They are the same for all tenants, so that a token does not
 * reveal its tenant.
 */
export function hookTokenSecretsOf(keys: string | undefined): Promise<readonly string[]> {
  return Promise.all(keysIn(keys).map((key) => signingSecret(key, HOOK_TOKENS)));
}

/** Derives the secrets that encrypt the tokens in unsubscribe links, which are the same for all tenants. */
export function unsubscribeSecretsOf(keys: string | undefined): Promise<readonly string[]> {
  return Promise.all(keysIn(keys).map((key) => signingSecret(key, UNSUBSCRIBE_LINKS)));
}

/** The texts from which these secrets are derived. They must never change, because issued tokens depend on them. */
const HOOK_TOKENS = JSON.stringify(["hook-tokens"]);
const UNSUBSCRIBE_LINKS = JSON.stringify(["unsubscribe-links"]);

/**
 * Returns the text from which a secret is derived. The text of a receiver is JSON, so that two receivers never have the
 * same text. The format must never change, because receivers store the derived secrets.
 */
function labelOf(tenant: string, receiver: Receiver | null): string {
  if (receiver === null) return `webhook-signing/${tenant}`;
  return JSON.stringify(["webhook-endpoint", tenant, receiver.generation, receiver.endpoint]);
}

function keysIn(keys: string | undefined): readonly string[] {
  const parts = (keys ?? "").split(",").map((key) => key.trim());
  return parts.filter((key) => key !== "");
}

function signingSecret(key: string, label: string): Promise<string> {
  const existing = secretCache.get(`${label}\n${key}`);
  if (existing) return existing;
  const secret = derive(key, label);
  if (secretCache.size >= isolateCaches.signingSecrets.sizeMax) secretCache.clear();
  secretCache.set(`${label}\n${key}`, secret);
  return secret;
}

async function derive(key: string, label: string): Promise<string> {
  const bytes = new TextEncoder();
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", bytes.encode(key), hmac, false, ["sign"]);
  const digest = await crypto.subtle.sign("HMAC", imported, bytes.encode(label));
  return `whsec_${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}
