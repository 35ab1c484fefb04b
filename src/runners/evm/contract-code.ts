// Contract code check: refuses a contract address without code. A call to it would be mined, change nothing and look
// like a success.
import { CONTRACTS_CACHED_MAX, CONTRACT_CACHED_MS } from "#schema/limits/outgoing/blockchain.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import type { WantedTransaction } from "./wanted-transaction.ts";

/**
 * The contracts that have code. The key is the node and the address; the value is the time until which the result is
 * cached. A missing code is never cached.
 */
export type Contracts = Map<string, number>;

/** Returns a failure if the address has no code; null if it has code. */
export async function checkContractCode({
  rpc,
  chain,
  config,
  contracts,
  now,
}: WantedTransaction): Promise<Failure | null> {
  const { contractAddress, network } = config;
  const cacheKey = `${chain.id} ${chain.rpcUrl} ${contractAddress.toLowerCase()}`;
  if ((contracts.get(cacheKey) ?? 0) > now()) return null;
  const code = await rpc("eth_getCode", contractAddress, "latest");
  if (!code.ok) return code.failure;
  if (typeof code.result === "string" && /^0x(?:00)*$/.test(code.result))
    return noContractFailure(contractAddress, network);
  if (contracts.size >= CONTRACTS_CACHED_MAX) contracts.clear();
  contracts.set(cacheKey, now() + CONTRACT_CACHED_MS);
  return null;
}

function noContractFailure(address: string, network: string): Failure {
  const message = `contractAddress: there is no contract at ${address} on ${network} (no code), so nothing was sent: correct the address or the network, or retry after it is deployed`;
  return configurationFailure(message, "no_contract");
}
