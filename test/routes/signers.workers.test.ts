// Signers over HTTP: the view of an address, and reconciliation.
import { beforeEach, describe, expect, test } from "vitest";
import { reconcileAddress } from "#runners/evm/reconcile.ts";
import type { Deps } from "#services/deps.ts";
import type { Signer } from "#schema/signer.ts";
import { api, must, shop } from "#test/support/api.ts";
import { NOW } from "#test/support/catalog.ts";
import { node, PRIVATE_KEY, type Methods } from "#test/runners/evm/evm-node.ts";
import { naming } from "#test/support/matchers/naming.ts";

const ADDRESS = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";
const at = `/v1/signers/base/${ADDRESS}`;
const receipt = {
  transactionHash: "0xa",
  blockNumber: 7,
  gasUsed: "21000",
  effectiveGasPrice: "5",
  feeWei: "105000",
  tokenId: "1",
};
const fees = { maxFeePerGas: "10", maxPriorityFeePerGas: "1" };
const body = { reason: "nothing moves" };

/** The chain has the first of three transactions; a fourth nonce was reserved and released. */
const behind: Methods = {
  eth_chainId: "0x2105",
  eth_getTransactionCount: (_from, block) => (block === "finalized" ? "0x0" : "0x1"),
};

async function open(methods: Methods = behind) {
  const sent: string[] = [];
  const answer = node({
    ...methods,
    eth_sendRawTransaction: (raw) => {
      sent.push(String(raw));
      return "0x1";
    },
  });
  const fetch = async (url: string, init: RequestInit) => {
    return answer({ url, init, request: new Request(url, { ...init, signal: null }) });
  };
  const port: Deps["maintainAddress"] = (asked) => {
    const signer = made.world.signer(asked.tenant, asked.chainId, asked.address);
    return reconcileAddress(asked, { fetch, now: made.now, allowLoopback: false, signer });
  };
  const made = { ...api({ maintainAddress: port }), now: () => NOW };
  const { key, tenant } = await shop(made);
  const signer = made.world.signer(tenant, 8453, ADDRESS.toLowerCase());
  const ask = (method: "GET" | "POST", path: string, more = {}) => made.ask(method, path, { key, ...more });
  await must(200, made.ask("PUT", "/v1/secrets/minter", { key, body: { value: PRIVATE_KEY } }));
  const connect = (name: string, credential = "minter") =>
    must(
      201,
      made.ask("POST", "/v1/connections", {
        key,
        body: { name, provider: "evm", credentials: { privateKey: credential } },
      }),
    );
  return { made, key, tenant, signer, sent, ask, connect };
}

async function sign(signer: Signer, key: string): Promise<void> {
  const reserved = await signer.reserve({ key, blockMs: 2_000, chainNonce: 0, gap: null });
  if (reserved.kind !== "reserved") throw new Error(reserved.kind);
  const { nonce } = reserved;
  await signer.store({ key, nonce, raw: `0x0${nonce}`, hash: `0xhash${nonce}`, fees, gas: "21000", replaces: null });
}

let shopkeeper: Awaited<ReturnType<typeof open>>;
beforeEach(async () => {
  shopkeeper = await open();
  const { signer } = shopkeeper;
  for (const key of ["exe_1/1.0", "exe_1/2.0", "exe_1/3.0"]) await sign(signer, key);
  for (const key of ["exe_1/1.0", "exe_1/2.0"]) await signer.confirm(key, receipt);
  await signer.wait({ key: "exe_1/3.0", blockMs: 2_000 });
});

test("a read shows the next nonce, transactions in flight and stored ones, by chain name or id", async () => {
  const { ask } = shopkeeper;
  const { body: seen } = await must(200, ask("GET", at));
  expect(seen).toMatchObject({
    chainId: 8453,
    address: ADDRESS.toLowerCase(),
    nextNonce: 3,
    inFlight: [
      { nonce: 2, key: "exe_1/3.0", hash: "0xhash2", signedAt: new Date(NOW).toISOString(), unseenSince: null },
    ],
    kept: { count: 2, from: 0, to: 1 },
    gaps: [],
    lost: [],
    chain: null,
    advice: [],
  });
  expect((await must(200, ask("GET", `/v1/signers/8453/${ADDRESS.toUpperCase().replace("0X", "0x")}`))).body).toEqual(
    seen,
  );
  expect(JSON.stringify(seen)).not.toContain("0x02");
});

test("an unused address is 404 on every chain", async () => {
  const { ask } = shopkeeper;
  for (const path of [`/v1/signers/137/${ADDRESS}`, `/v1/signers/atlantis/${ADDRESS}`, at.replace("f39F", "f39E")]) {
    expect((await must(404, ask("GET", path))).body.code).toBe("not_found");
    expect((await must(404, ask("POST", `${path}/reconcile`, { body }))).body.code).toBe("not_found");
  }
  const { body: refused } = await must(400, ask("GET", "/v1/signers/Base/0x12"));
  expect(refused.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(["{chain}", "{address}"]);
});

describe("reconciling", () => {
  test("sends missing transactions again in order, and is audited", async () => {
    const { ask, connect, sent, signer } = shopkeeper;
    await connect("wallet");
    const { body: done } = await must(200, ask("POST", `${at}/reconcile`, { body }));
    expect(done).toMatchObject({
      dryRun: false,
      chain: { mined: 1, pending: 1, final: 0 },
      resent: [
        { nonce: 1, key: "exe_1/2.0", hash: "0xhash1" },
        { nonce: 2, key: "exe_1/3.0", hash: "0xhash2" },
      ],
      released: [],
      closed: null,
      lost: [],
      signer: { chain: { mined: 1 } },
    });
    expect(sent).toEqual(["0x01", "0x02"]);
    expect((await signer.overview()).kept).toHaveLength(2);
    const { body: audit } = await must(200, ask("GET", "/v1/audit?verb=signer.reconcile"));
    expect(audit.data).toMatchObject([{ target: `8453/${ADDRESS.toLowerCase()}`, reason: "nothing moves" }]);
  });

  test("a dry run returns the same, sends nothing and is not audited", async () => {
    const { ask, connect, sent, signer } = shopkeeper;
    await connect("wallet");
    const before = await signer.overview();
    const { body: done } = await must(200, ask("POST", `${at}/reconcile?dryRun=true`, { body }));
    expect(done).toMatchObject({ dryRun: true, resent: [{ nonce: 1 }, { nonce: 2 }], signer: { chain: null } });
    expect(sent).toEqual([]);
    expect(await signer.overview()).toEqual(before);
    expect((await must(200, ask("GET", "/v1/audit?verb=signer.reconcile"))).body.data).toEqual([]);
  });

  test("requires a reason and refuses unknown fields", async () => {
    const { ask, sent } = shopkeeper;
    for (const wrong of [{}, { ...body, force: true }])
      await must(400, ask("POST", `${at}/reconcile`, { body: wrong }));
    expect(sent).toEqual([]);
  });

  test("refuses a connection of another address, and an ambiguous one, with a pointer", async () => {
    const { ask, connect, made, key, sent } = shopkeeper;
    const asked = (more: object = {}) => ask("POST", `${at}/reconcile`, { body: { ...body, ...more } });
    const findings = async (more: object = {}) => (await must(400, asked(more))).body.errors;
    expect(await findings()).toMatchObject([{ pointer: "/connection", code: "connection_missing" }]);
    await must(200, made.ask("PUT", "/v1/secrets/other", { key, body: { value: `0x${"11".repeat(32)}` } }));
    await connect("stranger", "other");
    await connect("unset", "nothing");
    expect(await findings({ connection: "stranger" })).toMatchObject([{ code: "address_mismatch" }]);
    expect(await findings({ connection: "unset" })).toMatchObject([{ code: "secret_missing" }]);
    expect(await findings()).toMatchObject([{ code: "connection_ambiguous" }]);
    expect(sent).toEqual([]);
  });

  test("sends no request to a host outside the secret's hosts", async () => {
    const { ask, connect, made, key, sent } = shopkeeper;
    await connect("wallet");
    const hosts = ["node.example.com"];
    await must(200, made.ask("PATCH", "/v1/secrets/minter", { key, body: { hosts, reason: "ours only" } }));
    const { body: refused } = await must(400, ask("POST", `${at}/reconcile`, { body }));
    const message = naming("minter", "node.example.com");
    expect(refused.errors).toMatchObject([{ pointer: "/connection", code: "secret_host_mismatch", message }]);
    expect(sent).toEqual([]);
  });

  test.each<readonly [string, Methods, number, string]>([
    ["of another chain", { eth_chainId: "0x1" }, 400, "invalid_input"],
    ["that is down", { eth_chainId: () => new Response("", { status: 503 }) }, 503, "unavailable"],
    ["with an invalid nonce", { eth_chainId: "0x2105", eth_getTransactionCount: "none" }, 503, "unavailable"],
    [
      "that does not count",
      { eth_chainId: "0x2105", eth_getTransactionCount: () => new Response("", { status: 503 }) },
      503,
      "unavailable",
    ],
  ])("sends no transaction to a node %s", async (_, methods, status, code) => {
    const { ask, connect, sent, signer } = await open(methods);
    await sign(signer, "exe_1/1.0");
    await connect("wallet");
    expect((await must(status, ask("POST", `${at}/reconcile`, { body }))).body.code).toBe(code);
    expect(sent).toEqual([]);
  });

  test("fills an unused nonce, and reports a transaction whose nonce another one used as lost", async () => {
    const { ask, connect, sent, signer } = await open({
      eth_chainId: "0x2105",
      eth_getTransactionCount: (_from, block) => (block === "finalized" ? "0x1" : "0x1"),
      eth_getTransactionReceipt: null,
    });
    for (const key of ["exe_1/1.0", "exe_1/2.0", "exe_1/3.0"]) await sign(signer, key);
    await signer.releaseNonce("exe_1/2.0");
    await connect("wallet");
    const { body: done } = await must(200, ask("POST", `${at}/reconcile`, { body }));
    expect(done).toMatchObject({ closed: 1, lost: [{ nonce: 0, key: "exe_1/1.0" }], resent: [{ nonce: 2 }] });
    expect(sent).toHaveLength(2);
    expect(await signer.find({ key: "exe_1/1.0", blockMs: 2_000 })).toEqual({ kind: "none" });
    expect(done.signer).toMatchObject({ gaps: [], inFlight: [{ key: "gap:1" }, { key: "exe_1/3.0" }] });
  });

  test("sends nothing for a suspended tenant", async () => {
    const { ask, made, tenant, sent, connect } = shopkeeper;
    await connect("wallet");
    await must(200, made.ask("POST", `/v1/tenants/${tenant}/suspend`, { body: { reason: "unpaid" } }));
    expect((await must(403, ask("POST", `${at}/reconcile`, { body }))).body.code).toBe("tenant_suspended");
    expect(sent).toEqual([]);
  });
});
