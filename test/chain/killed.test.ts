// Chain test of SIGKILL: kills the whole engine while twenty mints are in flight, behind an unreachable node and before
// a reorganization. Each mint must happen once, and the address must remain usable.
import { mkdtempSync, rmSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { clientWith, createdKey, type Client } from "#test/crash/client.ts";
import { startEngine, freePort, type EngineProcess } from "#test/crash/life.ts";
import { accountOf, startChain, type Chain } from "./anvil.ts";
import { deploy, RECIPIENT } from "./minting.ts";
import { countData } from "./token.ts";

const MINTS = 20;
const WITHIN_MS = 60_000;
const SIGNER = 1;

let chain: Chain;
let node: Awaited<ReturnType<typeof proxyTo>>;
const stateDir = mkdtempSync(join(tmpdir(), "escapement-chain-"));
let life: EngineProcess | null = null;

beforeAll(async () => {
  chain = await startChain();
  node = await proxyTo(chain.url);
});
afterAll(async () => {
  await life?.kill();
  node.stop();
  chain.stop();
  rmSync(stateDir, { recursive: true, force: true });
});

/**
 * A proxy between the engine and its node. While it is dark, it forwards requests and closes the connection instead of
 * answering.
 */
async function proxyTo(target: string) {
  let isDark = false;
  let sends = 0;
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer); // a request stream yields only Buffers
    const body = Buffer.concat(parts).toString();
    const isSend = body.includes("eth_sendRawTransaction");
    if (isDark && !isSend) return void response.destroy();
    const answer = await fetch(target, { method: "POST", headers: { "Content-Type": "application/json" }, body });
    if (isSend) sends++;
    if (isDark) return void response.destroy();
    response.writeHead(200, { "Content-Type": "application/json" }).end(await answer.text());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // the server listens on a port
  const stop = () => void server.close();
  return { url: `http://127.0.0.1:${port}`, sends: () => sends, dark: (is: boolean) => void (isDark = is), stop };
}

type Seen = { readonly inFlight: readonly { readonly unseenSince: string | null }[] };

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + WITHIN_MS;
  while (!(await isSo())) {
    if (performance.now() > endsAt) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function tenantOn(engineUrl: string, rootKey: string): Promise<Client> {
  const root = clientWith({ Authorization: `Bearer ${rootKey}` });
  await root.requestJson("POST", `${engineUrl}/v1/tenants`, { id: "mint", name: "mint" });
  const body = { name: "mint", scopes: ["read", "payloads", "write", "tasks", "operate", "admin"] };
  const made = await root.requestJson("POST", `${engineUrl}/v1/keys`, body, { "X-Tenant": "mint" });
  return clientWith({ Authorization: `Bearer ${createdKey.parse(made).secret}` });
}

test("twenty mints survive SIGKILL, an outage of the node and a reorganization", async () => {
  const rootKey = "root-of-the-mints";
  const place = { stateDir, port: await freePort(), sandboxPort: await freePort(), rootKey };
  const contract = await deploy(chain);
  const { privateKey, address } = accountOf(SIGNER);
  life = await startEngine(place);
  const at = (path: string): string => `http://127.0.0.1:${place.port}/v1/${path}`;
  const tenant = await tenantOn(life.engineUrl, rootKey);
  await tenant.requestJson("PUT", at("secrets/minter"), { value: privateKey });
  const settings = { chainId: 31_337, rpcUrl: node.url };
  await tenant.requestJson("POST", at("connections"), {
    name: "wallet",
    provider: "evm",
    credentials: { privateKey: "minter" },
    settings,
  });
  await tenant.requestJson("POST", at("definitions"), {
    kind: "machine",
    name: "minting",
    initial: "minting",
    states: { minting: { on: { nft_minted: "done" } }, done: { type: "final" } },
    actions: [
      {
        actionId: "mint",
        type: "blockchain_mint",
        triggerState: "minting",
        // Short, so that calls lost by the crash expire soon.
        timeout: 3_000,
        config: { network: "anvil", contractAddress: contract, parameters: { to: RECIPIENT, tokenURI: "ipfs://x" } },
      },
    ],
  });
  const start = (key: string) =>
    tenant.requestJson("POST", at("executions"), { definition: "minting" }, { "Idempotency-Key": key });
  const statuses = async (): Promise<string[]> => {
    const page = (await tenant.requestJson("GET", at("executions?limit=50"))) as { data: { status: string }[] } | null;
    return (page?.data ?? []).map(({ status }) => status);
  };
  const completed = async (): Promise<number> => (await statuses()).filter((status) => status === "completed").length;
  const minted = async (): Promise<number> =>
    Number(await chain.rpc<string>("eth_call", { to: contract, data: countData }, "latest"));

  await chain.rpc("evm_setAutomine", false);
  const starts = Array.from({ length: MINTS }, (_, n) => start(`m-${n}`));
  await until("some to be sent", async () => node.sends() >= 5);
  node.dark(true);
  await until("some to be looked for in the dark", async () => {
    const seen = (await tenant.requestJson("GET", at(`signers/31337/${address}`))) as Seen | null;
    return seen?.inFlight.some(({ unseenSince }) => unseenSince !== null) ?? false;
  });
  await life.kill();
  await Promise.all(starts);
  await chain.rpc("evm_mine");
  expect(await minted()).toBeGreaterThan(0);
  life = await startEngine(place);
  node.dark(false);
  for (let n = 0; n < MINTS; n++) await start(`m-${n}`);
  await chain.rpc("evm_setIntervalMining", 1);
  await until("half to be done", async () => (await completed()) >= MINTS / 2);
  const before = await minted();
  // Reverts all blocks except the first, which contains the contract.
  await chain.rpc("anvil_reorg", Number(await chain.rpc("eth_blockNumber")) - 1, []);
  expect(await minted()).toBeLessThan(before);
  await start("late");
  await until("all to be done", async () => (await completed()) === MINTS + 1 && (await minted()) === MINTS + 1);
  expect(Number(await chain.rpc("eth_getTransactionCount", address, "latest"))).toBe(MINTS + 1);
  const letters = (await tenant.requestJson("GET", at("dead-letters"))) as { data: unknown[] };
  expect(letters.data).toEqual([]);
}, 90_000);
