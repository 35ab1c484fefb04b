// Tests the tokens of inbound addresses: parsing, invalid tokens, and which key versions are accepted.
import { expect, test } from "vitest";
import { claimText, isTokenAccepted, parseToken, rotatedToken, tokenText } from "#policy/inbound/token.ts";
import type { TriggerStanding } from "#schema/inbound/trigger.ts";

const ids = { tenant: "acme", trigger: "trg_01M7", generation: 3 };
const proof = new Uint8Array(32).fill(255);
const standing = (over: Partial<TriggerStanding> = {}): TriggerStanding => ({
  v: 1,
  disabled: null,
  previousSecret: null,
  token: { generation: 3, previousUntil: 100 },
  ...over,
});

test("a formatted token is parsed again", () => {
  const token = tokenText(ids, proof);
  expect(token).toMatch(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/);
  expect(parseToken(token)).toEqual({ ids, proof });
  expect(claimText(ids)).toBe("acme/trg_01M7/3");
});

test.each([
  "",
  "abc",
  tokenText({ ...ids, tenant: "No" }, proof),
  tokenText({ ...ids, trigger: "exe_1" }, proof),
  tokenText(ids, proof.subarray(1)),
  `${btoa("\xff\xfe").replaceAll("=", "")}.${"A".repeat(43)}`,
  `a.${"A".repeat(43)}`,
])("%j is no valid token", (token) => expect(parseToken(token)).toBe(null));

test.each([
  [3, 99, true],
  [2, 99, true],
  [2, 100, false],
  [1, 0, false],
  [4, 0, false],
])("generation %d at %d is accepted: %s", (generation, now, isOpen) => {
  expect(isTokenAccepted(generation, standing(), now)).toBe(isOpen);
  expect(isTokenAccepted(generation, standing({ disabled: { at: 0, reason: null } }), now)).toBe(false);
});

test("a rotation starts a generation, and the previous one is accepted for the overlap", () => {
  expect(rotatedToken(standing(), 1_000, 50)).toEqual({ generation: 4, previousUntil: 1_050 });
});
