// What a transaction offers for its gas: what the chain asks at the moment, what the definition says, and, where an
// earlier offer was too low, enough more for nodes to take the new one in its place.
import type { TxFees } from "#schema/signer.ts";
import type { Failure } from "../core/classify.ts";
import type { EvmConfig } from "./config.ts";
import { objectOf, quantity, type Rpc } from "./rpc.ts";

export type Priced = { readonly ok: true; readonly fees: TxFees } | ({ readonly ok: false } & Failure);

type Price = Pick<EvmConfig, "gasPrice" | "maxFeeCapGwei">;

/** Twice the base fee: it may rise by an eighth a block, so this lasts for six full blocks. */
const BASE_FEE_TIMES = 2n;
/** The usual node wants a tenth more of a replacement, and some want an eighth. */
const BUMP_PERMILLE = 1125n;

export async function feesFor(price: Price, rpc: Rpc): Promise<Priced> {
  const { gasPrice } = price;
  if (gasPrice !== "auto") {
    const fees = typeof gasPrice === "string" ? { maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice } : gasPrice;
    return within(fees, capOf(price));
  }
  const history = await rpc("eth_feeHistory", "0x4", "latest", [50]);
  if (!history.ok) return { ok: false, ...history.failure };
  const { baseFeePerGas = [], reward = [] } = objectOf(history.result) ?? {};
  const baseFee = quantity(Array.isArray(baseFeePerGas) ? (baseFeePerGas.at(-1) ?? null) : null);
  const paid = Array.isArray(reward) ? reward.map((block) => quantity(Array.isArray(block) ? block[0] : null)) : [];
  const tip = most(paid) || (await suggestedTip(rpc));
  const cap = capOf(price);
  if (cap !== null && cap < baseFee)
    return tooLow(`the chain asks for ${baseFee} wei, and maxFeeCapGwei allows ${cap}`);
  return within({ maxFeePerGas: String(baseFee * BASE_FEE_TIMES + tip), maxPriorityFeePerGas: String(tip) }, cap);
}

/** null: the cap does not allow as much more as a replacement needs. */
export function bumped(old: TxFees, wanted: TxFees, price: Price): TxFees | null {
  const tip = larger(raised(old.maxPriorityFeePerGas), BigInt(wanted.maxPriorityFeePerGas));
  const least = raised(old.maxFeePerGas);
  const fee = larger(larger(least, BigInt(wanted.maxFeePerGas)), tip);
  const cap = capOf(price) ?? ownCap(price);
  if (cap === null || fee <= cap) return { maxFeePerGas: String(fee), maxPriorityFeePerGas: String(tip) };
  return least <= cap && tip <= cap ? { maxFeePerGas: String(cap), maxPriorityFeePerGas: String(tip) } : null;
}

/** What the definition names as a price it does not want to exceed, unless it says how far. */
function ownCap({ gasPrice }: Price): bigint | null {
  if (gasPrice === "auto") return null;
  return BigInt(typeof gasPrice === "string" ? gasPrice : gasPrice.maxFeePerGas);
}

function capOf({ maxFeeCapGwei }: Price): bigint | null {
  return maxFeeCapGwei === undefined ? null : BigInt(Math.round(maxFeeCapGwei * 1e9));
}

function within(fees: TxFees, cap: bigint | null): Priced {
  const fee = smaller(BigInt(fees.maxFeePerGas), cap);
  const tip = smaller(BigInt(fees.maxPriorityFeePerGas), fee);
  return { ok: true, fees: { maxFeePerGas: String(fee), maxPriorityFeePerGas: String(tip) } };
}

async function suggestedTip(rpc: Rpc): Promise<bigint> {
  const suggested = await rpc("eth_maxPriorityFeePerGas");
  return suggested.ok ? quantity(suggested.result) : 0n;
}

export function tooLow(why: string): { readonly ok: false } & Failure {
  const error = { type: "gas_price_too_low", message: `the fee is too low: ${why}`, retryable: true, code: "fee_cap" };
  return { ok: false, error };
}

function raised(fee: string): bigint {
  return (BigInt(fee) * BUMP_PERMILLE) / 1000n + 1n;
}

function most(amounts: readonly bigint[]): bigint {
  return amounts.reduce(larger, 0n);
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function smaller(a: bigint, b: bigint | null): bigint {
  return b === null || a < b ? a : b;
}
