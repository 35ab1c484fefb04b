// Tests the signer object in workerd: its rows, and its state after an eviction.
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import type { Signer, TxReceipt } from "#schema/signer.ts";
import { signerStorage } from "#objects/signer/storage.ts";
import { newSigner, reserveNonce } from "#policy/gates/nonce.ts";
import { bindings } from "#test/flows/engine.ts";
import { countRows } from "#test/durable-objects/rows-written.ts";

const fees = { maxFeePerGas: "10", maxPriorityFeePerGas: "1" };
const receipt: TxReceipt = {
  transactionHash: "0xa",
  blockNumber: 7,
  gasUsed: "21000",
  effectiveGasPrice: "5",
  feeWei: "105000",
  tokenId: "1",
};
let objects = 0;

function open() {
  const stub = bindings.SIGNERS.getByName(`t/1/0x${++objects}`);
  const signer = stub as unknown as Signer; // RPC stubs answer what the class declares
  const reserve = (key: string, chainNonce: number | null = null) =>
    signer.reserve({ key, blockMs: 2_000, chainNonce, gap: null });
  const store = (key: string, nonce: number) =>
    signer.store({ key, nonce, raw: `raw ${key}`, hash: `0x${key}`, fees, gas: "21000", replaces: null });
  const find = (key: string) => signer.find({ key, blockMs: 2_000 });
  return { stub, signer, reserve, store, find, sleep: () => evict(stub) };
}

test("nonces, signed transactions and receipts survive an eviction", async () => {
  const { signer, reserve, store, find, sleep } = open();
  expect(await reserve("a")).toEqual({ kind: "chain_unknown" });
  expect(await reserve("a", 4)).toEqual({ kind: "reserved", nonce: 4 });
  await sleep();
  expect(await store("a", 4)).toMatchObject({ kind: "signed" });
  await sleep();
  expect(await reserve("b")).toEqual({ kind: "reserved", nonce: 5 });
  expect(await find("a")).toMatchObject({ kind: "signed", tx: { nonce: 4, raw: "raw a", hashes: ["0xa"] } });
  await signer.confirm("a", receipt);
  await sleep();
  expect(await find("a")).toEqual({ kind: "confirmed", receipt });
  await signer.releaseNonce("b");
  expect(await reserve("c")).toEqual({ kind: "reserved", nonce: 5 });
});

test("a failed transaction can be made again, with another nonce", async () => {
  const { signer, reserve, store, sleep } = open();
  await reserve("a", 0);
  await store("a", 0);
  await signer.fail("a");
  await sleep();
  expect(await reserve("a")).toEqual({ kind: "reserved", nonce: 1 });
  expect((await signer.overview()).kept).toMatchObject([{ key: "spent:0", nonce: 0 }]);
});

test("a nonce that another sender used is dropped", async () => {
  const { signer, reserve, store } = open();
  await reserve("a", 0);
  await store("a", 0);
  expect(await signer.renew({ key: "a", chainNonce: 6 })).toEqual({ kind: "renewed" });
  expect(await reserve("a")).toEqual({ kind: "reserved", nonce: 6 });
});

test("a mined transaction that was reverted is resent after an eviction until it is final", async () => {
  const { signer, reserve, store, find, sleep } = open();
  const ask = { pending: 2, byPerson: false, dryRun: false };
  for (const [nonce, key] of ["a", "b"].entries()) {
    await reserve(key, 0);
    await store(key, nonce);
    expect(await signer.confirm(key, receipt)).toEqual({ tend: false });
  }
  await sleep();
  const dropped = await signer.planMaintenance({ ...ask, latest: 1, final: null, dryRun: true });
  expect(dropped.resend).toEqual([{ key: "b", nonce: 1, hashes: ["0xb"], raw: "raw b" }]);
  expect((await signer.overview()).seen).toBeNull();
  expect((await signer.planMaintenance({ ...ask, latest: 2, final: 1 })).check).toMatchObject([{ key: "a" }]);
  const found = [{ key: "a", nonce: 0, isMined: true }];
  await signer.recordMined({ found, byPerson: false, dryRun: true });
  expect((await signer.overview()).kept).toHaveLength(2);
  await signer.recordMined({ found, byPerson: false, dryRun: false });
  await sleep();
  expect(await signer.overview()).toMatchObject({ kept: [{ key: "b", nonce: 1 }], seen: { latest: 2, final: 1 } });
  for (const key of ["a", "b"]) expect(await find(key)).toEqual({ kind: "confirmed", receipt });
});

test("a final transaction writes one more row; maintenance without news writes only the counts", async () => {
  const { stub, signer, reserve, store } = open();
  await reserve("a", 0);
  await store("a", 0);
  await signer.confirm("a", receipt);
  const rows = await countRows(stub);
  await signer.planMaintenance({ latest: 1, pending: 1, final: 1, byPerson: false, dryRun: false });
  expect(rows.count).toBe(1);
  await signer.recordMined({ found: [{ key: "a", nonce: 0, isMined: true }], byPerson: false, dryRun: false });
  expect(rows.count).toBe(2);
});

test("a transaction with an immediate receipt writes five rows; a read writes none", async () => {
  const { stub, signer, reserve, store, find } = open();
  await reserve("first", 0); // This call creates the tables.
  const rows = await countRows(stub);
  await find("a");
  expect(rows.count).toBe(0);
  await reserve("a");
  expect(rows.count).toBe(2);
  await store("a", 1);
  expect(rows.count).toBe(3);
  await signer.confirm("a", receipt);
  expect(rows.count).toBe(5);
  await find("a");
  await find("nobody");
  expect(rows.count).toBe(5);
});

test("twenty concurrent reservations get twenty nonces", async () => {
  const { reserve } = open();
  const asked = await Promise.all(Array.from({ length: 20 }, (_, n) => reserve(`run ${n}`, 3)));
  const nonces = asked.map((each) => (each.kind === "reserved" ? each.nonce : -1));
  expect(nonces.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 3));
});

test("a rolled-back first write creates the tables again", async () => {
  const { stub } = open();
  await runInDurableObject(stub, (_object, { storage }) => {
    const rows = signerStorage(storage);
    const ask = { key: "a", blockMs: 2_000, chainNonce: 4, gap: null };
    const { state } = reserveNonce(newSigner, ask, Date.now());
    // A value that JSON cannot represent makes the write fail in the middle.
    const broken = { ...state, txs: { ...state.txs, b: { ...state.txs.a, extra: 1n } } } as unknown as typeof state;
    expect(() => rows.keep(newSigner, broken)).toThrow("BigInt");
    expect(rows.read()).toBeNull();
    rows.keep(newSigner, state);
    expect(rows.read()).toEqual(state);
  });
});
