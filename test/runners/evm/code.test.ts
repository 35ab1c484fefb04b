// Tests of the contract code check.
import { describe, expect, test } from "vitest";
import { methodsOf, mint, refusal } from "./evm-mint.ts";
import { memorySigner } from "./evm-signer.ts";
import { NOW } from "#test/runners/world.ts";

describe("an address without code", () => {
  const contractAddress = "0x00000000000000000000000000000000000c0de0";

  test("is invalid configuration: nothing is signed and no nonce is taken", async () => {
    const signer = memorySigner(() => NOW);
    const { outcome, calls } = await mint({ eth_getCode: "0x" }, { contractAddress }, { signer: () => signer });
    expect(outcome).toMatchObject({
      ok: false,
      error: { type: "invalid_configuration", retryable: false, code: "no_contract" },
    });
    expect(outcome).toMatchObject({ error: { message: expect.stringContaining(contractAddress) } });
    expect(signer.state().txs).toEqual({});
    expect(await methodsOf(calls)).not.toContain("eth_sendRawTransaction");
  });

  test("is checked in each attempt; found code is cached for ten minutes", async () => {
    let now = NOW;
    let code = "0x";
    const over = { signer: () => memorySigner(() => now), now: () => now, deadlineAt: NOW + 3_600_000 };
    const asked = async () => {
      const { calls } = await mint({ eth_getCode: () => code }, { contractAddress }, over);
      return (await methodsOf(calls)).filter((method) => method === "eth_getCode").length;
    };
    expect(await asked()).toBe(1);
    expect(await asked()).toBe(1);
    code = "0x6001";
    expect(await asked()).toBe(1);
    expect(await asked()).toBe(0);
    now += 10 * 60_000;
    expect(await asked()).toBe(1);
  });

  test("is not assumed if the node returns no code", async () => {
    const busy = refusal("daily allotment used", -32005);
    const { outcome } = await mint({ eth_getCode: busy }, { contractAddress: contractAddress.replace("c0de", "c0df") });
    expect(outcome).toMatchObject({ error: { type: "network_congestion", code: "node_busy" } });
  });
});
