// Hook verification: checks the signatures of a request against the trigger's keys, as the trigger's scheme defines. It
// compares every key with every signature in constant time, so that the duration reveals nothing. It is pure except for
// WebCrypto.
import { fromHex, isEqual, utf8 } from "#policy/inbound/bytes.ts";
import type { Claim, SignatureClaim, Digest } from "#policy/inbound/scheme.ts";
import { HOOK_SIGNATURES_MAX, SIGNED_TIME_MS } from "#schema/limits/inbound/trigger-requests.ts";

/** True if one of the keys has signed this request and this body, and its time is recent. */
export async function isVerified(...signed: Parameters<typeof verificationFault>): Promise<boolean> {
  return (await verificationFault(...signed)) === null;
}

/**
 * Returns why the request is not verified; null if one of the keys has signed this request and this body, and its time is
 * recent. `keys` are the separate keys of the stored secret. Only the trigger's tenant sees the reason.
 */
export async function verificationFault(
  { claim, signedAt, bodyDigest }: SignatureClaim,
  body: Uint8Array,
  keys: readonly string[],
  now: number,
): Promise<"signature_invalid" | "signature_expired" | null> {
  const isSignedByKey = await isSigned(claim, keys);
  const isSignedBody = bodyDigest === null || isEqual(await sha256(body), fromHex(bodyDigest) ?? new Uint8Array());
  const isRecent = signedAt === null || isFresh(signedAt, now, { pastMs: SIGNED_TIME_MS, futureMs: SIGNED_TIME_MS });
  if (!isSignedByKey || !isSignedBody) return "signature_invalid";
  return isRecent ? null : "signature_expired";
}

type Window = { readonly pastMs: number; readonly futureMs: number };

/** True if the time is within the window. An invalid time is NaN, for which the result is false. */
export function isFresh(atMs: number, nowMs: number, { pastMs, futureMs }: Window): boolean {
  return atMs >= nowMs - pastMs && atMs <= nowMs + futureMs;
}

async function isSigned(claim: Claim, keys: readonly string[]): Promise<boolean> {
  switch (claim.kind) {
    case "hmac":
      return anyMatches(claim, keys, (key, content, signatures) =>
        countHmacMatches(claim.digest, key, content, signatures),
      );
    case "ecdsa":
      return anyMatches(claim, keys, countEcdsaMatches);
    case "same":
      return isSharedSecret(claim, keys);
    case "none":
      return true;
  }
}

type Signed = Extract<Claim, { kind: "hmac" | "ecdsa" }>;
type Signatures = readonly (Uint8Array | null)[];
type Matches = (key: Uint8Array, content: Uint8Array, signatures: Signatures) => Promise<number>;

/** True if any key matches. An empty key is skipped, because WebCrypto refuses it. */
async function anyMatches(
  { contents, signatures, keyOf }: Signed,
  keys: readonly string[],
  count: Matches,
): Promise<boolean> {
  const tried = signatures.slice(0, HOOK_SIGNATURES_MAX);
  let matches = 0;
  for (const key of keys.map(keyOf)) {
    if (key === null || key.byteLength === 0) continue;
    for (const content of contents) matches += await count(key, content, tried);
  }
  return matches > 0;
}

async function countHmacMatches(digest: Digest, key: Uint8Array, content: Uint8Array, signatures: Signatures) {
  const expected = await keyedDigest(digest, key, content);
  return signatures.filter((signature) => signature !== null && isEqual(expected, signature)).length;
}

async function countEcdsaMatches(key: Uint8Array, content: Uint8Array, signatures: Signatures): Promise<number> {
  const imported = await publicKey(key);
  if (imported === null) return 0;
  const algorithm = { name: "ECDSA", hash: "SHA-256" };
  const checked = signatures.map(
    (signature) => signature !== null && crypto.subtle.verify(algorithm, imported, signature, content),
  );
  return (await Promise.all(checked)).filter(Boolean).length;
}

/** Imports a public key; null if the secret does not contain one. */
async function publicKey(spki: Uint8Array): Promise<CryptoKey | null> {
  try {
    return await crypto.subtle.importKey("spki", spki, { name: "ECDSA", namedCurve: "P-256" }, false, ["verify"]);
  } catch {
    return null;
  }
}

/**
 * Compares a password with the keys. All of them are hashed first: digests have the same length, and the length of a
 * password is confidential.
 */
async function isSharedSecret(
  { given: signature, expected }: Extract<Claim, { kind: "same" }>,
  keys: readonly string[],
) {
  const digest = await sha256(utf8(signature));
  const matches = await Promise.all(keys.map(async (key) => isEqual(digest, await sha256(utf8(expected(key))))));
  return matches.filter(Boolean).length > 0;
}

async function sha256(content: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", content));
}

async function keyedDigest(digest: Digest, key: Uint8Array, content: Uint8Array): Promise<Uint8Array> {
  const algorithm = { name: "HMAC", hash: digest };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, content));
}
