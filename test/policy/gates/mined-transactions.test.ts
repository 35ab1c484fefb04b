// Tests mined transactions that a reorganisation may remove, as traces of the chain's states.
import { describe, expect, test } from "vitest";
import { signerOverview } from "#policy/gates/mined-transactions.ts";
import { DAY, MINUTE, receipt, signerAt } from "./signer-at.ts";

describe("a transaction that the chain has dropped", () => {
  test("is sent again, the lowest nonce first, and stays confirmed", () => {
    const signer = signerAt().mined("a", "b", "c");
    expect(signer.tend(3)).toEqual({ resend: [], released: [], gap: null, check: [] });
    expect(signer.tend(1).resend).toEqual([
      { key: "b", nonce: 1, hashes: ["0xb"], raw: "raw b" },
      { key: "c", nonce: 2, hashes: ["0xc"], raw: "raw c" },
    ]);
    expect(signer.find("b")).toEqual({ kind: "confirmed", receipt });
    expect(signer.confirm("b")).toEqual({ tend: false });
    expect(signer.resent(1)).toEqual(["raw b", "raw c"]);
  });

  test("is sent again in groups of twenty", () => {
    const keys = Array.from({ length: 25 }, (_, n) => `${n}`);
    const signer = signerAt().mined(...keys);
    expect(signer.resent(0)).toEqual(keys.slice(0, 20).map((key) => `raw ${key}`));
  });

  test("is sent again also if it waits to be mined, unless its run has just sent it", () => {
    const signer = signerAt().mined("a").sign("b").sign("c");
    signer.at(1_000).wait("c");
    expect(signer.at(MINUTE).resent(0)).toEqual(["raw a", "raw b"]);
    expect(signer.resent(0, { byPerson: true })).toEqual(["raw a", "raw b", "raw c"]);
    expect(signer.at(MINUTE + 1_000).resent(1)).toEqual(["raw b", "raw c"]);
  });

  test("is sent again also if it closed a gap below", () => {
    const signer = signerAt().sign("a").sign("b").sign("c");
    signer.releaseNonce("a");
    signer.sign("gap:0", "raw gap", 0).confirm("c");
    expect(signer.resent(0)).toEqual(["raw gap", "raw c"]);
    expect(signer.find("gap:0")).toEqual({ kind: "none" });
    expect(signer.reserve("gap:0", 0)).toEqual({ kind: "no_gap" });
    signer.releaseNonce("gap:0");
    signer.confirm("c");
    expect(signer.kept()).toEqual([0, 2]);
  });

  test("is not sent again if it was undone, because its run may start again; its nonce is released", () => {
    const signer = signerAt().sign("a").mined("b");
    signer.fail("a");
    expect(signer.kept()).toEqual([0, 1]);
    expect(signer.reserve("a")).toEqual({ kind: "reserved", nonce: 2 });
    expect(signer.tend(0)).toMatchObject({ resend: [{ nonce: 1 }], released: [] });
    expect(signer.at(29_999).tend(0).released).toEqual([]);
    expect(signer.at(30_000).tend(0)).toMatchObject({ released: [0], gap: { key: "gap:0", nonce: 0 } });
    expect(signer.kept()).toEqual([1]);
    expect(signer.reserve("next")).toEqual({ kind: "reserved", nonce: 0 });
  });
});

describe("an unsent transaction with a lower nonce is sent", () => {
  const many = (count: number) => {
    const signer = signerAt();
    for (let n = 0; n < count; n++) signer.sign(`k${n}`);
    return signer.sign("last").at(MINUTE);
  };

  test("in groups of twenty, the lowest nonce first", () => {
    expect(many(25).wait("last").resend).toEqual(Array.from({ length: 20 }, (_, n) => `raw k${n}`));
  });

  test("unless the chain has passed its nonce, because its run may never return", () => {
    const signer = many(4);
    signer.tend(3);
    expect(signer.wait("last").resend).toEqual(["raw k3"]);
  });
});

describe("a nonce without a transaction of the signer", () => {
  /** A signer with a gap: the nonce was assigned, mined and dropped long ago, so only the chain has it. */
  const holed = () => {
    const signer = signerAt().mined("a");
    signer.at(DAY).mined("b");
    return signer;
  };

  test("is released after the chain has waited for it for half a minute", () => {
    const signer = holed();
    expect(signer.kept()).toEqual([1]);
    expect(signer.tend(0).released).toEqual([]);
    expect(signer.at(DAY + 30_000).tend(0)).toMatchObject({ released: [0], gap: { nonce: 0 } });
    expect(signer.state()).toMatchObject({ free: [0], stuck: null });
  });

  test("is released at once on an operator's request", () => {
    expect(holed().tend(0, { byPerson: true })).toMatchObject({ released: [0], gap: { nonce: 0 } });
    expect(holed().tend(0, { byPerson: true, pending: 1 }).released).toEqual([]);
  });

  test("is not released while a node has a pending transaction", () => {
    const signer = holed();
    signer.tend(0);
    expect(signer.at(DAY + MINUTE).tend(0, { pending: 1 }).released).toEqual([]);
  });

  test("is not released if the chain has moved on", () => {
    const signer = holed();
    signer.tend(0);
    expect(signer.at(DAY + 20_000).tend(2).released).toEqual([]);
    expect(signer.state().stuck).toBeNull();
    expect(signer.at(DAY + 40_000).tend(0).released).toEqual([]);
  });

  test("lowers the next nonce if it is the highest", () => {
    const signer = signerAt().sign("a");
    signer.fail("a");
    signer.tend(0);
    expect(signer.at(30_000).tend(0)).toMatchObject({ released: [0], gap: null });
    expect(signer.state()).toMatchObject({ next: 0, free: [], txs: {} });
  });

  test("is not stuck while it is reserved, free or not assigned", () => {
    const signer = signerAt();
    for (const key of ["a", "b", "c"]) signer.reserve(key);
    signer.releaseNonce("b");
    for (const latest of [0, 1, 3]) {
      signer.tend(latest);
      expect(signer.state().stuck ?? null).toBeNull();
    }
    signerAt(null).tend(5);
  });

  test("is not assigned if it is free but used on the chain", () => {
    const signer = signerAt().sign("a").sign("b");
    signer.releaseNonce("a");
    expect(signer.tend(1).gap).toBeNull();
    expect(signer.state().free).toEqual([]);
  });
});

describe("a final transaction", () => {
  test("is looked up once and then dropped except for its receipt", () => {
    const signer = signerAt().mined("a", "b");
    expect(signer.tend(2, { final: 1 }).check).toEqual([{ key: "a", nonce: 0, hashes: ["0xa"] }]);
    expect(signer.judge("a", 0, true)).toEqual({ mined: [{ key: "a", nonce: 0, hashes: ["0xa"] }], lost: [] });
    expect(signer.kept()).toEqual([1]);
    expect(signer.find("a")).toEqual({ kind: "confirmed", receipt });
    expect(signer.judge("a", 0, true)).toEqual({ mined: [], lost: [] });
  });

  test("is not looked up if it is no run's result", () => {
    const signer = signerAt().sign("a").sign("b");
    signer.fail("a");
    expect(signer.tend(2, { final: 1 }).check).toEqual([]);
    expect(signer.kept()).toEqual([]);
  });

  test("whose nonce another transaction has is reported as lost until an operator has confirmed it", () => {
    const signer = signerAt().mined("a");
    expect(signer.at(MINUTE).judge("a", 0, false).lost).toHaveLength(1);
    expect(signerOverview(signer.state()).kept).toMatchObject([{ nonce: 0, lostAt: MINUTE }]);
    expect(signer.tend(1, { final: 1 }).check).toEqual([]);
    expect(signer.tend(1, { final: 1, byPerson: true }).check).toHaveLength(1);
    expect(signer.judge("a", 0, false, true).lost).toHaveLength(1);
    expect(signer.kept()).toEqual([]);
  });

  test("may have no receipt after a long time, which proves nothing", () => {
    const signer = signerAt().mined("a");
    signer.at(60 * MINUTE).judge("a", 0, false);
    expect(signer.kept()).toEqual([]);
  });

  test("with the nonce of a waiting transaction: an operator drops the waiting one, and its run may start again", () => {
    const signer = signerAt().sign("a");
    expect(signer.tend(1, { final: 1 }).check).toEqual([]);
    signer.judge("a", 0, false);
    expect(signer.find("a")).toMatchObject({ kind: "signed" });
    expect(signer.tend(1, { final: 1, byPerson: true }).check).toHaveLength(1);
    expect(signer.judge("a", 0, true, true).mined).toHaveLength(1);
    expect(signer.find("a")).toMatchObject({ kind: "signed" });
    signer.judge("a", 0, false, true);
    expect(signer.find("a")).toEqual({ kind: "none" });
  });
});

test("the overview shows reserved, in-flight and kept transactions and the chain's nonces", () => {
  const signer = signerAt().mined("a").sign("b");
  signer.reserve("c");
  signer.reserve("d");
  signer.releaseNonce("c");
  signer.at(5).wait("b");
  expect(signerOverview(signer.state()).seen).toBeNull();
  signer.tend(1, { final: 0 });
  expect(signerOverview(signer.state())).toEqual({
    next: 4,
    free: [2],
    reserved: [{ key: "d", nonce: 3, since: 0 }],
    inFlight: [{ key: "b", nonce: 1, hashes: ["0xb"], signedAt: 0, sentAt: 5, darkSince: null }],
    kept: [{ key: "a", nonce: 0, hashes: ["0xa"], minedAt: 0, lostAt: null }],
    seen: { latest: 1, pending: 1, final: 0, at: 5 },
    stuck: null,
  });
});

test("a receipt without a signed transaction is stored without keeping bytes", () => {
  const signer = signerAt();
  signer.confirm("z");
  expect(signer.kept()).toEqual([]);
  signer.fail("z");
  expect(signer.find("z")).toEqual({ kind: "confirmed", receipt });
  signer.fail("nobody");
  expect(signer.find("nobody")).toEqual({ kind: "none" });
});
