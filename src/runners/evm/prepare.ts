// Transaction preparation: estimates the gas, and checks whether the contract would revert and the balance suffices.
// All checks that cost nothing happen here, before a nonce is reserved.
import type { TxFees } from "#schema/signer.ts";
import type { Failure } from "../core/classify.ts";
import { checkContractCode } from "./contract-code.ts";
import { revertFailure, revertReason } from "./errors.ts";
import { feesFor } from "./fees.ts";
import { GAS_MIN } from "./gap.ts";
import { callOf } from "./receipt.ts";
import { toHex, parseQuantity } from "./rpc.ts";
import type { WantedTransaction } from "./wanted-transaction.ts";

export type PreparedTransaction =
  | { readonly ok: true; readonly fees: TxFees; readonly gas: string }
  | ({ readonly ok: false } & Failure);

/**
 * The gas limit in percent of the estimate. It exceeds 100, because the chain's state may change before the transaction
 * is mined.
 */
const GAS_PERCENT = 120n;

export async function prepareTransaction(wanted: WantedTransaction): Promise<PreparedTransaction> {
  const { rpc, config, from, abi } = wanted;
  const gas = config.gasLimit === undefined ? {} : { gas: toHex(config.gasLimit) };
  const [offer, balance, estimate, noCode] = await Promise.all([
    feesFor(config, rpc),
    rpc("eth_getBalance", from, "latest"),
    rpc("eth_estimateGas", { ...callOf(wanted), ...gas }),
    checkContractCode(wanted),
  ]);
  if (noCode !== null) return { ok: false, ...noCode };
  if (!offer.ok) return offer;
  if (!balance.ok) return { ok: false, ...balance.failure };
  const { fees } = offer;
  const estimated = estimate.ok ? (parseQuantity(estimate.result) * GAS_PERCENT) / 100n : GAS_MIN;
  const limit = config.gasLimit === undefined ? estimated : BigInt(config.gasLimit);
  const needed = limit * BigInt(fees.maxFeePerGas) + BigInt(config.value);
  if (parseQuantity(balance.result) < needed)
    return { ok: false, ...insufficient(from, parseQuantity(balance.result), needed) };
  if (estimate.ok) return { ok: true, fees, gas: String(limit) };
  if (estimate.meaning !== "reverted" || estimate.nodeError === null) return { ok: false, ...estimate.failure };
  return { ok: false, ...revertFailure(revertReason(estimate.nodeError, abi), { simulated: true }) };
}

function insufficient(from: string, balanceWei: bigint, needed: bigint): Failure {
  const message = `${from} has ${balanceWei} wei, but the transaction may cost ${needed}`;
  const details = { address: from, balanceWei: String(balanceWei), neededWei: String(needed) };
  return { error: { type: "insufficient_funds", message, retryable: false, code: "insufficient_funds", details } };
}
