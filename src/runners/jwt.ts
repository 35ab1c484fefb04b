// JSON Web Tokens (RFC 7519) signed with WebCrypto: ES256 for Web Push, RS256 for Google's service accounts.
import type { JsonObject } from "#schema/json.ts";
import { base64url, bytesOf, utf8 } from "./bytes.ts";

const ALGORITHMS = {
  ES256: { import: { name: "ECDSA", namedCurve: "P-256" }, sign: { name: "ECDSA", hash: "SHA-256" } },
  RS256: { import: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }, sign: { name: "RSASSA-PKCS1-v1_5" } },
} as const;

export async function signedJwt(
  alg: keyof typeof ALGORITHMS,
  key: CryptoKey,
  claims: JsonObject,
  header: JsonObject = {},
): Promise<string> {
  const [head, body] = [{ typ: "JWT", alg, ...header }, claims].map((part) => base64url(utf8(JSON.stringify(part))));
  const content = `${head}.${body}`;
  // WebCrypto gives ECDSA's signature as r and s side by side, which is what a JWT wants.
  const signature = await crypto.subtle.sign(ALGORITHMS[alg].sign, key, utf8(content));
  return `${content}.${base64url(new Uint8Array(signature))}`;
}

/** A PEM private key in PKCS #8; null when it is none. Line breaks may have come through JSON as \n. */
export async function rsaKey(pem: string): Promise<CryptoKey | null> {
  const inner = /-----BEGIN PRIVATE KEY-----([\s\S]+?)-----END PRIVATE KEY-----/.exec(pem.replaceAll("\\n", "\n"))?.[1];
  const bytes = inner === undefined ? null : bytesOf(inner.replace(/\s+/g, ""));
  try {
    return bytes === null
      ? null
      : await crypto.subtle.importKey("pkcs8", bytes, ALGORITHMS.RS256.import, false, ["sign"]);
  } catch {
    return null;
  }
}

/** A P-256 key pair as two bare numbers, as Web Push writes it; null when it is none. */
export async function ecKey(publicKey: Uint8Array, privateKey: Uint8Array): Promise<CryptoKey | null> {
  if (publicKey.byteLength !== 65 || privateKey.byteLength !== 32) return null;
  const [x, y] = [publicKey.slice(1, 33), publicKey.slice(33)].map(base64url);
  const jwk = { kty: "EC", crv: "P-256", x, y, d: base64url(privateKey) } as JsonWebKey;
  try {
    return await crypto.subtle.importKey("jwk", jwk, ALGORITHMS.ES256.import, false, ["sign"]);
  } catch {
    return null;
  }
}
