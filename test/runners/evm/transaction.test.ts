// Tests of the chain runners against a mock node.
import { describe, expect, it, test } from "vitest";
import { encodeAbiParameters, toFunctionSelector } from "viem";
import { runTicket } from "#runners/run.ts";
import type { JsonObject } from "#schema/json.ts";
import { evmContract, mintConfig } from "./evm-contract.ts";
import { credentials, mint, refusal } from "./evm-mint.ts";
import { node, PRIVATE_KEY } from "./evm-node.ts";
import { memorySigner } from "./evm-signer.ts";
import { performed, type Surroundings } from "#test/runners/perform.ts";
import { connectionTo, hangs, NOW, resets, ticketFor, world, type Answer } from "#test/runners/world.ts";
import { naming } from "#test/support/matchers/naming.ts";

evmContract();

describe("a node's refusal of a transaction", () => {
  test.each([
    ["max fee per gas less than block base fee: maxFeePerGas: 1", "gas_price_too_low", true],
    ["transaction underpriced", "gas_price_too_low", true],
    ["FeeTooLow, EffectivePriorityFeePerGas too low", "gas_price_too_low", true],
    ["insufficient funds for gas * price + value: balance 0", "insufficient_funds", false],
    ["sender doesn't have enough funds to send tx", "insufficient_funds", false],
    ["intrinsic gas too low", "invalid_configuration", false],
    ["exceeds block gas limit", "invalid_configuration", false],
    ["invalid chain id for signer", "invalid_configuration", false],
    ["execution reverted", "execution_reverted", false],
    ["something nobody has heard of", "unknown_error", true],
  ])("%s: %s", async (message, type, retryable) => {
    const { outcome } = await mint({ eth_sendRawTransaction: refusal(message) }, { gasPrice: "1000000000" });
    expect(outcome).toMatchObject({ ok: false, error: { type, retryable } });
  });

  test.each(["txpool is full", "Too Many Requests", "request timed out"])(
    "%s: the signed transaction is kept and sent again without using an attempt",
    async (message) => {
      const { outcome } = await mint({ eth_sendRawTransaction: refusal(message) });
      expect(outcome).toMatchObject({ ok: false, held: { reason: "awaiting_receipt", until: NOW + 2_000 } });
      expect(outcome).toMatchObject({ error: { message: expect.stringContaining(message) } });
    },
  );

  test('"already known" counts as accepted', async () => {
    const { outcome } = await mint({
      eth_sendRawTransaction: refusal("already known"),
      eth_getTransactionReceipt: null,
    });
    expect(outcome).toMatchObject({ ok: false, held: { reason: "awaiting_receipt", until: NOW + 2_000 } });
  });

  test("a limit error code counts as a busy node, whatever its text", async () => {
    const { outcome } = await mint({ eth_feeHistory: refusal("daily allotment used", -32005) });
    expect(outcome).toMatchObject({ error: { type: "network_congestion", code: "node_busy" } });
  });

  test("a nonce that is always taken fails after some rounds", async () => {
    let count = 3;
    const { outcome } = await mint({
      eth_sendRawTransaction: refusal("nonce too low"),
      eth_getTransactionCount: () => `0x${(count++).toString(16)}`,
      eth_getTransactionReceipt: null,
    });
    expect(outcome).toMatchObject({ error: { type: "network_congestion", code: "nonce_contended" } });
  });

  test('"nonce too low" from a node that is behind is checked again', async () => {
    const { outcome } = await mint({
      eth_sendRawTransaction: refusal("nonce too low"),
      eth_getTransactionReceipt: null,
    });
    expect(outcome).toMatchObject({ held: { reason: "awaiting_receipt" } });
  });

  test("a nonce that an unknown transaction used long ago needs an operator", async () => {
    let now = NOW;
    const signer = memorySigner(() => now);
    const over = { signer: () => signer };
    await mint({ eth_getTransactionReceipt: null }, {}, over);
    now += 60 * 60_000;
    const gone = { eth_getTransactionReceipt: null, eth_getTransactionCount: "0x9" };
    const { outcome } = await mint({ ...gone, eth_sendRawTransaction: refusal("nonce too low") }, {}, over);
    expect(outcome).toMatchObject({ error: { type: "effect_unknown", code: "nonce_lost", retryable: false } });
  });

  test('"nonce too high": earlier transactions are still pending', async () => {
    const { outcome } = await mint({ eth_sendRawTransaction: refusal("nonce too high") });
    expect(outcome).toMatchObject({ held: { reason: "awaiting_receipt" } });
  });
});

describe("a node that does not answer", () => {
  test.each<readonly [string, Answer, JsonObject]>([
    [
      "429",
      () => new Response("", { status: 429, headers: { "Retry-After": "7" } }),
      { type: "network_congestion", code: "http_429" },
    ],
    ["503", () => new Response("", { status: 503 }), { type: "network_congestion", code: "http_503" }],
    [
      "401",
      () => new Response("", { status: 401 }),
      { type: "authentication_failed", code: "http_401", retryable: false },
    ],
    ["a reset", resets, { type: "network_congestion", code: "connection" }],
    ["a page", () => new Response("<html>"), { type: "network_congestion", code: "answer_unreadable" }],
  ])("%s", async (_, answer, error) => {
    expect((await mint(answer)).outcome).toMatchObject({ ok: false, error });
  });

  test("returns its Retry-After", async () => {
    const { outcome } = await mint(() => new Response("", { status: 429, headers: { "Retry-After": "7" } }));
    expect(outcome).toMatchObject({ retryAfterMs: 7_000 });
  });

  test("within the time limit fails", async () => {
    const over = {
      signer: () => memorySigner(() => NOW),
      connection: async () => ({ ok: true as const, connection: connectionTo("evm", { credentials }) }),
    };
    const outcome = await runTicket(ticketFor("blockchain_mint", mintConfig, { timeoutMs: 15 }), world(hangs, over));
    expect(outcome).toMatchObject({ error: { type: "network_congestion", code: "deadline" } });
  });
});

describe("a contract's refusal", () => {
  const custom = {
    abi: ["function mint(address to)", "error TooMany(uint256 has, uint256 may)"],
    parameters: ["0x000000000000000000000000000000000000dEaD"],
  };
  const tooMany = `0x8a0a3fc5${encodeAbiParameters([{ type: "uint256" }, { type: "uint256" }], [3n, 2n]).slice(2)}`;

  test.each([
    [
      "in its data",
      refusal("execution reverted", 3, `0x08c379a0${encodeAbiParameters([{ type: "string" }], ["sold out"]).slice(2)}`),
      "sold out",
    ],
    ["in words alone", refusal("execution reverted: sold out"), "sold out"],
    ["not at all", refusal("execution reverted"), null],
    ["as an error nobody named", refusal("execution reverted", 3, tooMany), naming("0x8a0a3fc5")],
  ])("%s", async (_, error, reason) => {
    const { outcome } = await mint({ eth_estimateGas: error });
    const details = reason === null ? { simulated: true } : { simulated: true, reason };
    expect(outcome).toMatchObject({ error: { type: "execution_reverted", retryable: false, details } });
  });

  test("is decoded by the ABI's errors", async () => {
    const data = toFunctionSelector("TooMany(uint256,uint256)") + tooMany.slice(10);
    const { outcome } = await mint(
      { eth_estimateGas: { error: { code: 3, message: "execution reverted", data } } },
      custom,
    );
    expect(outcome).toMatchObject({ error: { details: { reason: "TooMany(3, 2)" } } });
  });
});

describe("fees", () => {
  async function feesOf(config: JsonObject) {
    const signer = memorySigner(() => NOW);
    await mint({ eth_getTransactionReceipt: null }, config, { signer: () => signer });
    const [tx] = Object.values(signer.state().txs);
    return tx?.status === "signed" ? tx.fees : null;
  }

  test.each<readonly [string, JsonObject, JsonObject]>([
    [
      "auto: twice the base fee, and the tip that others paid",
      {},
      { maxFeePerGas: "2100000000", maxPriorityFeePerGas: "100000000" },
    ],
    ["never above the cap", { maxFeeCapGwei: 1.5 }, { maxFeePerGas: "1500000000", maxPriorityFeePerGas: "100000000" }],
    ["one price", { gasPrice: 3_000_000_000 }, { maxFeePerGas: "3000000000", maxPriorityFeePerGas: "3000000000" }],
    [
      "both by themselves",
      { gasPrice: { maxFeePerGas: "1000000005", maxPriorityFeePerGas: "2" } },
      { maxFeePerGas: "1000000005", maxPriorityFeePerGas: "2" },
    ],
  ])("%s", async (_, config, fees) => {
    expect(await feesOf(config)).toEqual(fees);
  });

  test("nothing is signed above the cap", async () => {
    const { outcome } = await mint({}, { maxFeeCapGwei: 0.5 });
    expect(outcome).toMatchObject({ error: { type: "gas_price_too_low", retryable: true, code: "fee_cap" } });
  });
});

describe("the account", () => {
  it("defines chains without a known name", async () => {
    const settings = { chainId: 31_337, rpcUrl: "https://node.example.com/rpc" };
    const { outcome, url } = await mint({}, { network: "own-chain" }, { account: { credentials, settings } });
    expect(outcome).toMatchObject({ ok: true, metadata: { chainId: 31_337 } });
    expect(url).toBe("https://node.example.com/rpc");
  });

  test.each<readonly [string, JsonObject, NonNullable<Surroundings["account"]>, string]>([
    ["an unknown chain", { network: "own-chain" }, { credentials }, "unknown_network"],
    ["a chain that is another's", {}, { credentials, settings: { chainId: 1 } }, "chain_mismatch"],
    ["no key", {}, { credentials: {} }, "credential_missing"],
    ["a key that is none", {}, { credentials: { privateKey: "0x12" } }, "private_key_invalid"],
    ["an address inside", {}, { credentials, settings: { rpcUrl: "https://10.0.0.1/" } }, "egress_refused"],
  ])("refuses %s", async (_, config, account, code) => {
    const { outcome, calls } = await mint({}, config, { account });
    expect(outcome).toMatchObject({ ok: false, error: { type: "invalid_configuration", retryable: false, code } });
    expect(calls).toEqual([]);
  });

  it("without funds fails before signing", async () => {
    const { outcome, calls } = await mint({ eth_getBalance: "0x1" });
    expect(outcome).toMatchObject({
      error: { type: "insufficient_funds", retryable: false, details: { balanceWei: "1" } },
    });
    expect(calls).toHaveLength(3);
  });

  it("needs a signer", async () => {
    const { outcome } = await performed("blockchain_mint", mintConfig, node(), { account: { credentials } });
    expect(outcome).toMatchObject({ error: { code: "signer_missing" } });
  });

  it.each([200, 400, 500])("stores neither the private key nor the node's key if a %i echoes them", async (status) => {
    const rpcUrl = "https://node.example.com/v3/canary0123456789abcdef";
    const said = `${PRIVATE_KEY} ${PRIVATE_KEY.slice(2)} canary0123456789abcdef`;
    const { outcome } = await mint(
      () =>
        new Response(JSON.stringify({ error: { message: said } }), {
          status,
          headers: { "Content-Type": "application/json" },
        }),
      {},
      { account: { credentials: { privateKey: PRIVATE_KEY.slice(2), rpcUrl } } },
    );
    expect(outcome.ok).toBe(false);
    expect(JSON.stringify(outcome)).not.toMatch(/canary0123|ac0974bec39a/);
  });
});

const undone = { status: "0x0", blockNumber: "0x7", gasUsed: "0x5208", effectiveGasPrice: "0x1", logs: [] };

test.each([null, "0x", "0x2", 1, true])(
  "a receipt with the status %j is unreadable, and the run waits",
  async (status) => {
    const { outcome } = await mint({ eth_getTransactionReceipt: { ...undone, status } });
    expect(outcome).toMatchObject({ ok: false, held: { reason: "awaiting_receipt" } });
  },
);

test("a receipt of a reverted transaction has its reason and its fee", async () => {
  const asked: string[] = [];
  const { outcome } = await mint({
    eth_getTransactionReceipt: (hash) => (asked.push(String(hash)), { ...undone, transactionHash: hash ?? null }),
    eth_call: refusal("execution reverted: too late"),
  });
  expect(outcome).toMatchObject({
    ok: false,
    error: { type: "execution_reverted", details: { reason: "too late", transactionHash: asked[0] } },
    costEstimate: 2.1e-14,
    metadata: { gasCostWei: "21000" },
  });
});
