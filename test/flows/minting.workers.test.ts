// A mint through the whole Worker: its receipt is waited for by a timer of the execution, not by a request.
import { expect, test } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import { node, CONTRACT, PRIVATE_KEY } from "#test/runners/evm/evm-node.ts";
import { setSecrets } from "./crm.ts";
import { bindings, chain, engine, provider, until } from "./engine.ts";

/** Of the key, in small letters. */
const ADDRESS = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";

async function mintShop() {
  const shop = await engine({
    ...chain("minting", []),
    initial: "minting",
    states: { minting: { on: { nft_minted: "done" } }, done: { type: "final" } },
    actions: [
      {
        actionId: "mint",
        type: "blockchain_mint",
        triggerState: "minting",
        config: { network: "base", contractAddress: CONTRACT, parameters: { to: CONTRACT, tokenURI: "ipfs://x" } },
      },
    ],
  });
  await setSecrets(shop, { minter: PRIVATE_KEY });
  await shop.must(201, "POST", "/v1/connections", {
    body: { name: "wallet", provider: "evm", credentials: { privateKey: "minter" } },
  });
  return shop;
}

test("a mint is held until it is mined, spends one attempt, and is sent once", async () => {
  let isMined = false;
  const mined = node();
  const waiting = node({ eth_getTransactionReceipt: null });
  const { calls } = provider(async ({ url, body }) => {
    const request = new Request(url, { method: "POST", body });
    return (isMined ? mined : waiting)({ url: url.href, init: {}, request });
  });
  const shop = await mintShop();
  const id = await shop.start("minting");
  const held = await until("a held run", async () => {
    const [run] = await shop.runs(id);
    return run?.held ? run : null;
  });
  expect(held).toMatchObject({ status: "scheduled", held: { reason: "awaiting_receipt", connection: "wallet" } });
  isMined = true;
  await shop.reaches(id, "completed");
  const [run] = await shop.runs(id);
  expect(run).toMatchObject({ status: "ok", attempt: 1, held: null, result: { tokenId: "42", blockNumber: 7 } });
  const sent = calls
    .map(({ body }) => JSON.parse(String(body)))
    .filter(({ method }) => method === "eth_sendRawTransaction");
  expect(sent.length).toBeGreaterThan(0);
  expect(new Set(sent.map(({ params }) => params[0])).size).toBe(1);
  expect(JSON.stringify([run, await shop.journal(id)])).not.toContain(PRIVATE_KEY.slice(2));
  const signer = bindings.SIGNERS.getByName(`${shop.tenant}/8453/${ADDRESS}`);
  const stored = await signer.find({ key: `${id}/${run.id}`, blockMs: 2_000 });
  expect(stored).toMatchObject({ kind: "confirmed", receipt: { tokenId: "42" } });
});

test("an outage after sending, and the signer's object asleep, spend no attempt: it is mined once and told so", async () => {
  const up = node();
  let isDark = false;
  const { calls } = provider(async ({ url, body }) => {
    const request = new Request(url, { method: "POST", body });
    if (isDark) return new Response("", { status: 503 });
    // It takes the transaction, and is gone before it can say so.
    isDark = String(body).includes("eth_sendRawTransaction");
    return isDark ? new Response("", { status: 502 }) : up({ url: url.href, init: {}, request });
  });
  const shop = await mintShop();
  const id = await shop.start("minting");
  const held = await until("a held run", async () => {
    const [run] = await shop.runs(id);
    return run?.held ? run : null;
  });
  expect(held).toMatchObject({ attempt: 0, held: { reason: "awaiting_receipt", connection: "wallet" } });
  const seen = await shop.must(200, "GET", `/v1/signers/base/${ADDRESS}`);
  expect(seen.inFlight).toMatchObject([{ nonce: 3, unseenSince: expect.any(String) }]);
  expect(seen.advice).toEqual([expect.any(String)]);
  await evict(bindings.SIGNERS.getByName(`${shop.tenant}/8453/${ADDRESS}`));
  isDark = false;
  await shop.reaches(id, "completed");
  const [run] = await shop.runs(id);
  expect(run).toMatchObject({ status: "ok", attempt: 1, result: { tokenId: "42" } });
  const sent = calls
    .map(({ body }) => JSON.parse(String(body)))
    .filter(({ method }) => method === "eth_sendRawTransaction");
  expect(new Set(sent.map(({ params }) => params[0])).size).toBe(1);
});
