// Address reconciliation: maintains an address when an operator requests it, outside any run, with a connection of the
// tenant.
import { ACCOUNT_TIMEOUT_MS } from "#schema/limits/outgoing/responses.ts";
import type { MaintainAddressRequest, MaintainAddressAnswer, Signer } from "#schema/signer.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import { guardPorts } from "../core/guarded-ports.ts";
import { chainOf, networkOf } from "./chains.ts";
import { maintainAddress } from "./maintain-address.ts";
import { parseQuantity, rpcTo, type RpcPorts } from "./rpc.ts";
import type { AddressAccess } from "./wanted-transaction.ts";
import { walletOf } from "./wallet.ts";

type ReconcilePorts = Pick<RpcPorts, "fetch" | "now" | "allowLoopback"> & { readonly signer: Signer };

export async function reconcileAddress(
  request: MaintainAddressRequest,
  surroundings: ReconcilePorts,
): Promise<MaintainAddressAnswer> {
  const access = await openAccess(request, surroundings);
  if (!access.ok) return { ok: false, error: access.error };
  const maintained = await maintainAddress(access.on, { byPerson: true, dryRun: request.dryRun });
  return maintained.ok ? maintained : { ok: false, error: maintained.error };
}

/**
 * Prepares the access to the address, and checks that the node serves the right chain. On another chain, a missing
 * transaction would prove nothing.
 */
async function openAccess(
  { chainId, address, account, bounds }: MaintainAddressRequest,
  { signer, fetch: unguardedFetch, now, allowLoopback }: ReconcilePorts,
): Promise<{ readonly ok: true; readonly on: AddressAccess } | ({ readonly ok: false } & Failure)> {
  const walletResult = walletOf(account);
  if (!walletResult.ok) return walletResult;
  const { wallet } = walletResult;
  const from = wallet.address;
  if (from.toLowerCase() !== address.toLowerCase()) {
    const message = `the connection ${account.name} signs for ${from}, not for ${address}: name the connection of ${address}`;
    return { ok: false, ...configurationFailure(message, "address_mismatch") };
  }
  const chainResult = chainOf(networkOf(chainId), account);
  if (!chainResult.ok) return chainResult;
  const { chain } = chainResult;
  const ticket = { timeoutMs: ACCOUNT_TIMEOUT_MS };
  const { signal } = new AbortController();
  const { fetch } = guardPorts({ fetch: unguardedFetch }, bounds);
  const rpc = rpcTo(chain.rpcUrl, account, { fetch, now, allowLoopback, ticket, signal });
  const nodeChainId = await rpc("eth_chainId");
  if (!nodeChainId.ok) return { ok: false, ...nodeChainId.failure };
  if (parseQuantity(nodeChainId.result) !== BigInt(chainId)) {
    const message = `the node of the connection ${account.name} serves the chain ${parseQuantity(nodeChainId.result)}, not ${chainId}`;
    return { ok: false, ...configurationFailure(message, "chain_mismatch") };
  }
  return { ok: true, on: { chain, from, wallet, rpc, signer, config: {} } };
}
