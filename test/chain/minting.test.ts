// Chain tests of minting: failures at each point between signing and settling, and one mint per run.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Signer } from "#schema/signer.ts";
import { startChain, type Chain } from "./anvil.ts";
import { newTenant, RECIPIENT, withoutMining } from "./minting.ts";

let chain: Chain;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.stop());

function resultOf(outcome: Outcome): { readonly transactionHash: string; readonly tokenId: string } {
  if (!outcome.ok) throw new Error(JSON.stringify(outcome));
  return outcome.result as { transactionHash: string; tokenId: string };
}

/** Makes one method of the signer fail, before or after it takes effect. */
function breaking(signer: Signer, method: keyof Signer, when: "before" | "after"): Signer {
  return {
    ...signer,
    [method]: async (...args: never[]) => {
      if (when === "after") await (signer[method] as (...args: never[]) => Promise<unknown>)(...args);
      throw new Error("crashed");
    },
  };
}

test("a mint sends one transaction and reports its token and its cost", async () => {
  const { settled, minted, contract, account } = await newTenant(chain);
  const outcome = await settled("a/1");
  const { transactionHash } = resultOf(outcome);
  const receipt = await chain.rpc<{ gasUsed: string; effectiveGasPrice: string; blockNumber: string }>(
    "eth_getTransactionReceipt",
    transactionHash,
  );
  const wei = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
  const result = {
    transactionHash,
    blockNumber: Number(receipt.blockNumber),
    gasUsed: String(BigInt(receipt.gasUsed)),
    effectiveGasPrice: String(BigInt(receipt.effectiveGasPrice)),
    tokenId: "1",
  };
  const where = { network: "anvil", contractAddress: contract, from: account.address };
  expect(outcome).toMatchObject({
    result,
    events: [{ type: "nft_minted", payload: { ...result, ...where, function: "mint", actionId: "notify" } }],
    costEstimate: Number(wei) / 1e18,
    metadata: { ...where, chainId: 31_337, transactionHash, gasCostWei: String(wei) },
  });
  expect(await minted()).toBe(1);
});

test("a contract call encodes its parameters by the ABI", async () => {
  const { settled } = await newTenant(chain);
  const abi = ["function mint(address to, string uri) returns (uint256)", "function close()"];
  const call = { function: "mint", abi, parameters: [RECIPIENT, "ipfs://x"], gasLimit: 200_000 };
  expect(await settled("a/1", call)).toMatchObject({ ok: true, events: [{ type: "contract_called" }] });
  expect(await settled("a/2", { function: "close", abi, parameters: {} })).toMatchObject({ ok: true });
});

test("twenty concurrent mints use consecutive nonces: each is mined once", async () => {
  const { attempt, settled, minted, account } = await newTenant(chain);
  const keys = Array.from({ length: 20 }, (_, n) => `a/${n}`);
  const outcomes = await Promise.all(keys.map((key) => attempt(key)));
  expect(outcomes.filter(({ ok }) => !ok).every((outcome) => !outcome.ok && outcome.held)).toBe(true);
  const landed = await Promise.all(keys.map((key) => settled(key)));
  const hashes = landed.map((outcome) => resultOf(outcome).transactionHash);
  expect(new Set(hashes).size).toBe(20);
  const nonces = await Promise.all(
    hashes.map(async (hash) => Number((await chain.rpc<{ nonce: string }>("eth_getTransactionByHash", hash)).nonce)),
  );
  expect(nonces.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n));
  expect(await minted()).toBe(20);
  expect(Number(await chain.rpc("eth_getTransactionCount", account.address, "latest"))).toBe(20);
});

describe("after a crash", () => {
  test.each([
    ["between reserving and storing", "store", "before"],
    ["between storing and sending", "store", "after"],
    ["between sending and confirming", "confirm", "before"],
    ["between confirming and settling", "confirm", "after"],
  ] as const)("%s the next attempt mints once", async (_, method, when) => {
    const { settled, minted, signer } = await newTenant(chain);
    const lost = await settled("a/1", {}, { signer: breaking(signer, method, when) });
    expect(lost).toMatchObject({ ok: false, error: { type: "unknown_error", retryable: true } });
    const [first] = Object.values(signer.state().txs);
    const { transactionHash } = resultOf(await settled("a/1"));
    if (first?.status === "signed") expect(transactionHash).toBe(first.hashes[0]);
    expect(resultOf(await settled("a/1")).transactionHash).toBe(transactionHash);
    expect(await minted()).toBe(1);
  });

  test("a lost answer of the node does not cause a second mint", async () => {
    const { attempt, settled, minted } = await newTenant(chain);
    const lost = await attempt("a/1", {}, { fetch: losing("eth_sendRawTransaction") });
    const why = expect.stringContaining("read ECONNRESET");
    expect(lost).toMatchObject({ ok: false, held: { reason: "awaiting_receipt" }, error: { message: why } });
    resultOf(await settled("a/1"));
    expect(await minted()).toBe(1);
  });

  test("a reserved nonce that was never used is assigned to the next transaction", async () => {
    const { attempt, settled, minted, signer, clock } = await newTenant(chain);
    await attempt("a/1", {}, { signer: breaking(signer, "store", "before") });
    clock.ahead += 31_000;
    resultOf(await settled("a/2"));
    resultOf(await settled("a/1"));
    expect(await minted()).toBe(2);
  });

  test("transactions behind an unused nonce close the gap", async () => {
    const { attempt, settled, minted, signer, clock } = await newTenant(chain);
    await attempt("a/1", {}, { signer: breaking(signer, "store", "before") });
    expect(await attempt("a/2")).toMatchObject({ ok: false, held: { reason: "awaiting_receipt" } });
    clock.ahead += 31_000;
    await attempt("a/2");
    resultOf(await settled("a/2"));
    expect(await minted()).toBe(1);
    expect(signer.state()).toMatchObject({ next: 2, free: [] });
  });

  test("transactions behind a transaction that was never sent send it", async () => {
    const { attempt, settled, minted, signer, clock } = await newTenant(chain);
    await attempt("a/1", {}, { signer: breaking(signer, "store", "after") });
    await attempt("a/2");
    clock.ahead += 61_000;
    await attempt("a/2");
    resultOf(await settled("a/2"));
    resultOf(await settled("a/1"));
    expect(await minted()).toBe(2);
  });
});

/** The node performs the method, but its answer is lost. */
function losing(method: string) {
  return async (url: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(url, init);
    if (!String(init.body).includes(method)) return response;
    throw new TypeError("fetch failed", { cause: new Error("read ECONNRESET") });
  };
}

describe("a missing receipt", () => {
  test("holds the run without using an attempt, until the transaction is mined", async () => {
    const { attempt, settled, minted } = await newTenant(chain);
    await withoutMining(chain, async () => {
      const first = await attempt("a/1");
      const hash = (first.metadata as { transactionHash: string }).transactionHash;
      expect(first).toMatchObject({ ok: false, held: { reason: "awaiting_receipt", connection: "main" } });
      expect(await attempt("a/1")).toMatchObject({
        ok: false,
        held: { reason: "awaiting_receipt" },
        metadata: { transactionHash: hash },
      });
      await chain.rpc("evm_mine");
      expect(resultOf(await settled("a/1")).transactionHash).toBe(hash);
    });
    expect(await minted()).toBe(1);
  });

  test("holds the run until the transaction has enough confirmations", async () => {
    const { attempt, settled } = await newTenant(chain);
    const deep = { confirmations: 3 };
    expect(await attempt("a/1", deep)).toMatchObject({ ok: false, held: { reason: "awaiting_receipt" } });
    await chain.rpc("evm_mine");
    expect(await attempt("a/1", deep)).toMatchObject({ ok: false, held: { reason: "awaiting_receipt" } });
    await chain.rpc("evm_mine");
    resultOf(await settled("a/1", deep));
  });

  test("fails the attempt after a time limit, and a later attempt still finds the transaction", async () => {
    const { attempt, settled, minted, clock } = await newTenant(chain);
    await withoutMining(chain, async () => {
      await attempt("a/1");
      clock.ahead += 31 * 60_000;
      expect(await attempt("a/1")).toMatchObject({
        error: { type: "network_congestion", code: "not_mined", retryable: true },
      });
    });
    resultOf(await settled("a/1"));
    expect(await minted()).toBe(1);
  });
});
