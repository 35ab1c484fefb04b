// JSON Web Tokens (RFC 7519): signs tokens with WebCrypto. ES256 is for Web Push, RS256 for Google's service accounts
// and DocuSign.
import type { JsonObject } from "#schema/json.ts";
import { base64url, decodeBase64, concat, utf8 } from "./bytes.ts";

const ALGORITHMS = {
  ES256: { import: { name: "ECDSA", namedCurve: "P-256" }, sign: { name: "ECDSA", hash: "SHA-256" } },
  RS256: { import: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }, sign: { name: "RSASSA-PKCS1-v1_5" } },
} as const;

export async function signJwt(
  alg: keyof typeof ALGORITHMS,
  key: CryptoKey,
  claims: JsonObject,
  header: JsonObject = {},
): Promise<string> {
  const [head, body] = [{ typ: "JWT", alg, ...header }, claims].map((part) => base64url(utf8(JSON.stringify(part))));
  const content = `${head}.${body}`;
  // WebCrypto returns an ECDSA signature as the numbers r and s, one after the other. A JWT needs exactly this format.
  const signature = await crypto.subtle.sign(ALGORITHMS[alg].sign, key, utf8(content));
  return `${content}.${base64url(new Uint8Array(signature))}`;
}

/** Signs a token with a private key in PEM. Returns null if the key is invalid for the algorithm. */
export async function signJwtWithPem(
  alg: keyof typeof ALGORITHMS,
  privateKey: string,
  claims: JsonObject,
  header: JsonObject = {},
): Promise<string | null> {
  const key = alg === "RS256" ? await importRsaKey(privateKey) : await importEcPemKey(privateKey);
  return key === null ? null : signJwt(alg, key, claims, header);
}

/** Imports a P-256 private key in PKCS #8. Returns null if the key is invalid. */
async function importEcPemKey(pem: string): Promise<CryptoKey | null> {
  const found = /-----BEGIN PRIVATE KEY-----([\s\S]+?)-----END PRIVATE KEY-----/.exec(pem.replaceAll("\\n", "\n"));
  const bytes = decodeBase64((found?.[1] ?? "").replace(/\s+/g, ""));
  if (found === null || bytes === null) return null;
  try {
    return await crypto.subtle.importKey("pkcs8", bytes, ALGORITHMS.ES256.import, false, ["sign"]);
  } catch {
    return null;
  }
}

/**
 * Imports an RSA private key in PEM, in PKCS #8 or PKCS #1. Line breaks may be written as \n, as in JSON. Returns null
 * if the key is invalid.
 */
export async function importRsaKey(pem: string): Promise<CryptoKey | null> {
  const found = /-----BEGIN (RSA )?PRIVATE KEY-----([\s\S]+?)-----END (?:RSA )?PRIVATE KEY-----/.exec(
    pem.replaceAll("\\n", "\n"),
  );
  const bytes = decodeBase64((found?.[2] ?? "").replace(/\s+/g, ""));
  if (found === null || bytes === null) return null;
  const pkcs8 = found[1] === undefined ? bytes : toPkcs8(bytes);
  try {
    return await crypto.subtle.importKey("pkcs8", pkcs8, ALGORITHMS.RS256.import, false, ["sign"]);
  } catch {
    return null;
  }
}

/** The PKCS #8 header before the key: version 0 and the algorithm rsaEncryption without parameters. */
const PKCS8_RSA = [
  0x02, 0x01, 0x00, 0x30, 0x0d, 0x06, 0x09, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 0x01, 0x01, 0x01, 0x05, 0,
];

/** Converts PKCS #1 to PKCS #8, which contains the same key as an octet string. WebCrypto reads only PKCS #8. */
function toPkcs8(pkcs1: Uint8Array): Uint8Array<ArrayBuffer> {
  return derElement(0x30, concat(Uint8Array.from(PKCS8_RSA), derElement(0x04, pkcs1)));
}

/**
 * Builds a DER element from tag and content. The length takes two bytes, because a usable key has at least 256 bytes.
 */
function derElement(tag: number, content: Uint8Array): Uint8Array<ArrayBuffer> {
  const { byteLength } = content;
  return concat(Uint8Array.of(tag, 0x82, byteLength >> 8, byteLength & 0xff), content);
}

/**
 * Imports a P-256 key pair from its raw numbers, which is the format of Web Push keys. Returns null if the pair is
 * invalid.
 */
export async function importEcKey(publicKey: Uint8Array, privateKey: Uint8Array): Promise<CryptoKey | null> {
  if (publicKey.byteLength !== 65 || privateKey.byteLength !== 32) return null;
  const [x, y] = [publicKey.slice(1, 33), publicKey.slice(33)].map(base64url);
  const jwk = { kty: "EC", crv: "P-256", x, y, d: base64url(privateKey) } as JsonWebKey;
  try {
    return await crypto.subtle.importKey("jwk", jwk, ALGORITHMS.ES256.import, false, ["sign"]);
  } catch {
    return null;
  }
}
