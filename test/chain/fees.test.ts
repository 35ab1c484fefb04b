// Chain tests of fees, balances, and contracts that revert.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Outcome } from "#schema/engine/outcome.ts";
import { startChain, type Chain } from "./anvil.ts";
import { newTenant, receiptOf, withoutMining } from "./minting.ts";
import { closeData } from "./token.ts";

let chain: Chain;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.stop());

const GWEI = 1_000_000_000;

/** A higher offer than the other transactions', so that this one is mined first. */
const high = { maxFeePerGas: `0x${(200 * GWEI).toString(16)}`, maxPriorityFeePerGas: `0x${(100 * GWEI).toString(16)}` };

function hashOf({ metadata }: Outcome): unknown {
  return metadata?.["transactionHash"];
}

async function baseFee(gwei: number): Promise<void> {
  await chain.rpc("anvil_setNextBlockBaseFeePerGas", `0x${(gwei * GWEI).toString(16)}`);
}

test("a stuck transaction is replaced by the same call at a higher fee, and either of them completes the run", async () => {
  const { attempt, settled, minted, signer, clock } = await newTenant(chain);
  await withoutMining(chain, async () => {
    const first = hashOf(await attempt("a/1"));
    expect(hashOf(await attempt("a/1"))).toBe(first);
    clock.ahead += 61_000;
    const second = hashOf(await attempt("a/1"));
    await baseFee(50);
    await chain.rpc("evm_mine");
    const third = await attempt("a/1");
    expect(third).toMatchObject({ ok: false, held: { reason: "awaiting_receipt" } });
    expect(signer.state().txs).toMatchObject({ "a/1": { hashes: [hashOf(third), second, first], nonce: 0 } });
    expect(new Set([first, second, hashOf(third)]).size).toBe(3);
    await chain.rpc("evm_mine");
    expect(hashOf(await settled("a/1"))).toBe(hashOf(third));
  });
  expect(await minted()).toBe(1);
});

test("a transaction at its fee cap is not replaced and waits until the chain's price falls", async () => {
  const { attempt, settled, minted } = await newTenant(chain);
  const capped = { maxFeeCapGwei: 3 };
  await baseFee(1);
  await chain.rpc("evm_mine");
  await withoutMining(chain, async () => {
    const first = await attempt("a/1", capped);
    await baseFee(50);
    await chain.rpc("evm_mine");
    const second = await attempt("a/1", capped);
    expect(second).toMatchObject({ ok: false, held: { reason: "awaiting_receipt" } });
    expect(hashOf(second)).toBe(hashOf(first));
    await baseFee(1);
    await chain.rpc("evm_mine");
  });
  expect(await settled("a/1", capped)).toMatchObject({ ok: true });
  expect(await minted()).toBe(1);
});

test("an offer below the base fee fails as retryable and takes no nonce", async () => {
  const { attempt, settled, minted, signer } = await newTenant(chain);
  await baseFee(10);
  await chain.rpc("evm_mine");
  const low = { gasPrice: String(GWEI) };
  const tooLow = { ok: false, error: { type: "gas_price_too_low", retryable: true } };
  expect(await attempt("a/1", low)).toMatchObject(tooLow);
  expect(await attempt("a/2", { maxFeeCapGwei: 2 })).toMatchObject(tooLow);
  expect(Object.keys(signer.state().txs)).toEqual([]);
  await baseFee(1);
  await chain.rpc("evm_mine");
  expect(await settled("a/1", { gasPrice: String(20 * GWEI) })).toMatchObject({ ok: true });
  expect(await minted()).toBe(1);
});

test("an offer below the node's minimum is raised up to the cap", async () => {
  const { settled, minted } = await newTenant(chain);
  await baseFee(10);
  await chain.rpc("evm_mine");
  const price = { gasPrice: String(8 * GWEI), maxFeeCapGwei: 40 };
  const outcome = await settled("a/1", price);
  expect(outcome).toMatchObject({ ok: true });
  expect(await minted()).toBe(1);
  await baseFee(1);
  await chain.rpc("evm_mine");
});

test("without funds nothing is signed, and the failure is not retryable", async () => {
  const { attempt, signer, account } = await newTenant(chain);
  await chain.rpc("anvil_setBalance", account.address, "0x0");
  expect(await attempt("a/1")).toMatchObject({
    ok: false,
    error: { type: "insufficient_funds", retryable: false, details: { address: account.address, balanceWei: "0" } },
  });
  expect(signer.state().txs).toEqual({});
});

test("a call that would revert fails without cost, with the contract's reason", async () => {
  const { attempt, signer, contract, account } = await newTenant(chain);
  const close = { from: account.address, to: contract, data: closeData };
  await receiptOf(chain, await chain.rpc<string>("eth_sendTransaction", close));
  expect(await attempt("a/1")).toMatchObject({
    ok: false,
    error: { type: "execution_reverted", retryable: false, details: { reason: "minting is closed", simulated: true } },
  });
  expect(signer.state().txs).toEqual({});
});

test("a transaction that reverts when mined reports reason and fee, and its nonce is used", async () => {
  const { attempt, settled, contract, signer, account } = await newTenant(chain);
  const { account: other } = await newTenant(chain);
  let sent: Outcome | null = null;
  await withoutMining(chain, async () => {
    sent = await attempt("a/1");
    await chain.rpc("eth_sendTransaction", { from: other.address, to: contract, data: closeData, ...high });
  });
  expect(sent).toMatchObject({ ok: false, held: { reason: "awaiting_receipt" } });
  const outcome = await settled("a/1");
  expect(outcome).toMatchObject({
    ok: false,
    error: { type: "execution_reverted", message: expect.stringContaining("minting is closed"), retryable: false },
    metadata: { gasCostWei: expect.stringMatching(/^[1-9]\d+$/) },
    costEstimate: expect.any(Number),
  });
  expect(signer.state().txs).toEqual({ "spent:0": expect.objectContaining({ status: "spent", isUndone: true }) });
  expect(Number(await chain.rpc("eth_getTransactionCount", account.address, "latest"))).toBe(1);
});

test("a nonce that another sender used is replaced by the next one", async () => {
  const { settled, minted, account } = await newTenant(chain);
  expect(await settled("a/1")).toMatchObject({ ok: true });
  await chain.rpc("eth_sendTransaction", { from: account.address, to: account.address });
  expect(await settled("a/2")).toMatchObject({ ok: true });
  expect(await minted()).toBe(2);
});

test("another sender's pending transaction with the same nonce is not replaced", async () => {
  const { attempt, settled, minted, signer, account } = await newTenant(chain);
  expect(await settled("a/1")).toMatchObject({ ok: true });
  await withoutMining(chain, async () => {
    await chain.rpc("eth_sendTransaction", { from: account.address, to: account.address, ...high });
    expect(await attempt("a/2")).toMatchObject({ ok: false, held: { reason: "awaiting_receipt" } });
    expect(signer.state().txs["a/2"]).toMatchObject({ nonce: 2 });
  });
  expect(await settled("a/2")).toMatchObject({ ok: true });
  expect(await minted()).toBe(2);
});
