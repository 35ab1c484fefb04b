// Tests of address checksums (EIP-55), when a definition is stored and when it runs.
import { describe, expect, test } from "vitest";
import { configFindings } from "#runners/draft.ts";
import type { JsonObject } from "#schema/json.ts";
import { performed } from "#test/runners/perform.ts";
import { memorySigner } from "./evm-signer.ts";
import { CONTRACT, node, PRIVATE_KEY } from "./evm-node.ts";
import { NOW } from "#test/runners/world.ts";
import { naming } from "#test/support/matchers/naming.ts";

const RIGHT = CONTRACT;
/** One letter in the wrong case. */
const WRONG = RIGHT.replace("F", "f");
const TO = "0x000000000000000000000000000000000000dEaD";
const TO_WRONG = "0x000000000000000000000000000000000000DEaD";

const mint = (over: JsonObject): JsonObject => ({ contractAddress: RIGHT, parameters: { to: TO }, ...over });

test.each([
  ["with its checksum", RIGHT],
  ["in small letters", RIGHT.toLowerCase()],
  ["in capitals", `0x${RIGHT.slice(2).toUpperCase()}`],
])("an address %s is accepted, for the contract and among the parameters", async (_, address) => {
  const config = mint({ contractAddress: address, parameters: { to: address } });
  expect(configFindings("blockchain_mint", config)).toEqual([]);
  const { outcome } = await performed("blockchain_mint", { ...config, network: "base" }, node(), {
    account: { credentials: { privateKey: PRIVATE_KEY } },
    signer: () => memorySigner(() => NOW),
  });
  expect(outcome).toMatchObject({ ok: true });
});

describe("a wrong checksum is refused with the right spelling", () => {
  const list = { function: "drop", abi: "function drop(address[] to, uint256 n)" };
  const templates = { contractAddress: "{{ secrets.contract }}", gasLimit: "{{ gas }}" };
  test.each<readonly [string, string, JsonObject, string, string]>([
    ["of the contract", "blockchain_mint", mint({ contractAddress: WRONG }), "/contractAddress", RIGHT],
    ["of who gets it", "blockchain_mint", mint({ parameters: { to: TO_WRONG } }), "/parameters", TO],
    ["beside templates", "blockchain_mint", mint({ parameters: { to: TO_WRONG }, ...templates }), "/parameters", TO],
    [
      "in a list, whatever else is still a template",
      "contract_call",
      mint({ ...list, parameters: [["{{ a }}"], "{{ n }}"].with(0, [TO, TO_WRONG]) }),
      "/parameters",
      TO,
    ],
  ])("%s", async (_, type, config, pointer, right) => {
    const found = { pointer, message: naming(right) };
    expect(configFindings(type, config)).toEqual([expect.objectContaining(found)]);
    const { outcome, calls } = await performed(type, config, node());
    expect(outcome).toMatchObject({ ok: false, error: { type: "invalid_configuration", retryable: false } });
    expect(calls).toEqual([]);
  });
});

test("a text that is no address has no checksum", () => {
  const uri = { to: TO, tokenURI: TO_WRONG };
  expect(configFindings("blockchain_mint", mint({ parameters: uri }))).toEqual([]);
  const abi = "function mint(bytes20 hash)";
  expect(configFindings("blockchain_mint", mint({ abi, parameters: { hash: TO_WRONG } }))).toEqual([]);
  expect(configFindings("blockchain_mint", mint({ parameters: { to: "{{ recipient }}" } }))).toEqual([]);
});
