// Transaction receipts: read whether a transaction is pending, reverted, waiting for confirmations, or done.
import type { Json, JsonObject } from "#schema/json.ts";
import type { SignedTx, TxReceipt } from "#schema/signer.ts";
import type { Failure } from "../core/classify.ts";
import { revertFailure, revertReason } from "./errors.ts";
import { toHex, objectOf, parseQuantity } from "./rpc.ts";
import { maintainAddress } from "./maintain-address.ts";
import type { UnknownResult, TransactionResult, WantedTransaction } from "./wanted-transaction.ts";

/** keccak256("Transfer(address,address,uint256)"), the topic of ERC-721's Transfer event */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/**
 * Reads the receipt of any of the hashes, which belong to transactions with the same nonce. Returns null if no
 * transaction is mined.
 */
export async function readReceipt(
  wanted: WantedTransaction,
  tx: SignedTx,
  hashes = tx.hashes,
): Promise<TransactionResult | UnknownResult | null> {
  for (const hash of hashes) {
    const answer = await wanted.rpc("eth_getTransactionReceipt", hash);
    if (!answer.ok) return { kind: "dark", failure: answer.failure };
    const receipt = objectOf(answer.result);
    if (receipt !== null && receipt["blockNumber"]) return minedResult(wanted, tx, { hash, receipt });
  }
  return null;
}

type MinedReceipt = { readonly hash: string; readonly receipt: JsonObject };

async function minedResult(
  wanted: WantedTransaction,
  { nonce }: SignedTx,
  found: MinedReceipt,
): Promise<TransactionResult | UnknownResult> {
  const { key, signer, rpc, config, chain, now } = wanted;
  const summary = summaryOf(wanted, found);
  const isSuccessful = isSuccess(found.receipt["status"]);
  if (isSuccessful === null) return { kind: "dark", failure: missingStatusFailure(found.hash) };
  if (!isSuccessful) return revertedResult(wanted, summary);
  if (config.confirmations > 1) {
    const head = await rpc("eth_blockNumber");
    if (!head.ok) return { kind: "dark", failure: head.failure };
    const missing = config.confirmations - 1 - (Number(parseQuantity(head.result)) - summary.blockNumber);
    if (missing > 0) {
      await signer.wait({ key, blockMs: chain.blockMs });
      const until = now() + missing * chain.blockMs;
      return { kind: "held", until, hash: summary.transactionHash, nonce, why: null };
    }
  }
  const confirmed = await signer.confirm(key, summary);
  if (confirmed?.tend === true) await maintainAddress(wanted);
  return { kind: "mined", receipt: summary };
}

/**
 * Handles a reverted transaction. It repeats the call on the state of the transaction's block, because the answer
 * contains the contract's reason.
 */
async function revertedResult(wanted: WantedTransaction, summary: TxReceipt): Promise<TransactionResult> {
  const { key, signer, rpc, abi } = wanted;
  const repeated = await rpc("eth_call", callOf(wanted), toHex(summary.blockNumber));
  const reason = repeated.ok || repeated.nodeError === null ? null : revertReason(repeated.nodeError, abi);
  await signer.fail(key);
  const { transactionHash, blockNumber, gasUsed } = summary;
  const failure = revertFailure(reason, { transactionHash, blockNumber, gasUsed });
  return { kind: "failed", failure, hash: transactionHash, feeWei: summary.feeWei };
}

export function callOf({ from, config, data }: WantedTransaction): JsonObject {
  return { from, to: config.contractAddress, data, value: toHex(BigInt(config.value)) };
}

/** Returns whether the status means success; null if the status is neither success nor failure. */
function isSuccess(status: Json | undefined): boolean | null {
  const nodeError = typeof status === "string" ? /^0x0*([01])$/.exec(status)?.[1] : undefined;
  return nodeError === undefined ? null : nodeError === "1";
}

/** The failure of a receipt without a status, because the transaction's result is then unknown. */
function missingStatusFailure(hash: string): Failure {
  const message = `the node's receipt of ${hash} does not contain the result`;
  return { error: { type: "network_congestion", message, retryable: true, code: "answer_unreadable" } };
}

function summaryOf({ config }: WantedTransaction, { hash, receipt }: MinedReceipt): TxReceipt {
  const gasUsed = parseQuantity(receipt["gasUsed"]);
  const price = parseQuantity(receipt["effectiveGasPrice"]);
  return {
    transactionHash: hash,
    blockNumber: Number(parseQuantity(receipt["blockNumber"])),
    gasUsed: String(gasUsed),
    effectiveGasPrice: String(price),
    feeWei: String(gasUsed * price + parseQuantity(receipt["l1Fee"])),
    tokenId: findTokenId(receipt["logs"] ?? null, config.contractAddress),
  };
}

/** Finds the id of a new token. An ERC-721 contract logs a new token as a transfer from the zero address. */
function findTokenId(logs: Json, contract: string): string | null {
  if (!Array.isArray(logs)) return null;
  for (const log of logs.map(objectOf)) {
    const topics: Json = log?.["topics"] ?? null;
    if (!Array.isArray(topics) || topics.length !== 4 || topics[0] !== TRANSFER || parseQuantity(topics[1]) !== 0n)
      continue;
    if (String(log?.["address"]).toLowerCase() === contract.toLowerCase()) return String(parseQuantity(topics[3]));
  }
  return null;
}
