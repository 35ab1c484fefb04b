// Verification of inbound hooks: published digests, every pair of key and signature, and the time window.
import { describe, expect, it, test } from "vitest";
import { fromBase64, fromHex, isEqual, utf8 } from "#policy/inbound/bytes.ts";
import type { Claim, Digest } from "#policy/inbound/scheme.ts";
import { isVerified, isFresh } from "#services/hooks/verify-hook.ts";

/** Of RFC 4231 (case 2) and RFC 2202 (case 2). */
const content = utf8("what do ya want for nothing?");
const sha256 = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
const sha1 = "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79";

const isSigned = (keys: readonly string[], signatures: readonly (Uint8Array | null)[], digest: Digest = "SHA-256") => {
  const claim: Claim = { kind: "hmac", digest, contents: [content], signatures, keyOf: utf8 };
  return isVerified({ claim, signedAt: null, bodyDigest: null }, content, keys, 0);
};

describe("a signature", () => {
  it("matches the vectors of the RFCs", async () => {
    expect(await isSigned(["Jefe"], [fromHex(sha256)])).toBe(true);
    expect(await isSigned(["Jefe"], [fromHex(sha1)], "SHA-1")).toBe(true);
    expect(await isSigned(["Jefe"], [fromHex(sha1)])).toBe(false);
  });

  it("may be any of the sent ones, by any of the stored keys", async () => {
    const signatures = [null, fromHex("00"), fromHex(sha256)];
    expect(await isSigned(["new", "Jefe"], signatures)).toBe(true);
    expect(await isSigned(["new", "other"], signatures)).toBe(false);
  });

  it.each<[string, readonly string[], readonly (Uint8Array | null)[]]>([
    ["no key", [], [fromHex(sha256)]],
    ["an empty key", [""], [fromHex(sha256)]],
    ["no signature", ["Jefe"], []],
    ["one that cannot be decoded", ["Jefe"], [fromBase64("%"), fromHex("zz"), fromHex("0")]],
    ["only the beginning of one", ["Jefe"], [fromHex(sha256.slice(0, 20))]],
    ["one behind too many others", ["Jefe"], [...Array(20).fill(null), fromHex(sha256)]],
  ])("is none with %s", async (_what, keys, signatures) => expect(await isSigned(keys, signatures)).toBe(false));
});

test.each<[string, string, boolean]>([
  ["", "", true],
  ["abc", "abc", true],
  ["abc", "abd", false],
  ["abc", "ab", false],
  ["ab", "abc", false],
])("%j and %j are equal: %s", (a, b, same) => expect(isEqual(utf8(a), utf8(b))).toBe(same));

test.each([
  [1_000, true],
  [900, true],
  [899, false],
  [1_010, true],
  [1_011, false],
  [Number.NaN, false],
])("a time of %d is fresh at 1000: %s", (at, fresh) =>
  expect(isFresh(at, 1_000, { pastMs: 100, futureMs: 10 })).toBe(fresh),
);
