// A tenant's webhook signing secrets (Standard Webhooks), derived from the Worker's own keys: nothing is stored, and no
// tenant's secret says anything about another's.
import { remembered } from "#schema/limits/isolates.ts";

const cached = new Map<string, Promise<string>>();

/**
 * `keys` holds one key, or several with commas between them while one is being replaced: the first is the new one.
 * Webhooks are then signed with each, and receivers may change over in their own time.
 */
export function signingSecretsOf(keys: string | undefined, tenant: string): Promise<readonly string[]> {
  const each = (keys ?? "").split(",").map((key) => key.trim());
  return Promise.all(each.filter((key) => key !== "").map((key) => signingSecret(key, tenant)));
}

function signingSecret(key: string, tenant: string): Promise<string> {
  const known = cached.get(`${tenant}\n${key}`);
  if (known) return known;
  const secret = derive(key, tenant);
  if (cached.size >= remembered.signingSecrets.sizeMax) cached.clear();
  cached.set(`${tenant}\n${key}`, secret);
  return secret;
}

async function derive(key: string, tenant: string): Promise<string> {
  const bytes = new TextEncoder();
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", bytes.encode(key), hmac, false, ["sign"]);
  const digest = await crypto.subtle.sign("HMAC", imported, bytes.encode(`webhook-signing/${tenant}`));
  return `whsec_${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}
