// Nonce gaps: close a gap with an empty transfer from the address to itself, so that later transactions can be mined.
// If this fails, the next transaction tries again.
import type { NonceGap } from "#schema/signer.ts";
import { feesFor } from "./fees.ts";
import { parseQuantity } from "./rpc.ts";
import type { AddressAccess } from "./wanted-transaction.ts";

/** The gas of a plain transfer, the least that a transaction uses. */
export const GAS_MIN = 21_000n;

export async function closeGap(on: AddressAccess, gap: NonceGap): Promise<void> {
  const { signer, chain, rpc, wallet, from } = on;
  const { key } = gap;
  const offer = await feesFor({ ...on.config, gasPrice: "auto" }, rpc);
  if (!offer.ok) return;
  const { fees } = offer;
  const estimate = await rpc("eth_estimateGas", { from, to: from, value: "0x0" });
  const gas = String((estimate.ok && parseQuantity(estimate.result)) || GAS_MIN); // rollups use more gas than this minimum
  const reserved = await signer.reserve({ key, blockMs: chain.blockMs, chainNonce: null, gap: gap.nonce });
  if (reserved.kind !== "reserved") return;
  const { nonce } = reserved;
  const { raw, hash } = await wallet.sign({ chainId: chain.id, nonce, to: from, data: "0x", value: "0", gas, fees });
  const stored = await signer.store({ key, nonce, raw, hash, fees, gas, replaces: null });
  if (stored.kind === "signed") await rpc("eth_sendRawTransaction", stored.tx.raw);
}
