// Transactions: prepares a transaction from the config, and converts its result to an outcome. Both chain runners use
// this file.
import type { JsonObject } from "#schema/json.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { TxReceipt } from "#schema/signer.ts";
import { openAccount } from "../core/account.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import { callDataOf } from "./abi.ts";
import { chainOf } from "./chains.ts";
import type { Contracts } from "./contract-code.ts";
import type { EvmConfig } from "./config.ts";
import { rpcTo } from "./rpc.ts";
import { sendTransaction } from "./send.ts";
import { walletOf } from "./wallet.ts";
import type { TransactionResult, WantedTransaction } from "./wanted-transaction.ts";
import { failureOutcome, successOutcome } from "../core/outcomes.ts";
import type { RunnerContext } from "../core/runner.ts";

/** All runs of the isolate share this cache. A rehearsal has its own cache, because its chain is a mock. */
const contractsSeen: Contracts = new Map();

type Ready =
  | { readonly ok: true; readonly wanted: WantedTransaction; readonly account: string }
  | ({ readonly ok: false } & Failure);

export async function performOnChain(
  config: EvmConfig,
  context: RunnerContext,
  eventType: "nft_minted" | "contract_called",
): Promise<Outcome> {
  const startedAt = context.now();
  const span = () => ({ startedAt, endedAt: context.now() });
  const ready = await prepareWanted(config, context);
  if (!ready.ok) return failureOutcome(ready, span(), { network: config.network });
  const { wanted, account } = ready;
  const transactionResult = await sendTransaction(wanted);
  const metadata = metadataOf(wanted, transactionResult);
  switch (transactionResult.kind) {
    case "mined": {
      const payload = payloadOf(wanted, transactionResult.receipt, context.ticket.action);
      const result = resultOf(transactionResult.receipt);
      const done = successOutcome({ result, events: [{ type: eventType, payload }] }, span(), metadata);
      return { ...done, costEstimate: weiToCoins(transactionResult.receipt.feeWei) };
    }
    case "held": {
      const { until, hash, nonce, why } = transactionResult;
      const sent = `the transaction ${hash} (nonce ${nonce}) was sent and is pending`;
      const message = why === null ? sent : `${sent}; its result cannot be read: ${why}`;
      const error = { type: "awaiting_receipt", message, retryable: true, code: "awaiting_receipt" };
      const held = { reason: "awaiting_receipt", until, connection: account } as const;
      return { ok: false, error, held, ...span(), metadata };
    }
    case "failed": {
      const outcome = failureOutcome(transactionResult.failure, span(), metadata);
      return transactionResult.feeWei === null
        ? outcome
        : { ...outcome, costEstimate: weiToCoins(transactionResult.feeWei) };
    }
  }
}

async function prepareWanted(config: EvmConfig, context: RunnerContext): Promise<Ready> {
  const call = callDataOf(config);
  if (!call.ok) return call;
  const opened = await openAccount(context, config.connection, "evm", [["privateKey"]]);
  if (!opened.ok) return { ok: false, ...opened.failure };
  const { connection } = opened;
  const chainResult = chainOf(config.network, connection);
  if (!chainResult.ok) return chainResult;
  const walletResult = walletOf(connection);
  if (!walletResult.ok) return walletResult;
  const { chain } = chainResult;
  const { wallet } = walletResult;
  const from = wallet.address;
  const signer = context.signer?.(chain.id, from.toLowerCase());
  if (signer === undefined) {
    return { ok: false, ...configurationFailure("no signer is available to assign nonces", "signer_missing") };
  }
  const { data, abi } = call;
  const rpc = rpcTo(chain.rpcUrl, connection, context);
  const key = context.ticket.idempotencyKey;
  const contracts = context.tokens === undefined ? contractsSeen : new Map<string, number>();
  const wanted = { key, config, chain, from, data, abi, wallet, rpc, signer, contracts, now: context.now };
  return { ok: true, wanted, account: connection.name };
}

function metadataOf({ config, chain, from }: WantedTransaction, transactionResult: TransactionResult): JsonObject {
  const target = { network: config.network, chainId: chain.id, contractAddress: config.contractAddress, from };
  switch (transactionResult.kind) {
    case "mined": {
      const { transactionHash, feeWei } = transactionResult.receipt;
      return { ...target, transactionHash, gasCostWei: feeWei };
    }
    case "held":
      return { ...target, transactionHash: transactionResult.hash };
    case "failed": {
      const hash = transactionResult.hash === null ? {} : { transactionHash: transactionResult.hash };
      return {
        ...target,
        ...hash,
        ...(transactionResult.feeWei === null ? {} : { gasCostWei: transactionResult.feeWei }),
      };
    }
  }
}

function resultOf({ transactionHash, blockNumber, gasUsed, effectiveGasPrice, tokenId }: TxReceipt): JsonObject {
  const result = { transactionHash, blockNumber, gasUsed, effectiveGasPrice };
  return tokenId === null ? result : { ...result, tokenId };
}

function payloadOf({ config, from }: WantedTransaction, receipt: TxReceipt, actionId: string): JsonObject {
  const { network, contractAddress, function: name } = config;
  return { ...resultOf(receipt), network, contractAddress, function: name, from, actionId };
}

/** Converts wei to the chain's coin, which has eighteen decimals on every known chain. */
function weiToCoins(wei: string): number {
  return Number(wei) / 1e18;
}
