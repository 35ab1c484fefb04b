// A tenant's webhook signing secret (Standard Webhooks), derived from the Worker's own key: nothing is stored, and no
// tenant's secret says anything about another's.

const CACHED_MAX = 1_000;
const cached = new Map<string, Promise<string>>();

export async function signingSecretOf(key: string | undefined, tenant: string): Promise<string | null> {
  return key === undefined || key === "" ? null : signingSecret(key, tenant);
}

function signingSecret(key: string, tenant: string): Promise<string> {
  const known = cached.get(`${tenant}\n${key}`);
  if (known) return known;
  const secret = derive(key, tenant);
  if (cached.size >= CACHED_MAX) cached.clear();
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
