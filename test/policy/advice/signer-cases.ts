// Cases for states of a signer, with the values that each advice names. The advice is recorded in
// test/golden/sentences/advice.txt.
import { signerAdvice } from "#policy/advice/signer-advice.ts";
import type { SignerOverview } from "#schema/signer.ts";

const calm: SignerOverview = { next: 9, free: [], reserved: [], inFlight: [], kept: [], seen: null, stuck: null };
const sent = { key: "exe_1/1.0", nonce: 5, hashes: ["0xa"], signedAt: 0, sentAt: 0, darkSince: null };
const mined = { key: "exe_1/1.0", nonce: 4, hashes: ["0xb"], minedAt: 0, lostAt: null };

type SignerCase = readonly [
  what: string,
  over: Partial<SignerOverview>,
  minutes: number,
  advice: readonly (readonly (string | number)[])[],
];
export const signerCases: readonly SignerCase[] = [
  ["no problem", { inFlight: [sent], kept: [mined] }, 29, []],
  ["a mint was lost permanently", { kept: [{ ...mined, lostAt: 7 }] }, 29, [[4, "exe_1/1.0", "reconcile"]]],
  ["the chain waits for a nonce", { stuck: { nonce: 3, since: 0 } }, 29, [[3, "reconcile"]]],
  ["a gap is below a sent transaction", { free: [2, 7], inFlight: [sent] }, 29, [[2, "reconcile"]]],
  ["a gap is below a mined transaction", { free: [2], kept: [mined] }, 29, [[2, "reconcile"]]],
  ["the free nonce is the highest", { free: [7], inFlight: [sent] }, 29, []],
  ["the node is unreachable", { inFlight: [{ ...sent, darkSince: 3 }, sent] }, 29, [[1, "rpcUrl"]]],
];
export const lateCase: SignerCase = [
  "what is in flight for half an hour is late, unless nobody can look",
  { inFlight: [sent, { ...sent, nonce: 6 }, { ...sent, darkSince: 3 }] },
  30,
  [
    [1, "rpcUrl"],
    [2, 5, "maxFeeCapGwei", "gasPrice"],
  ],
];

export function adviceIn([, over, minutes]: SignerCase): readonly string[] {
  return signerAdvice({ ...calm, ...over }, minutes * 60_000);
}
