// Mock chain of rehearsals: its node accepts and mines every transaction immediately, and its signer starts at nonce 0.
import { keccak256 } from "viem/utils";
import type { Hex } from "viem";
import type { Json, JsonObject } from "#schema/json.ts";
import type { SignedTx, Signer } from "#schema/signer.ts";
import { toHex } from "../evm/rpc.ts";

const GWEI = 1_000_000_000n;
const BLOCK = 1_000n;
/** The current block of the mock chain. It is high enough for the maximum number of confirmations. */
const HEAD = BLOCK + 1_000n;

export function chainAnswer({ id = 1, method, params }: JsonObject): JsonObject {
  const [first] = Array.isArray(params) ? (params as readonly Json[]) : [];
  return { jsonrpc: "2.0", id, result: resultOf(String(method), first ?? null) };
}

function resultOf(method: string, first: Json): Json {
  switch (method) {
    case "eth_feeHistory":
      return { baseFeePerGas: [toHex(GWEI), toHex(GWEI)], reward: [[toHex(GWEI)]] };
    case "eth_maxPriorityFeePerGas":
      return toHex(GWEI);
    case "eth_getBalance":
      return toHex(10n ** 24n);
    case "eth_estimateGas":
      return toHex(100_000);
    case "eth_getCode":
      return "0x6001";
    case "eth_getTransactionCount":
      return toHex(0);
    case "eth_sendRawTransaction":
      return keccak256(first as Hex); // the runner's own signed transaction
    case "eth_getTransactionReceipt":
      return receiptOf(first);
    case "eth_blockNumber":
      return toHex(HEAD);
  }
  return "0x"; // any other request gets an empty answer
}

function receiptOf(transactionHash: Json): JsonObject {
  const price = toHex(2n * GWEI);
  return {
    transactionHash,
    blockNumber: toHex(BLOCK),
    status: toHex(1),
    gasUsed: toHex(100_000),
    effectiveGasPrice: price,
    logs: [],
  };
}

/** A signer that stores the rehearsal's only transaction. */
export function rehearsalSigner(now: () => number): Signer {
  let tx: SignedTx | null = null;
  let since: number | null = null;
  return {
    find: async () => (tx === null ? { kind: "none" } : { kind: "signed", tx, isStuck: false }),
    reserve: async () => ({ kind: "reserved", nonce: 0 }),
    store: async ({ nonce, raw, hash, fees, gas, replaces }) => {
      const hashes = replaces === null ? [hash] : [hash, ...(tx?.hashes ?? [])];
      tx = { nonce, raw, hashes, fees, gas, signedAt: now(), sentAt: null };
      return { kind: "signed", tx };
    },
    wait: async ({ blockMs }) => {
      since ??= now();
      return { until: now() + blockMs, since, resend: [], gap: null };
    },
    renew: async () => {
      tx = null;
      return { kind: "renewed" };
    },
    releaseNonce: async () => {
      tx = null;
    },
    confirm: async () => undefined,
    fail: async () => {
      tx = null;
    },
    planMaintenance: async () => ({ resend: [], released: [], gap: null, check: [] }),
    recordMined: async () => ({ mined: [], lost: [] }),
    overview: async () => ({ next: null, free: [], reserved: [], inFlight: [], kept: [], seen: null, stuck: null }),
  };
}
