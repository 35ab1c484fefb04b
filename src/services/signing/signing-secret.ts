// Webhook signing secrets (Standard Webhooks), derived from the Worker's own keys: nothing is stored, and no secret
// reveals another one of a tenant or a receiver. In particular, the tenant-wide secret, which receivers have, is not
// their root.
import { remembered } from "#schema/limits/isolates.ts";
import type { Receiver } from "../deps.ts";

const cached = new Map<string, Promise<string>>();
/** Cached for the runs of one receiver, which all need it. */
const together = new Map<string, Promise<readonly string[]>>();

/**
 * `keys` contains one key, or several with commas between them during a replacement: the first is the new one. Webhooks
 * are then signed with each, so receivers may switch at any time.
 */
export function signingSecretsOf(
  keys: string | undefined,
  tenant: string,
  receiver: Receiver | null,
): Promise<readonly string[]> {
  const whose = receiver === null ? tenant : `${tenant}\n${receiver.generation}\n${receiver.endpoint}`;
  const name = `${keys ?? ""}\n${whose}`;
  const known = together.get(name);
  if (known) return known;
  const secrets = Promise.all(keysIn(keys).map((key) => signingSecret(key, labelOf(tenant, receiver))));
  if (together.size >= remembered.signingSecrets.sizeMax) together.clear();
  together.set(name, secrets);
  return secrets;
}

/** Proves the tokens in hook addresses: the same for all tenants, so that a token reveals no tenant. */
export function hookTokenSecretsOf(keys: string | undefined): Promise<readonly string[]> {
  return Promise.all(keysIn(keys).map((key) => signingSecret(key, HOOK_TOKENS)));
}

/** Never changed: issued tokens depend on it. */
const HOOK_TOKENS = JSON.stringify(["hook-tokens"]);

/**
 * As JSON, so that no two receivers have the same text. Neither form is ever changed, because receivers store the
 * secrets.
 */
function labelOf(tenant: string, receiver: Receiver | null): string {
  if (receiver === null) return `webhook-signing/${tenant}`;
  return JSON.stringify(["webhook-endpoint", tenant, receiver.generation, receiver.endpoint]);
}

function keysIn(keys: string | undefined): readonly string[] {
  const each = (keys ?? "").split(",").map((key) => key.trim());
  return each.filter((key) => key !== "");
}

function signingSecret(key: string, label: string): Promise<string> {
  const known = cached.get(`${label}\n${key}`);
  if (known) return known;
  const secret = derive(key, label);
  if (cached.size >= remembered.signingSecrets.sizeMax) cached.clear();
  cached.set(`${label}\n${key}`, secret);
  return secret;
}

async function derive(key: string, label: string): Promise<string> {
  const bytes = new TextEncoder();
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", bytes.encode(key), hmac, false, ["sign"]);
  const digest = await crypto.subtle.sign("HMAC", imported, bytes.encode(label));
  return `whsec_${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}
