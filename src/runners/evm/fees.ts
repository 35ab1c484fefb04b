// Transaction fees: compute an offer from the chain's current price and the definition's limits, and raise it for a
// replacement.
import { formatGwei } from "viem/utils";
import type { TxFees } from "#schema/signer.ts";
import type { Failure } from "../core/classify.ts";
import type { EvmConfig } from "./config.ts";
import { objectOf, parseQuantity, type Rpc } from "./rpc.ts";

export type PricedFees = { readonly ok: true; readonly fees: TxFees } | ({ readonly ok: false } & Failure);

type Price = Pick<EvmConfig, "gasPrice" | "maxFeeCapGwei">;

/**
 * The offer is twice the base fee plus a tip. The base fee rises by at most an eighth per block, so the offer lasts for
 * six blocks.
 */
const BASE_FEE_TIMES = 2n;
/**
 * How much a replacement must raise the fee, in thousandths. Most nodes require a tenth more, and some require an
 * eighth more.
 */
const BUMP_PERMILLE = 1125n;

/** The chain's current price per gas, in wei. */
type Market = { readonly baseFee: bigint; readonly tip: bigint };

export async function feesFor(price: Price, rpc: Rpc): Promise<PricedFees> {
  const { gasPrice } = price;
  const market = await readMarket(rpc);
  if (gasPrice !== "auto") {
    const fees = typeof gasPrice === "string" ? { maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice } : gasPrice;
    // If the market price cannot be read, a fixed price is not checked. The chain may have no base fee.
    const fixed = market.ok ? fixedPriceFailure(price, market) : null;
    return fixed === null ? cappedFees(fees, capOf(price)) : { ok: false, ...fixed };
  }
  if (!market.ok) return market;
  const { baseFee, tip } = market;
  const cap = capOf(price);
  if (cap !== null && cap < baseFee) {
    const problem = `the chain's price is ${formatInGwei(baseFee)}, but maxFeeCapGwei allows only ${formatInGwei(cap)}`;
    return {
      ok: false,
      ...feeTooLow(`${problem}: set maxFeeCapGwei to ${formatInGwei(sufficientFee(market))} or more, or wait`, {
        code: "fee_cap",
      }),
    };
  }
  return cappedFees({ maxFeePerGas: String(sufficientFee(market)), maxPriorityFeePerGas: String(tip) }, cap);
}

/**
 * Returns a failure if a fixed price is too low for the current blocks. The failure names a sufficient price. Returns
 * null if the price suffices.
 */
function fixedPriceFailure(price: Price, market: Market): Failure | null {
  const own = ownCap(price);
  const most = capOf(price) ?? own;
  if (own === null || most === null || most >= market.baseFee) return null;
  return feeTooLow(`gasPrice offers ${formatInGwei(most)}, ${priceAdvice(market)}`, { code: "below_base_fee" });
}

/** Describes the chain's current price and a sufficient setting, for error messages. */
function priceAdvice(market: Market): string {
  const { baseFee, tip } = market;
  const enough = sufficientFee(market);
  return `and the chain's price is now ${formatInGwei(baseFee)} plus a tip (usually ${formatInGwei(tip)}): set gasPrice to "auto", or maxFeePerGas to ${enough} (${formatInGwei(enough)}) or more`;
}

/**
 * Builds the failure of an offer that is too low for the node or the current blocks. The failure names a sufficient
 * price.
 */
export async function tooLowOfferFailure(
  { maxFeePerGas }: TxFees,
  rpc: Rpc,
  { by, code }: { readonly by: string; readonly code: string },
): Promise<Failure> {
  const market = await readMarket(rpc);
  const offer = formatInGwei(BigInt(maxFeePerGas));
  return feeTooLow(market.ok ? `${by} at ${offer}, ${priceAdvice(market)}` : `${by} at ${offer}`, { code });
}

/** Returns true if the current base fee exceeds the offer. */
export async function isBelowBaseFee({ maxFeePerGas }: TxFees, rpc: Rpc): Promise<boolean> {
  const market = await readMarket(rpc);
  return market.ok && BigInt(maxFeePerGas) < market.baseFee;
}

async function readMarket(rpc: Rpc): Promise<({ readonly ok: true } & Market) | ({ readonly ok: false } & Failure)> {
  const history = await rpc("eth_feeHistory", "0x4", "latest", [50]);
  if (!history.ok) return { ok: false, ...history.failure };
  const { baseFeePerGas = [], reward = [] } = objectOf(history.result) ?? {};
  const baseFee = parseQuantity(Array.isArray(baseFeePerGas) ? (baseFeePerGas.at(-1) ?? null) : null);
  const paid = Array.isArray(reward)
    ? reward.map((block) => parseQuantity(Array.isArray(block) ? block[0] : null))
    : [];
  return { ok: true, baseFee, tip: maximum(paid) || (await suggestedTip(rpc)) };
}

function sufficientFee({ baseFee, tip }: Market): bigint {
  return baseFee * BASE_FEE_TIMES + tip;
}

/** Returns the fees of a replacement; null if the fee cap does not allow the raise that nodes require. */
export function bumpFees(old: TxFees, wanted: TxFees, price: Price): TxFees | null {
  const tip = larger(raisedFee(old.maxPriorityFeePerGas), BigInt(wanted.maxPriorityFeePerGas));
  const least = raisedFee(old.maxFeePerGas);
  const fee = larger(larger(least, BigInt(wanted.maxFeePerGas)), tip);
  const cap = capOf(price) ?? ownCap(price);
  if (cap === null || fee <= cap) return { maxFeePerGas: String(fee), maxPriorityFeePerGas: String(tip) };
  return least <= cap && tip <= cap ? { maxFeePerGas: String(cap), maxPriorityFeePerGas: String(tip) } : null;
}

/** Returns the fee limit that a fixed gas price implies; null for the gas price "auto". */
function ownCap({ gasPrice }: Price): bigint | null {
  if (gasPrice === "auto") return null;
  return BigInt(typeof gasPrice === "string" ? gasPrice : gasPrice.maxFeePerGas);
}

function capOf({ maxFeeCapGwei }: Price): bigint | null {
  return maxFeeCapGwei === undefined ? null : BigInt(Math.round(maxFeeCapGwei * 1e9));
}

function cappedFees(fees: TxFees, cap: bigint | null): PricedFees {
  const fee = smaller(BigInt(fees.maxFeePerGas), cap);
  const tip = smaller(BigInt(fees.maxPriorityFeePerGas), fee);
  return { ok: true, fees: { maxFeePerGas: String(fee), maxPriorityFeePerGas: String(tip) } };
}

async function suggestedTip(rpc: Rpc): Promise<bigint> {
  const suggested = await rpc("eth_maxPriorityFeePerGas");
  return suggested.ok ? parseQuantity(suggested.result) : 0n;
}

function feeTooLow(problem: string, { code }: { readonly code: string }): Failure {
  const error = { type: "gas_price_too_low", message: `the fee is too low: ${problem}`, retryable: true, code };
  return { error };
}

function formatInGwei(wei: bigint): string {
  return `${formatGwei(wei)} gwei`;
}

function raisedFee(fee: string): bigint {
  return (BigInt(fee) * BUMP_PERMILLE) / 1000n + 1n;
}

function maximum(amounts: readonly bigint[]): bigint {
  return amounts.reduce(larger, 0n);
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function smaller(a: bigint, b: bigint | null): bigint {
  return b === null || a < b ? a : b;
}
