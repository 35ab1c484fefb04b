// Tests the values that replace secrets in a rehearsed config: a name, a URL or a chain's address.
import { describe, expect, test } from "vitest";
import { fillConfig } from "#runners/rehearsal/fill-config.ts";
import { caseOf, slot } from "./cases.ts";
import { rehearsed } from "./world.ts";

const ADDRESS = /^0x[0-9a-f]{40}$/;
/** The action of the documentation, in which the contract's address is a secret. */
const mint = {
  blockchain: "ethereum",
  network: "base",
  contractAddress: slot({ name: "certificate_contract_address" }),
  function: "mint",
  parameters: {
    to: "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
    tokenURI: "ipfs://certificate",
    certificateData: "0xabc1",
  },
  gasLimit: 200000,
  gasPrice: "auto",
};

describe("a secret address", () => {
  test("is replaced by an address that the runner accepts", () => {
    const { config, sentSecrets } = fillConfig({ type: "blockchain_mint", config: mint });
    expect(config["contractAddress"]).toMatch(ADDRESS);
    expect(sentSecrets).toEqual(["certificate_contract_address"]);
  });

  test("differs from that of another secret, also of a short name", () => {
    const of = (name: string) =>
      fillConfig({ type: "blockchain_mint", config: { ...mint, contractAddress: slot({ name }) } }).config;
    expect(of("nft")["contractAddress"]).toMatch(ADDRESS);
    expect(of("nft")["contractAddress"]).not.toBe(of("certificate_contract_address")["contractAddress"]);
  });

  test("lets the mint of the documentation pass", async () => {
    const { set } = caseOf("blockchain_mint", "a chain that mines at once");
    const { outcome, http } = await rehearsed("blockchain_mint", mint, set);
    expect(outcome).toMatchObject({ ok: true });
    const code = http.find(({ body }) => JSON.stringify(body).includes("eth_getCode"));
    expect(JSON.stringify(code?.body)).toMatch(/"0x[0-9a-f]{40}"/);
  });
});

test("a secret that is a whole URL is replaced by a URL, and is not sent", () => {
  const { config, sentSecrets } = fillConfig({
    type: "webhook",
    config: { url: slot({ name: "hook_url" }), headers: { "X-Key": slot({ name: "key" }) } },
  });
  expect([config["url"], sentSecrets]).toEqual(["https://stand-in.example/hook_url", ["key"]]);
});

test("a config without secrets stays as it is", () => {
  const config = { url: "https://x.example.com" };
  expect(fillConfig({ type: "webhook", config })).toEqual({ config, sentSecrets: [] });
});
