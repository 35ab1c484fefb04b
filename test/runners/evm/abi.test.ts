// Tests of call data: encodes functions and parameters.
import { describe, expect, test } from "vitest";
import { decodeFunctionData, parseAbi } from "viem";
import { callDataOf } from "#runners/evm/abi.ts";
import { callConfig } from "#runners/evm/config.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { CONTRACT } from "./evm-node.ts";
import { naming } from "#test/support/matchers/naming.ts";

const TO = "0x000000000000000000000000000000000000dEaD";

function called(config: JsonObject) {
  return callDataOf(callConfig.parse({ contractAddress: CONTRACT, function: "mint", ...config }));
}

function decoded(signature: string, config: JsonObject) {
  const call = called(config);
  if (!call.ok) throw new Error(call.error.message);
  return decodeFunctionData({ abi: parseAbi([signature] as readonly string[]), data: call.data }).args;
}

describe("a mint without an ABI", () => {
  test.each<readonly [string, JsonObject, readonly unknown[]]>([
    ["mint(address)", { to: TO }, [TO]],
    ["mint(address, string)", { tokenURI: "ipfs://x", to: TO }, [TO, "ipfs://x"]],
    [
      "mint(address, string, string)",
      { to: TO, tokenURI: "ipfs://x", certificateData: "0xfeed" },
      [TO, "ipfs://x", "0xfeed"],
    ],
    ["mint(address, uint256)", { to: TO, tokenId: 7 }, [TO, 7n]],
    ["mint(address, uint256)", { to: TO, amount: "1000000000000000000000" }, [TO, 10n ** 21n]],
    ["mint(address, uint256, string)", { to: TO, tokenId: "0x10", tokenURI: "x" }, [TO, 16n, "x"]],
  ])("is %s", (signature, parameters, args) => {
    expect(decoded(`function ${signature}`, { parameters })).toEqual(args);
  });

  test.each<readonly [string, JsonObject]>([
    ["with parameters nobody knows", { parameters: { to: TO, colour: "red" } }],
    ["with a list", { parameters: [TO] }],
    ["for another function", { function: "issue", parameters: { to: TO } }],
  ])("is refused for %s", (_, config) => {
    expect(called(config)).toMatchObject({
      ok: false,
      error: { type: "invalid_configuration", code: "abi_missing", message: naming("ABI") },
    });
  });
});

describe("an ABI", () => {
  const tuple = "function issue((address owner, uint8[] grades) certificate, bool sealed, bytes32 hash)";
  const hash = `0x${"11".repeat(32)}`;

  test("may be text, with structs and lists as parameters", () => {
    const parameters = { certificate: { owner: TO, grades: [1, "2"] }, sealed: "true", hash };
    const args = decoded(tuple, { function: "issue", abi: tuple, parameters });
    expect(args).toEqual([{ owner: TO, grades: [1, 2] }, true, hash]);
    expect(decoded(tuple, { function: "issue", abi: [tuple], parameters: [[TO, []], false, hash] })).toEqual([
      { owner: TO, grades: [] },
      false,
      hash,
    ]);
  });

  test("may be JSON, with unnamed structs", () => {
    const inputs = [
      {
        type: "tuple",
        name: "",
        components: [
          { type: "address", name: "" },
          { type: "string", name: "" },
        ],
      },
    ];
    const abi = { type: "function", name: "issue", stateMutability: "nonpayable", inputs, outputs: [] };
    expect(decoded("function issue((address, string))", { function: "issue", abi, parameters: [[TO, 7]] })).toEqual([
      [TO, "7"],
    ]);
  });

  test("with overloads: uses the one that accepts the parameters", () => {
    const abi = [
      "function mint(address to)",
      "function mint(address to, string uri)",
      "function mint(address to, uint256 id)",
    ];
    expect(decoded(abi[2] ?? "", { abi, parameters: { to: TO, id: 1 } })).toEqual([TO, 1n]);
    expect(decoded(abi[0] ?? "", { abi, parameters: [TO] })).toEqual([TO]);
    expect(called({ abi, parameters: [TO, 1] })).toMatchObject({ error: { code: "function_ambiguous" } });
  });

  test.each<readonly [string, JsonObject, code: string, values: readonly (string | number)[]]>([
    ["has no such function", { abi: "function burn(uint256 id)" }, "function_missing", ["function:"]],
    ["only reads", { abi: "function mint() view returns (uint256)" }, "function_reads_only", ["function:"]],
    ["is no ABI", { abi: "function mint(" }, "call_invalid", ["abi"]],
    [
      "is not all that is given",
      { abi: "function mint(address to)", parameters: { to: TO, x: 1 } },
      "parameters_invalid",
      ["parameters:", "x"],
    ],
    [
      "is more than what is given",
      { abi: "function mint(address to)", parameters: {} },
      "parameters_invalid",
      ["parameters:", "to"],
    ],
    [
      "has fewer places",
      { abi: "function mint(address to)", parameters: [TO, 1] },
      "parameters_invalid",
      ["parameters:", 2, 1],
    ],
    [
      "has no names",
      { abi: "function mint(address)", parameters: { to: TO } },
      "parameters_invalid",
      ["parameters:", "ABI"],
    ],
    [
      "wants a list",
      { abi: "function mint(uint8[] ids)", parameters: { ids: 7 } },
      "parameters_invalid",
      ["parameters.ids:"],
    ],
    [
      "wants a structure",
      { abi: "function mint((uint8 a) x)", parameters: { x: 7 } },
      "parameters_invalid",
      ["parameters.x"],
    ],
  ])("that %s is refused", (_, config, code, values) => {
    expect(called(config)).toMatchObject({ ok: false, error: { code, message: naming(...values), retryable: false } });
  });

  test.each<readonly [string, Json]>([
    ["uint8", 300],
    ["uint256", -1],
    ["uint256", 1.5],
    ["uint256", 2 ** 53],
    ["uint256", "seven"],
    ["bool", "yes"],
    ["bool", 1],
    ["string", true],
    ["address", "0x12"],
    ["bytes32", "0x11"],
    ["bytes", "text"],
    ["string", null],
  ])("accepts no %s from %j", (type, value) => {
    expect(called({ abi: `function mint(${type} x)`, parameters: { x: value } })).toMatchObject({
      ok: false,
      error: { type: "invalid_configuration", retryable: false },
    });
  });
});
