// Tests the assignment of nonces, as traces of requests.
import { describe, expect, test } from "vitest";
import { confirmTransaction, failTransaction } from "#policy/gates/mined-transactions.ts";
import {
  findTransaction,
  releaseNonce,
  newSigner,
  renewNonce,
  reserveNonce,
  storeTransaction,
  waitForTransaction,
  type SignerState,
} from "#policy/gates/nonce.ts";
import type { TxReceipt } from "#schema/signer.ts";

const fees = { maxFeePerGas: "10", maxPriorityFeePerGas: "1" };
const blockMs = 2_000;
const receipt: TxReceipt = {
  transactionHash: "0xa",
  blockNumber: 7,
  gasUsed: "21000",
  effectiveGasPrice: "5",
  feeWei: "105000",
  tokenId: null,
};

/** Returns a signer that receives requests one after the other, at the given instants. */
function signerAt(next: number | null = 0) {
  let state: SignerState = { ...newSigner, next };
  let now = 0;
  const taken = <Answer>(turn: { readonly state: SignerState; readonly answer: Answer }): Answer => {
    state = turn.state;
    return turn.answer;
  };
  const self = {
    state: () => state,
    at: (instant: number) => {
      now = instant;
      return self;
    },
    find: (key: string) => taken(findTransaction(state, { key, blockMs }, now)),
    reserve: (key: string, chainNonce: number | null = null, gap: number | null = null) =>
      taken(reserveNonce(state, { key, blockMs, chainNonce, gap }, now)),
    store: (key: string, nonce: number, hash = `0x${key}`, replaces: string | null = null) =>
      taken(storeTransaction(state, { key, nonce, raw: `raw ${hash}`, hash, fees, gas: "21000", replaces }, now)),
    sign: (key: string) => {
      const reserved = self.reserve(key);
      if (reserved.kind !== "reserved") throw new Error(reserved.kind);
      return self.store(key, reserved.nonce);
    },
    wait: (key: string) => taken(waitForTransaction(state, { key, blockMs }, now)),
    grope: (key: string) => taken(waitForTransaction(state, { key, blockMs, dark: true }, now)),
    renew: (key: string, chainNonce: number) => taken(renewNonce(state, { key, chainNonce }, now)),
    releaseNonce: (key: string) => void (state = releaseNonce(state, key)),
    confirm: (key: string) => void (state = confirmTransaction(state, key, receipt, now).state),
    fail: (key: string) => void (state = failTransaction(state, key, now)),
  };
  return self;
}

describe("nonces", () => {
  test("start at the chain's nonce, which is queried once, and increase", () => {
    const signer = signerAt(null);
    expect(signer.reserve("a")).toEqual({ kind: "chain_unknown" });
    expect(signer.reserve("a", 5)).toEqual({ kind: "reserved", nonce: 5 });
    expect(signer.reserve("b")).toEqual({ kind: "reserved", nonce: 6 });
    expect(signer.reserve("b", 5)).toEqual({ kind: "reserved", nonce: 6 });
    expect(signer.reserve("c", 5)).toEqual({ kind: "reserved", nonce: 7 });
  });

  test("are reserved once per run; a repeated request renews the reservation", () => {
    const signer = signerAt();
    signer.reserve("a");
    expect(signer.at(29_000).reserve("a")).toEqual({ kind: "reserved", nonce: 0 });
    expect(signer.at(58_000).reserve("b")).toEqual({ kind: "reserved", nonce: 1 });
  });

  test("stay reserved for a run that returns late, even if a lower one is free", () => {
    const signer = signerAt();
    for (const key of ["a", "b", "c"]) signer.reserve(key);
    signer.releaseNonce("a");
    expect(signer.at(30_000).reserve("b")).toEqual({ kind: "reserved", nonce: 1 });
  });

  test("with an expired reservation are assigned to the next run", () => {
    const signer = signerAt();
    signer.reserve("a");
    signer.sign("b");
    expect(signer.at(30_000).reserve("c")).toEqual({ kind: "reserved", nonce: 0 });
    expect(signer.store("a", 0)).toEqual({ kind: "lost" });
    expect(signer.reserve("a")).toEqual({ kind: "reserved", nonce: 2 });
    expect(signer.store("a", 0)).toEqual({ kind: "lost" });
  });

  test("are assigned from the lowest free one; releasing the highest lowers the next nonce", () => {
    const signer = signerAt();
    for (const key of ["a", "b", "c", "d"]) signer.reserve(key);
    for (const key of ["c", "a"]) signer.releaseNonce(key);
    expect(signer.state()).toMatchObject({ next: 4, free: [0, 2] });
    signer.releaseNonce("d");
    expect(signer.state()).toMatchObject({ next: 2, free: [0] });
    expect(signer.reserve("e")).toEqual({ kind: "reserved", nonce: 0 });
    expect(signer.reserve("f")).toEqual({ kind: "reserved", nonce: 2 });
  });

  test("that the chain has passed are not assigned again", () => {
    const signer = signerAt();
    for (const key of ["a", "b", "c"]) signer.reserve(key);
    signer.releaseNonce("a");
    expect(signer.reserve("d", 9)).toEqual({ kind: "reserved", nonce: 9 });
    expect(signer.state().free).toEqual([]);
  });

  test("are not released without a reservation", () => {
    const signer = signerAt();
    signer.releaseNonce("a");
    expect(signer.state()).toEqual({ ...newSigner, next: 0 });
  });
});

describe("a stored transaction", () => {
  test("is returned unchanged to the run", () => {
    const signer = signerAt();
    const tx = { nonce: 0, raw: "raw 0xa", hashes: ["0xa"], fees, gas: "21000", signedAt: 0, sentAt: null };
    expect(signer.find("a")).toEqual({ kind: "none" });
    signer.reserve("a");
    expect(signer.find("a")).toEqual({ kind: "none" });
    expect(signer.store("a", 0)).toEqual({ kind: "signed", tx });
    expect(signer.find("a")).toEqual({ kind: "signed", tx, isStuck: false });
    expect(signer.reserve("a")).toEqual({ kind: "signed", tx, isStuck: false });
  });

  test("is the first one stored of two attempts of the same run", () => {
    const signer = signerAt();
    signer.reserve("a");
    signer.store("a", 0, "0xfirst");
    expect(signer.store("a", 0, "0xsecond")).toMatchObject({ kind: "signed", tx: { hashes: ["0xfirst"] } });
  });

  test("is stuck after ten blocks, but not within a minute", () => {
    const signer = signerAt();
    signer.sign("a");
    expect(signer.at(59_999).find("a")).toMatchObject({ isStuck: false });
    expect(signer.at(60_000).find("a")).toMatchObject({ isStuck: true });
    expect(findTransaction(signer.state(), { key: "a", blockMs: 12_000 }, 60_000).answer).toMatchObject({
      isStuck: false,
    });
  });

  test("is replaced only by an attempt that names its hash, and keeps both hashes", () => {
    const signer = signerAt();
    signer.sign("a");
    expect(signer.at(60_000).store("a", 0, "0xb", "0xother")).toMatchObject({ tx: { hashes: ["0xa"] } });
    const replaced = { nonce: 0, raw: "raw 0xb", hashes: ["0xb", "0xa"], signedAt: 60_000 };
    expect(signer.store("a", 0, "0xb", "0xa")).toMatchObject({ kind: "signed", tx: replaced });
    expect(signer.find("a")).toMatchObject({ tx: replaced, isStuck: false });
  });
});

describe("waiting for a transaction", () => {
  test("takes longer with each check, up to a minute, counted from the first", () => {
    const signer = signerAt();
    signer.sign("a");
    const looks = Array.from({ length: 11 }, (_, n) => signer.at(n).wait("a").until - n);
    expect(looks.slice(0, 3)).toEqual([2_000, 3_000, 4_500]);
    expect(looks.at(-1)).toBe(60_000);
    expect(signer.wait("a").since).toBe(0);
  });

  test("with an unreachable node counts from the failure, and again from the recovery", () => {
    const signer = signerAt();
    signer.sign("a");
    expect(signer.wait("a").since).toBe(0);
    expect(signer.at(5_000).grope("a")).toEqual({ until: 8_000, since: 5_000, resend: [], gap: null });
    expect(signer.at(9_000).grope("a").since).toBe(5_000);
    expect(signer.at(80_000).wait("a").since).toBe(80_000);
    expect(signer.at(90_000).wait("a").since).toBe(80_000);
    expect(signer.at(95_000).grope("a").since).toBe(95_000);
    expect(signer.find("a")).toMatchObject({ tx: { sentAt: 0 } });
  });

  test("with an unreachable node keeps the nonce of a transaction that may have been sent", () => {
    const signer = signerAt();
    signer.sign("a");
    signer.at(5).grope("a");
    signer.releaseNonce("a");
    expect(signer.find("a")).toMatchObject({ kind: "signed", tx: { sentAt: 5 } });
  });

  test("without a stored transaction is short", () => {
    expect(signerAt().at(5).wait("a")).toEqual({ until: 2_005, since: 5, resend: [], gap: null });
  });

  test("names a gap below the nonce, but not above", () => {
    const signer = signerAt();
    for (const key of ["a", "b", "c", "d"]) signer.sign(key);
    for (const key of ["a", "c"]) signer.releaseNonce(key);
    expect(signer.wait("b").gap).toEqual({ key: "gap:0", nonce: 0 });
    expect(signer.reserve("gap:0", null, 0)).toEqual({ kind: "reserved", nonce: 0 });
    expect(signer.reserve("gap:1", null, 1)).toEqual({ kind: "no_gap" });
    expect(signer.wait("b").gap).toBeNull();
    expect(signer.wait("d").gap).toEqual({ key: "gap:2", nonce: 2 });
  });

  test("sends lower transactions that were not sent for a minute", () => {
    const signer = signerAt();
    for (const key of ["a", "b", "c", "d"]) signer.sign(key);
    signer.wait("b");
    expect(signer.at(59_999).wait("c").resend).toEqual([]);
    expect(signer.at(60_000).wait("c").resend).toEqual(["raw 0xa"]);
  });
});

describe("a nonce that was used", () => {
  test("is released at once if the transaction was never sent", () => {
    const signer = signerAt();
    signer.sign("a");
    expect(signer.renew("a", 3)).toEqual({ kind: "renewed" });
    expect(signer.reserve("a")).toEqual({ kind: "reserved", nonce: 3 });
    expect(signer.renew("b", 5)).toEqual({ kind: "renewed" });
    expect(signer.reserve("b")).toEqual({ kind: "reserved", nonce: 5 });
  });

  test.each([
    ["was sent", (signer: ReturnType<typeof signerAt>) => signer.wait("a")],
    ["may have been sent", (signer: ReturnType<typeof signerAt>) => signer.find("a")],
  ])("may belong to a transaction that %s: the chain gets half a minute", (_, before) => {
    const signer = signerAt();
    signer.sign("a");
    before(signer);
    expect(signer.at(100).renew("a", 1)).toEqual({ kind: "wait", until: 30_100 });
    expect(signer.at(30_099).renew("a", 1)).toEqual({ kind: "wait", until: 30_100 });
    expect(signer.at(30_100).renew("a", 1)).toEqual({ kind: "renewed" });
    expect(signer.find("a")).toEqual({ kind: "none" });
  });

  test("a long time ago needs an operator, because nodes delete receipts", () => {
    const signer = signerAt();
    for (const key of ["a", "b"]) signer.sign(key);
    signer.wait("a");
    signer.find("b");
    expect(signer.at(3_600_000).renew("a", 2)).toEqual({ kind: "unknown" });
    expect(signer.renew("b", 2)).toEqual({ kind: "unknown" });
    expect(signer.find("a")).toMatchObject({ kind: "signed" });
  });

  test("that was found unused again is no longer suspected", () => {
    const signer = signerAt();
    signer.sign("a");
    signer.wait("a");
    signer.renew("a", 1);
    signer.at(20_000).wait("a");
    expect(signer.at(40_000).renew("a", 1)).toEqual({ kind: "wait", until: 70_000 });
  });
});

describe("the end of a transaction", () => {
  test("a confirmed transaction stays confirmed", () => {
    const signer = signerAt();
    signer.sign("a");
    signer.confirm("a");
    const confirmed = { kind: "confirmed", receipt };
    expect(signer.find("a")).toEqual(confirmed);
    expect(signer.reserve("a")).toEqual(confirmed);
    signer.releaseNonce("a");
    signer.fail("a");
    expect(signer.renew("a", 9)).toEqual({ kind: "renewed" });
    expect(signer.find("a")).toEqual(confirmed);
    expect(signer.store("a", 0)).toEqual({ kind: "lost" });
    expect(signer.wait("a").gap).toBeNull();
  });

  test("a refused transaction releases its nonce if it was never sent, and keeps it if it may have been", () => {
    const signer = signerAt();
    signer.sign("a");
    signer.releaseNonce("a");
    expect(signer.state()).toMatchObject({ next: 0, txs: {} });
    signer.sign("a");
    signer.find("a");
    signer.releaseNonce("a");
    expect(signer.find("a")).toMatchObject({ kind: "signed", tx: { nonce: 0 } });
  });

  test("a mined and undone transaction has used its nonce, and the run may start again", () => {
    const signer = signerAt();
    signer.sign("a");
    signer.fail("a");
    expect(signer.reserve("a")).toEqual({ kind: "reserved", nonce: 1 });
  });
});
