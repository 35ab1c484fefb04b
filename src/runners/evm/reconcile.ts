// Address reconciliation: maintains an address on an operator's request, outside any run, with a connection of the
// tenant.
import { ACCOUNT_TIMEOUT_MS } from "#schema/limits/outgoing/responses.ts";
import type { MaintainAddressRequest, MaintainAddressAnswer, Signer } from "#schema/signer.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import { guardPorts } from "../core/guarded-ports.ts";
import { chainOf, networkOf } from "./chains.ts";
import { maintainAddress } from "./maintain-address.ts";
import { quantity, rpcTo, type Caller } from "./rpc.ts";
import type { AddressAccess } from "./wanted-transaction.ts";
import { walletOf } from "./wallet.ts";

type Surroundings = Pick<Caller, "fetch" | "now" | "allowLoopback"> & { readonly signer: Signer };

export async function reconcileAddress(
  asked: MaintainAddressRequest,
  surroundings: Surroundings,
): Promise<MaintainAddressAnswer> {
  const ready = await readyFor(asked, surroundings);
  if (!ready.ok) return { ok: false, error: ready.error };
  const cared = await maintainAddress(ready.on, { byPerson: true, dryRun: asked.dryRun });
  return cared.ok ? cared : { ok: false, error: cared.error };
}

/**
 * Prepares the access, and checks that the node serves the right chain: on another chain missing transactions prove
 * nothing.
 */
async function readyFor(
  { chainId, address, account, bounds }: MaintainAddressRequest,
  { signer, fetch: unwatched, now, allowLoopback }: Surroundings,
): Promise<{ readonly ok: true; readonly on: AddressAccess } | ({ readonly ok: false } & Failure)> {
  const owner = walletOf(account);
  if (!owner.ok) return owner;
  const { wallet } = owner;
  const from = wallet.address;
  if (from.toLowerCase() !== address.toLowerCase()) {
    const message = `the connection ${account.name} signs for ${from}, not for ${address}: name the connection of ${address}`;
    return { ok: false, ...configurationFailure(message, "address_mismatch") };
  }
  const found = chainOf(networkOf(chainId), account);
  if (!found.ok) return found;
  const { chain } = found;
  const ticket = { timeoutMs: ACCOUNT_TIMEOUT_MS };
  const { signal } = new AbortController();
  const { fetch } = guardPorts({ fetch: unwatched }, bounds);
  const rpc = rpcTo(chain.rpcUrl, account, { fetch, now, allowLoopback, ticket, signal });
  const serves = await rpc("eth_chainId");
  if (!serves.ok) return { ok: false, ...serves.failure };
  if (quantity(serves.result) !== BigInt(chainId)) {
    const message = `the node of the connection ${account.name} serves the chain ${quantity(serves.result)}, not ${chainId}`;
    return { ok: false, ...configurationFailure(message, "chain_mismatch") };
  }
  return { ok: true, on: { chain, from, wallet, rpc, signer, config: {} } };
}
