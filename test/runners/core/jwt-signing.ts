// Tests of JWT signing, run in Node and in workerd: signatures are verified with the public keys.
import { expect, it } from "vitest";
import { decodeBase64, utf8 } from "#runners/core/bytes.ts";
import { importRsaKey, signJwt, signJwtWithPem } from "#runners/core/jwt.ts";

const RSA = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
/** The size of the PKCS #8 header of a 2048-bit key: its length, version, algorithm and the key's length. */
const PKCS8_HEAD_BYTES = 26;

function pem(name: string, bytes: Uint8Array): string {
  const lines = btoa(String.fromCharCode(...bytes)).match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${name}-----\n${lines.join("\n")}\n-----END ${name}-----\n`;
}

export function jwtSigning(): void {
  it("signs with keys in PKCS #8 and PKCS #1, and with no invalid key", async () => {
    const algorithm = { ...RSA, modulusLength: 2048, publicExponent: Uint8Array.of(1, 0, 1) };
    const made = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
    const { privateKey, publicKey } = made as CryptoKeyPair; // generateKey returns a pair for this algorithm
    const pkcs8 = new Uint8Array((await crypto.subtle.exportKey("pkcs8", privateKey)) as ArrayBuffer);
    const forms = [pem("PRIVATE KEY", pkcs8), pem("RSA PRIVATE KEY", pkcs8.slice(PKCS8_HEAD_BYTES))];
    for (const form of forms) {
      const key = await importRsaKey(form);
      if (key === null) throw new Error("the key was not read");
      const token = await signJwt("RS256", key, { iss: "me" });
      const [head = "", claims = "", signature = ""] = token.split(".");
      expect(atob(claims)).toBe('{"iss":"me"}');
      const given = decodeBase64(signature) ?? new Uint8Array();
      expect(await crypto.subtle.verify(RSA, publicKey, given, utf8(`${head}.${claims}`))).toBe(true);
    }
    expect(await importRsaKey(pem("RSA PRIVATE KEY", pkcs8.slice(PKCS8_HEAD_BYTES + 9)))).toBeNull();
    expect(await importRsaKey("no key at all")).toBeNull();
  });

  it("signs ES256 with a key in PKCS #8, and with no key of another algorithm", async () => {
    const algorithm = { name: "ECDSA", namedCurve: "P-256" };
    const made = await crypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
    const { privateKey, publicKey } = made as CryptoKeyPair; // generateKey returns a pair for this algorithm
    const pkcs8 = new Uint8Array((await crypto.subtle.exportKey("pkcs8", privateKey)) as ArrayBuffer);
    const token = (await signJwtWithPem("ES256", pem("PRIVATE KEY", pkcs8), { iss: "me" })) ?? "";
    const [head = "", claims = "", signature = ""] = token.split(".");
    const given = decodeBase64(signature) ?? new Uint8Array();
    const ecdsa = { name: "ECDSA", hash: "SHA-256" };
    expect(await crypto.subtle.verify(ecdsa, publicKey, given, utf8(`${head}.${claims}`))).toBe(true);
    expect(await signJwtWithPem("RS256", pem("PRIVATE KEY", pkcs8), {})).toBeNull();
    expect(await signJwtWithPem("ES256", "no key at all", {})).toBeNull();
  });
}
