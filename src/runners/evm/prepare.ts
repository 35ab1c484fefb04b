// Transaction preparation: estimates the gas, and checks whether the contract would revert and the balance suffices.
// All checks without cost happen here, before a nonce is reserved.
import type { TxFees } from "#schema/signer.ts";
import type { Failure } from "../core/classify.ts";
import { withoutCode } from "./contract-code.ts";
import { revertFailure, revertReason } from "./errors.ts";
import { feesFor } from "./fees.ts";
import { GAS_MIN } from "./gap.ts";
import { callOf } from "./receipt.ts";
import { hex, quantity } from "./rpc.ts";
import type { WantedTransaction } from "./wanted-transaction.ts";

export type PreparedTransaction =
  | { readonly ok: true; readonly fees: TxFees; readonly gas: string }
  | ({ readonly ok: false } & Failure);

/** The gas limit in percent of the estimate, because the chain's state may change before the block. */
const GAS_PERCENT = 120n;

export async function prepareTransaction(wanted: WantedTransaction): Promise<PreparedTransaction> {
  const { rpc, config, from, abi } = wanted;
  const gas = config.gasLimit === undefined ? {} : { gas: hex(config.gasLimit) };
  const [priced, balance, estimate, missing] = await Promise.all([
    feesFor(config, rpc),
    rpc("eth_getBalance", from, "latest"),
    rpc("eth_estimateGas", { ...callOf(wanted), ...gas }),
    withoutCode(wanted),
  ]);
  if (missing !== null) return { ok: false, ...missing };
  if (!priced.ok) return priced;
  if (!balance.ok) return { ok: false, ...balance.failure };
  const { fees } = priced;
  const estimated = estimate.ok ? (quantity(estimate.result) * GAS_PERCENT) / 100n : GAS_MIN;
  const limit = config.gasLimit === undefined ? estimated : BigInt(config.gasLimit);
  const needed = limit * BigInt(fees.maxFeePerGas) + BigInt(config.value);
  if (quantity(balance.result) < needed) return { ok: false, ...insufficient(from, quantity(balance.result), needed) };
  if (estimate.ok) return { ok: true, fees, gas: String(limit) };
  if (estimate.meaning !== "reverted" || estimate.said === null) return { ok: false, ...estimate.failure };
  return { ok: false, ...revertFailure(revertReason(estimate.said, abi), { simulated: true }) };
}

function insufficient(from: string, has: bigint, needed: bigint): Failure {
  const message = `${from} has ${has} wei, and the transaction may cost ${needed}`;
  const details = { address: from, balanceWei: String(has), neededWei: String(needed) };
  return { error: { type: "insufficient_funds", message, retryable: false, code: "insufficient_funds", details } };
}
