// Mock node: answers each JSON-RPC method with a value, an error, or a function of its parameters.
import type { Json, JsonObject } from "#schema/json.ts";
import { jsonResponse, type Answer } from "#test/runners/world.ts";

export const HASH = `0x${"ab".repeat(32)}`;
export const CONTRACT = "0x5FbDB2315678afecb367f032d93F642f64180aa3";
export const PRIVATE_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

type Method = Json | ((...params: readonly Json[]) => Json | Response);
export type Methods = { readonly [method: string]: Method };

const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const word = (value: number) => `0x${value.toString(16).padStart(64, "0")}`;

const receipt = {
  status: "0x1",
  transactionHash: HASH,
  blockNumber: "0x7",
  gasUsed: "0x186a0",
  effectiveGasPrice: "0x3b9aca00",
  l1Fee: "0x5",
  logs: [{ address: CONTRACT.toLowerCase(), topics: [TRANSFER, word(0), word(1), word(42)], data: "0x" }],
};

const usual: Methods = {
  eth_feeHistory: { baseFeePerGas: ["0x1", "0x3b9aca00"], reward: [["0x0"], ["0x5f5e100"]] },
  eth_getBalance: "0xde0b6b3a7640000",
  eth_estimateGas: "0x186a0",
  eth_getCode: "0x6001",
  eth_getTransactionCount: "0x3",
  eth_sendRawTransaction: HASH,
  eth_getTransactionReceipt: receipt,
};

/** Builds the node's answers. An error is given as `{ error: { code, message, data } }`. */
export function node(over: Methods = {}): Answer {
  return async ({ request }) => {
    const { id, method, params } = (await request.clone().json()) as { id: number; method: string; params: Json[] };
    const methods: Methods = { ...usual, ...over };
    const unknown = { error: { code: -32601, message: `no ${method}` } };
    const given: Method = Object.hasOwn(methods, method) ? (methods[method] ?? null) : unknown;
    const answer = typeof given === "function" ? given(...params) : given;
    if (answer instanceof Response) return answer;
    const error =
      answer !== null && typeof answer === "object" && "error" in answer ? (answer as JsonObject)["error"] : null;
    return jsonResponse(error === null ? { jsonrpc: "2.0", id, result: answer } : { jsonrpc: "2.0", id, error });
  };
}
