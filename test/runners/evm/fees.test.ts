// Tests of fixed gas prices.
import { describe, expect, test } from "vitest";
import { mint, refusal } from "./evm-mint.ts";
import { memorySigner } from "./evm-signer.ts";
import { NOW } from "#test/runners/world.ts";
import { naming } from "#test/support/matchers/naming.ts";

describe("a fixed price that is too low", () => {
  const low = "900000000";
  const high = "0x12a05f200"; // 5 gwei
  const history = { baseFeePerGas: [high, high], reward: [["0x5f5e100"]] };

  test("fails before signing, with a sufficient price", async () => {
    const signer = memorySigner(() => NOW);
    const { outcome } = await mint({}, { gasPrice: low }, { signer: () => signer });
    expect(outcome).toMatchObject({ error: { type: "gas_price_too_low", code: "below_base_fee", retryable: true } });
    expect(outcome).toMatchObject({
      error: {
        message: naming("gasPrice", "0.9 gwei", "1 gwei", "0.1 gwei", '"auto"', "maxFeePerGas", 2100000000, "2.1 gwei"),
      },
    });
    expect(signer.state().txs).toEqual({});
  });

  test("for the node's minimum fails with the same message", async () => {
    const { outcome } = await mint(
      { eth_sendRawTransaction: refusal("transaction underpriced") },
      { gasPrice: "1000000000" },
    );
    expect(outcome).toMatchObject({
      error: { code: "underpriced", message: naming("gasPrice", '"auto"', "maxFeePerGas") },
    });
  });

  test("for later blocks is reported when the transaction is stuck", async () => {
    let now = NOW;
    const signer = memorySigner(() => now);
    const over = { signer: () => signer, now: () => now };
    const open = { eth_getTransactionReceipt: null };
    const price = { gasPrice: "1000000000" };
    await mint(open, price, over);
    now += 31 * 60_000;
    const { outcome } = await mint({ ...open, eth_feeHistory: history }, price, { ...over, deadlineAt: now + 30_000 });
    expect(outcome).toMatchObject({ error: { type: "gas_price_too_low", code: "stuck", retryable: true } });
    expect(outcome).toMatchObject({ error: { message: naming("nonce 3", "1 gwei", "5 gwei", "reconcile") } });
  });

  test("is used on a chain without a base fee", async () => {
    const { outcome } = await mint({ eth_feeHistory: refusal("the method does not exist", -32601) }, { gasPrice: low });
    expect(outcome).toMatchObject({ ok: true });
  });
});
