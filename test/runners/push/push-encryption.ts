// Tests of push encryption, run in Node and in workerd: the RFC's example, and the signatures of both providers.
import { expect, it } from "vitest";
import { base64, base64url, decodeBase64, utf8 } from "#runners/core/bytes.ts";
import { encryptMessage } from "#runners/push/web-push-encryption.ts";
import { importEcKey, importRsaKey, signJwt } from "#runners/core/jwt.ts";
import { example } from "./push-keys.ts";

const bytes = (text: string) => decodeBase64(text) ?? new Uint8Array();

async function senderKeys(): Promise<CryptoKeyPair> {
  const point = bytes(example.senderPublic);
  const [x, y] = [point.slice(1, 33), point.slice(33)].map(base64url);
  const open = { kty: "EC", crv: "P-256", x, y } as JsonWebKey;
  const curve = { name: "ECDH", namedCurve: "P-256" };
  const publicKey = await crypto.subtle.importKey("jwk", open, curve, true, []);
  const privateKey = await crypto.subtle.importKey(
    "jwk",
    { ...open, d: example.senderPrivate } as JsonWebKey,
    curve,
    false,
    ["deriveBits"],
  );
  return { publicKey, privateKey };
}

export function pushEncryption(): void {
  const receiver = { p256dh: bytes(example.receiverPublic), auth: bytes(example.auth) };

  it("encrypts the RFC's example as the RFC does", async () => {
    const fresh = { salt: bytes(example.salt), keys: await senderKeys() };
    const message = await encryptMessage(utf8(example.plaintext), receiver, fresh);
    expect(message && base64url(message)).toBe(example.message);
  });

  it("encrypts differently each time", async () => {
    const [one, other] = [await encryptMessage(utf8("a"), receiver), await encryptMessage(utf8("a"), receiver)];
    expect(one).not.toEqual(other);
  });

  it("refuses points that are not on the curve and keys of another length", async () => {
    const off = receiver.p256dh.slice();
    off[64] = (off[64] ?? 0) ^ 1;
    expect(await encryptMessage(utf8("a"), { ...receiver, p256dh: off })).toBeNull();
    expect(await encryptMessage(utf8("a"), { ...receiver, p256dh: off.slice(1) })).toBeNull();
    expect(await encryptMessage(utf8("a"), { ...receiver, auth: off.slice(0, 15) })).toBeNull();
  });

  it("signs with ES256 and RS256, with keys in the forms that accounts contain", async () => {
    const ec = { name: "ECDSA", namedCurve: "P-256" };
    const pair = (await crypto.subtle.generateKey(ec, true, ["sign", "verify"])) as CryptoKeyPair;
    const point = new Uint8Array((await crypto.subtle.exportKey("raw", pair.publicKey)) as ArrayBuffer);
    const { d = "" } = (await crypto.subtle.exportKey("jwk", pair.privateKey)) as JsonWebKey;
    const vapid = await importEcKey(point, bytes(d));
    expect(await isSigned("ES256", vapid, { name: "ECDSA", hash: "SHA-256" }, pair.publicKey)).toBe(true);

    const rsa = {
      name: "RSASSA-PKCS1-v1_5",
      hash: "SHA-256",
      modulusLength: 2048,
      publicExponent: Uint8Array.of(1, 0, 1),
    };
    const service = (await crypto.subtle.generateKey(rsa, true, ["sign", "verify"])) as CryptoKeyPair;
    const pkcs8 = new Uint8Array((await crypto.subtle.exportKey("pkcs8", service.privateKey)) as ArrayBuffer);
    const pem = `-----BEGIN PRIVATE KEY-----\n${base64(pkcs8)}\n-----END PRIVATE KEY-----\n`;
    for (const spelled of [pem, pem.replaceAll("\n", "\\n")]) {
      expect(
        await isSigned("RS256", await importRsaKey(spelled), { name: "RSASSA-PKCS1-v1_5" }, service.publicKey),
      ).toBe(true);
    }
    expect(await importEcKey(point, bytes(d).slice(1))).toBeNull();
    expect(await importRsaKey("-----BEGIN PRIVATE KEY-----AAAA-----END PRIVATE KEY-----")).toBeNull();
  });
}

async function isSigned(
  alg: "ES256" | "RS256",
  key: CryptoKey | null,
  how: { name: string; hash?: string },
  publicKey: CryptoKey,
): Promise<boolean> {
  if (key === null) return false;
  const [head = "", claims = "", signature = ""] = (await signJwt(alg, key, { iss: "a" })).split(".");
  return crypto.subtle.verify(how, publicKey, bytes(signature), utf8(`${head}.${claims}`));
}
