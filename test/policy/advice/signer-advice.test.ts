// What a person is told of an address: a row for each thing that may be the matter.
import { expect, test } from "vitest";
import { signerAdvice } from "#policy/advice/signer-advice.ts";
import type { SignerOverview } from "#schema/signer.ts";

const calm: SignerOverview = { next: 9, free: [], reserved: [], inFlight: [], kept: [], seen: null, stuck: null };
const sent = { key: "exe_1/1.0", nonce: 5, hashes: ["0xa"], signedAt: 0, sentAt: 0, darkSince: null };
const mined = { key: "exe_1/1.0", nonce: 4, hashes: ["0xb"], minedAt: 0, lostAt: null };

test.each<readonly [string, Partial<SignerOverview>, readonly RegExp[]]>([
  ["all is well", { inFlight: [sent], kept: [mined] }, []],
  ["a mint was lost for good", { kept: [{ ...mined, lostAt: 7 }] }, [/Nonce 4: what exe_1\/1\.0 did was taken back/]],
  ["the chain waits", { stuck: { nonce: 3, since: 0 } }, [/waits for nonce 3.*reconcile/]],
  ["a gap is below what was sent", { free: [2, 7], inFlight: [sent] }, [/Nobody has nonce 2:/]],
  ["a gap is below what was mined", { free: [2], kept: [mined] }, [/Nobody has nonce 2:/]],
  ["what is free is the end of the line", { free: [7], inFlight: [sent] }, []],
  ["the node is dark", { inFlight: [{ ...sent, darkSince: 3 }, sent] }, [/^1 of those in flight cannot be looked up/]],
])("%s", (_, over, expected) => {
  const advice = signerAdvice({ ...calm, ...over }, 29 * 60_000);
  expect(advice).toEqual(expected.map((each) => expect.stringMatching(each)));
});

test("what is in flight for half an hour is late, unless nobody can look", () => {
  const inFlight = [sent, { ...sent, nonce: 6 }, { ...sent, darkSince: 3 }];
  const advice = signerAdvice({ ...calm, inFlight }, 30 * 60_000);
  expect(advice).toEqual([
    expect.stringMatching(/^1 of those in flight cannot/),
    expect.stringMatching(/^2 of those in flight were signed long ago, the first under nonce 5/),
  ]);
});
