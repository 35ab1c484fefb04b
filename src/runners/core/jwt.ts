// JSON Web Tokens (RFC 7519) signed with WebCrypto: ES256 for Web Push, RS256 for Google's service
// accounts and DocuSign.
import type { JsonObject } from "#schema/json.ts";
import { base64url, bytesOf, concat, utf8 } from "./bytes.ts";

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
  // WebCrypto returns ECDSA's signature as r and s side by side, as a JWT needs it.
  const signature = await crypto.subtle.sign(ALGORITHMS[alg].sign, key, utf8(content));
  return `${content}.${base64url(new Uint8Array(signature))}`;
}

/** With a private key in PEM; null if it is not a valid key of this kind. */
export async function signJwt(
  alg: keyof typeof ALGORITHMS,
  privateKey: string,
  claims: JsonObject,
  header: JsonObject = {},
): Promise<string | null> {
  const key = alg === "RS256" ? await rsaKey(privateKey) : await ecPemKey(privateKey);
  return key === null ? null : signedJwt(alg, key, claims, header);
}

/** A P-256 private key in PKCS #8; null if invalid. */
async function ecPemKey(pem: string): Promise<CryptoKey | null> {
  const found = /-----BEGIN PRIVATE KEY-----([\s\S]+?)-----END PRIVATE KEY-----/.exec(pem.replaceAll("\\n", "\n"));
  const bytes = bytesOf((found?.[1] ?? "").replace(/\s+/g, ""));
  if (found === null || bytes === null) return null;
  try {
    return await crypto.subtle.importKey("pkcs8", bytes, ALGORITHMS.ES256.import, false, ["sign"]);
  } catch {
    return null;
  }
}

/** A PEM private key, in PKCS #8 or PKCS #1; null if invalid. Line breaks may have arrived through JSON as \n. */
export async function rsaKey(pem: string): Promise<CryptoKey | null> {
  const found = /-----BEGIN (RSA )?PRIVATE KEY-----([\s\S]+?)-----END (?:RSA )?PRIVATE KEY-----/.exec(
    pem.replaceAll("\\n", "\n"),
  );
  const bytes = bytesOf((found?.[2] ?? "").replace(/\s+/g, ""));
  if (found === null || bytes === null) return null;
  const pkcs8 = found[1] === undefined ? bytes : wrapped(bytes);
  try {
    return await crypto.subtle.importKey("pkcs8", pkcs8, ALGORITHMS.RS256.import, false, ["sign"]);
  } catch {
    return null;
  }
}

/** Version 0 and the algorithm's name (rsaEncryption, no parameters), as PKCS #8 puts them before the key. */
const PKCS8_RSA = [
  0x02, 0x01, 0x00, 0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0,
];

/** WebCrypto does not read PKCS #1; PKCS #8 contains the same key as an octet string. */
function wrapped(pkcs1: Uint8Array): Uint8Array<ArrayBuffer> {
  return der(0x30, concat(Uint8Array.from(PKCS8_RSA), der(0x04, pkcs1)));
}

/** A DER element: its tag, its length and its content, which for any usable key is some hundred bytes or more. */
function der(tag: number, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const { byteLength } = content;
  return concat(Uint8Array.of(tag, 0x82, byteLength >> 8, byteLength & 0xff), content);
}

/** A P-256 key pair as two bare numbers, as Web Push writes it; null if invalid. */
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
