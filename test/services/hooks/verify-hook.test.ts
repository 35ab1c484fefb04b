// Verified inbound hooks: digests that others published, every pair of key and signature, the window.
import { describe, expect, it, test } from "vitest";
import { fromBase64, fromHex, isEqual, isFresh, isSigned } from "#services/hooks/verify-hook.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
/** Of RFC 4231 (case 2) and RFC 2202 (case 2). */
const content = bytes("what do ya want for nothing?");
const sha256 = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
const sha1 = "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79";

describe("a signature", () => {
  it("is the one that the RFCs give", async () => {
    expect(await isSigned({ keys: ["Jefe"], content, signatures: [fromHex(sha256)] })).toBe(true);
    expect(await isSigned({ keys: ["Jefe"], content, signatures: [fromHex(sha1)], digest: "SHA-1" })).toBe(true);
    expect(await isSigned({ keys: ["Jefe"], content, signatures: [fromHex(sha1)] })).toBe(false);
  });

  it("may be any of those sent, by any of the keys held", async () => {
    const signatures = [null, fromHex("00"), fromHex(sha256)];
    expect(await isSigned({ keys: ["new", "Jefe"], content, signatures })).toBe(true);
    expect(await isSigned({ keys: ["new", "other"], content, signatures })).toBe(false);
  });

  it.each([
    ["no key", { keys: [], signatures: [fromHex(sha256)] }],
    ["no signature", { keys: ["Jefe"], signatures: [] }],
    ["one that cannot be decoded", { keys: ["Jefe"], signatures: [fromBase64("%"), fromHex("zz"), fromHex("0")] }],
    ["only the beginning of one", { keys: ["Jefe"], signatures: [fromHex(sha256.slice(0, 20))] }],
    ["one behind too many others", { keys: ["Jefe"], signatures: [...Array(20).fill(null), fromHex(sha256)] }],
  ])("is none with %s", async (_what, claim) => expect(await isSigned({ ...claim, content })).toBe(false));
});

test.each<[string, string, boolean]>([
  ["", "", true],
  ["abc", "abc", true],
  ["abc", "abd", false],
  ["abc", "ab", false],
  ["ab", "abc", false],
])("%j and %j are equal: %s", (a, b, same) => expect(isEqual(bytes(a), bytes(b))).toBe(same));

test.each([
  [1_000, true],
  [900, true],
  [899, false],
  [1_010, true],
  [1_011, false],
  [Number.NaN, false],
])("what was said at %d is fresh at 1000: %s", (at, fresh) =>
  expect(isFresh(at, 1_000, { pastMs: 100, futureMs: 10 })).toBe(fresh),
);
