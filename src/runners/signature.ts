// Signs outbound webhooks as Standard Webhooks 1.0 says: HMAC-SHA256 over "id.timestamp.body", so that a receiver can
// tell who sent it, that nothing was changed, and that it is not a recording.
import { base64 } from "./bytes.ts";

type Signed = { readonly id: string; readonly timestamp: number; readonly body: string };

/**
 * The three headers, or null when a secret is not "whsec_" and base64. Several secrets, parted by spaces, give several
 * signatures: receivers may hold the old or the new one while a secret is being replaced. `timestamp` is in seconds.
 */
export async function signatureHeaders(secrets: string, signed: Signed): Promise<{ [name: string]: string } | null> {
  const keys = secrets.split(/\s+/).filter(Boolean).map(keyBytes);
  const content = new TextEncoder().encode(`${signed.id}.${signed.timestamp}.${signed.body}`);
  const signatures: string[] = [];
  for (const bytes of keys) {
    if (bytes === null) return null;
    const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    signatures.push(`v1,${base64(new Uint8Array(await crypto.subtle.sign("HMAC", key, content)))}`);
  }
  if (signatures.length === 0) return null;
  return {
    "webhook-id": signed.id,
    "webhook-timestamp": String(signed.timestamp),
    "webhook-signature": signatures.join(" "),
  };
}

function keyBytes(secret: string): Uint8Array | null {
  if (!secret.startsWith("whsec_")) return null;
  try {
    const bytes = Uint8Array.from(atob(secret.slice("whsec_".length)), (char) => char.charCodeAt(0));
    return bytes.byteLength === 0 ? null : bytes;
  } catch {
    return null;
  }
}
