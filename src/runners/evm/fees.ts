// Transaction fees: compute an offer from the chain's current price and the definition's limits, and raise it for a
// replacement.
import { formatGwei } from "viem/utils";
import type { TxFees } from "#schema/signer.ts";
import type { Failure } from "../core/classify.ts";
import type { EvmConfig } from "./config.ts";
import { objectOf, quantity, type Rpc } from "./rpc.ts";

export type PricedFees = { readonly ok: true; readonly fees: TxFees } | ({ readonly ok: false } & Failure);

type Price = Pick<EvmConfig, "gasPrice" | "maxFeeCapGwei">;

/**
 * The offer is twice the base fee plus a tip. The base fee rises by at most an eighth per block, so the offer lasts for
 * six blocks.
 */
const BASE_FEE_TIMES = 2n;
/** How much a replacement must raise the fee, in thousandths. Most nodes require a tenth more, some an eighth. */
const BUMP_PERMILLE = 1125n;

/** The chain's current price per gas, in wei. */
type Market = { readonly baseFee: bigint; readonly tip: bigint };

export async function feesFor(price: Price, rpc: Rpc): Promise<PricedFees> {
  const { gasPrice } = price;
  const market = await marketOn(rpc);
  if (gasPrice !== "auto") {
    const fees = typeof gasPrice === "string" ? { maxFeePerGas: gasPrice, maxPriorityFeePerGas: gasPrice } : gasPrice;
    // Without market data a fixed price is used unchecked: the chain may have no base fee.
    const fixed = market.ok ? fixedTooLow(price, market) : null;
    return fixed === null ? within(fees, capOf(price)) : { ok: false, ...fixed };
  }
  if (!market.ok) return market;
  const { baseFee, tip } = market;
  const cap = capOf(price);
  if (cap !== null && cap < baseFee) {
    const why = `the chain's price is ${inGwei(baseFee)}, and maxFeeCapGwei allows ${inGwei(cap)}`;
    return {
      ok: false,
      ...tooLow(`${why}: set it to ${inGwei(lasting(market))} or more, or wait`, { code: "fee_cap" }),
    };
  }
  return within({ maxFeePerGas: String(lasting(market)), maxPriorityFeePerGas: String(tip) }, cap);
}

/** Returns a failure if a fixed price is too low for the current blocks, with a sufficient price. Null: it suffices. */
function fixedTooLow(price: Price, market: Market): Failure | null {
  const own = ownCap(price);
  const most = capOf(price) ?? own;
  if (own === null || most === null || most >= market.baseFee) return null;
  return tooLow(`gasPrice offers ${inGwei(most)}, ${asked(market)}`, { code: "below_base_fee" });
}

/** Describes the chain's price and a sufficient setting, for the error messages. */
function asked(market: Market): string {
  const { baseFee, tip } = market;
  const enough = lasting(market);
  return `and the chain's price is ${inGwei(baseFee)} now, plus a tip (others pay ${inGwei(tip)}): set gasPrice to "auto", or maxFeePerGas to ${enough} (${inGwei(enough)}) or more`;
}

/** Builds the failure of an offer that is too low for the node or the current blocks, with a sufficient price. */
export async function offeredTooLittle(
  { maxFeePerGas }: TxFees,
  rpc: Rpc,
  { by, code }: { readonly by: string; readonly code: string },
): Promise<Failure> {
  const market = await marketOn(rpc);
  const offer = inGwei(BigInt(maxFeePerGas));
  return tooLow(market.ok ? `${by} at ${offer}, ${asked(market)}` : `${by} at ${offer}`, { code });
}

/** Whether the current base fee exceeds the offer. */
export async function isOutgrown({ maxFeePerGas }: TxFees, rpc: Rpc): Promise<boolean> {
  const market = await marketOn(rpc);
  return market.ok && BigInt(maxFeePerGas) < market.baseFee;
}

async function marketOn(rpc: Rpc): Promise<({ readonly ok: true } & Market) | ({ readonly ok: false } & Failure)> {
  const history = await rpc("eth_feeHistory", "0x4", "latest", [50]);
  if (!history.ok) return { ok: false, ...history.failure };
  const { baseFeePerGas = [], reward = [] } = objectOf(history.result) ?? {};
  const baseFee = quantity(Array.isArray(baseFeePerGas) ? (baseFeePerGas.at(-1) ?? null) : null);
  const paid = Array.isArray(reward) ? reward.map((block) => quantity(Array.isArray(block) ? block[0] : null)) : [];
  return { ok: true, baseFee, tip: most(paid) || (await suggestedTip(rpc)) };
}

function lasting({ baseFee, tip }: Market): bigint {
  return baseFee * BASE_FEE_TIMES + tip;
}

/** Returns the fees of a replacement. Null: the cap does not allow the raise that nodes require. */
export function bumpFees(old: TxFees, wanted: TxFees, price: Price): TxFees | null {
  const tip = larger(raised(old.maxPriorityFeePerGas), BigInt(wanted.maxPriorityFeePerGas));
  const least = raised(old.maxFeePerGas);
  const fee = larger(larger(least, BigInt(wanted.maxFeePerGas)), tip);
  const cap = capOf(price) ?? ownCap(price);
  if (cap === null || fee <= cap) return { maxFeePerGas: String(fee), maxPriorityFeePerGas: String(tip) };
  return least <= cap && tip <= cap ? { maxFeePerGas: String(cap), maxPriorityFeePerGas: String(tip) } : null;
}

/** Returns the limit that a fixed gas price implies. Null for "auto". */
function ownCap({ gasPrice }: Price): bigint | null {
  if (gasPrice === "auto") return null;
  return BigInt(typeof gasPrice === "string" ? gasPrice : gasPrice.maxFeePerGas);
}

function capOf({ maxFeeCapGwei }: Price): bigint | null {
  return maxFeeCapGwei === undefined ? null : BigInt(Math.round(maxFeeCapGwei * 1e9));
}

function within(fees: TxFees, cap: bigint | null): PricedFees {
  const fee = smaller(BigInt(fees.maxFeePerGas), cap);
  const tip = smaller(BigInt(fees.maxPriorityFeePerGas), fee);
  return { ok: true, fees: { maxFeePerGas: String(fee), maxPriorityFeePerGas: String(tip) } };
}

async function suggestedTip(rpc: Rpc): Promise<bigint> {
  const suggested = await rpc("eth_maxPriorityFeePerGas");
  return suggested.ok ? quantity(suggested.result) : 0n;
}

function tooLow(why: string, { code }: { readonly code: string }): Failure {
  const error = { type: "gas_price_too_low", message: `the fee is too low: ${why}`, retryable: true, code };
  return { error };
}

function inGwei(wei: bigint): string {
  return `${formatGwei(wei)} gwei`;
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
