// Tests of pending transactions: a transaction that may have been sent is held, whatever its node answers, until an
// operator is needed.
import { describe, expect, test } from "vitest";
import type { JsonObject } from "#schema/json.ts";
import { methodsOf, mint, refusal } from "./evm-mint.ts";
import type { Methods } from "./evm-node.ts";
import { memorySigner } from "./evm-signer.ts";
import { NOW } from "#test/runners/world.ts";
import { naming, namingPattern } from "#test/support/matchers/naming.ts";

describe("a sent transaction whose node reports no result", () => {
  const DAY = 24 * 60 * 60_000;
  const gone = () => new Response("", { status: 503 });
  const dark: Methods = { eth_sendRawTransaction: gone, eth_getTransactionReceipt: gone };

  /** Performs the attempts of one run, each with its own node. */
  function run(config: JsonObject = {}) {
    let now = NOW;
    const signer = memorySigner(() => now);
    const over = { signer: () => signer, now: () => now };
    const attempt = async (methods: Methods) => {
      const { outcome, calls } = await mint(methods, config, { ...over, deadlineAt: now + 30_000 });
      return { outcome, sent: (await methodsOf(calls)).filter((method) => method === "eth_sendRawTransaction").length };
    };
    return { attempt, signer, later: (ms: number) => void (now += ms) };
  }

  test.each<readonly [string, Methods]>([
    ["no answer to sending", { eth_sendRawTransaction: gone }],
    ["no answer to looking", { eth_getTransactionReceipt: gone }],
    ["a busy node", { eth_getTransactionReceipt: refusal("limit exceeded", -32005) }],
    ["a gateway that lets nobody in", { eth_getTransactionReceipt: () => new Response("", { status: 401 }) }],
    [
      "a nonce gone, and no answer to which",
      { eth_sendRawTransaction: refusal("nonce too low"), eth_getTransactionReceipt: gone },
    ],
    [
      "a nonce gone, and no count",
      {
        eth_sendRawTransaction: refusal("nonce too low"),
        eth_getTransactionReceipt: null,
        eth_getTransactionCount: counts(gone),
      },
    ],
  ])("%s: the run is held, with the reason", async (_, methods) => {
    const { attempt, signer } = run();
    const { outcome } = await attempt(methods);
    expect(outcome).toMatchObject({ ok: false, held: { reason: "awaiting_receipt", until: NOW + 2_000 } });
    expect(outcome).toMatchObject({ error: { message: naming("nonce 3") } });
    expect(Object.values(signer.state().txs)).toMatchObject([{ status: "signed", nonce: 3 }]);
  });

  test("is held if the block number cannot be read", async () => {
    const { attempt } = run({ confirmations: 3 });
    expect((await attempt({ eth_blockNumber: gone })).outcome).toMatchObject({ held: { reason: "awaiting_receipt" } });
  });

  test("is held until the provider's Retry-After", async () => {
    const { attempt } = run();
    const busy = () => new Response("", { status: 429, headers: { "Retry-After": "40" } });
    expect((await attempt({ eth_getTransactionReceipt: busy })).outcome).toMatchObject({
      held: { reason: "awaiting_receipt", until: NOW + 40_000 },
    });
  });

  test("fails after a day with hash, nonce and instructions; a retry finds it", async () => {
    const { attempt, later } = run();
    await attempt(dark);
    later(DAY - 1);
    expect((await attempt(dark)).outcome).toMatchObject({ held: { reason: "awaiting_receipt" } });
    later(1);
    const { outcome } = await attempt(dark);
    expect(outcome).toMatchObject({ error: { type: "effect_unknown", code: "not_seen", retryable: false } });
    const said = outcome.ok ? "" : outcome.error.message;
    expect(said).toMatch(namingPattern("nonce 3", 1440, 503));
    expect(said).toMatch(/\b0x[0-9a-f]{64}\b/);
    expect(said).toMatch(/POST \/v1\/signers\/8453\/0x[0-9a-fA-F]{40}\/reconcile/);
    expect((await attempt({})).outcome).toMatchObject({ ok: true });
  });

  test("does not count an outage towards the time limit of mining", async () => {
    const { attempt, later } = run();
    await attempt(dark);
    later(5 * 60 * 60_000);
    await attempt(dark);
    const open = { eth_getTransactionReceipt: null };
    expect((await attempt(open)).outcome).toMatchObject({ held: { reason: "awaiting_receipt" } });
    later(31 * 60_000);
    expect((await attempt(open)).outcome).toMatchObject({ error: { code: "not_mined" } });
  });

  test("is held if the node refuses to send it again", async () => {
    const { attempt, signer, later } = run();
    await attempt({ eth_sendRawTransaction: gone });
    const poor = { eth_sendRawTransaction: refusal("insufficient funds"), eth_getTransactionReceipt: null };
    expect((await attempt(poor)).outcome).toMatchObject({ held: { reason: "awaiting_receipt" } });
    expect(Object.values(signer.state().txs)).toMatchObject([{ status: "signed" }]);
    later(31 * 60_000);
    expect((await attempt(poor)).outcome).toMatchObject({
      error: { code: "not_seen", message: naming("insufficient funds") },
    });
  });

  test("releases its nonce if the gateway refused access", async () => {
    const { attempt, signer } = run();
    const { outcome } = await attempt({ eth_sendRawTransaction: () => new Response("", { status: 401 }) });
    expect(outcome).toMatchObject({ ok: false, error: { type: "authentication_failed", code: "http_401" } });
    expect(signer.state()).toMatchObject({ next: 3, txs: {} });
  });

  /** A node that answers only the first count, which assigns the nonce. */
  function counts(then: () => Response) {
    let asked = 0;
    return () => (asked++ === 0 ? "0x3" : then());
  }
});
