// Chains: the known networks. For any other network, the connection sets the chain's id and the URL of a node.
import {
  arbitrum,
  arbitrumSepolia,
  base,
  baseSepolia,
  mainnet,
  optimism,
  optimismSepolia,
  polygon,
  polygonAmoy,
  sepolia,
} from "viem/chains";
import { BLOCK_MS_MIN } from "#schema/limits/outgoing/blockchain.ts";
import { defaults } from "#schema/defaults.ts";
import { setting } from "../core/account.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import type { OpenConnection } from "../core/runner.ts";

export type Chain = {
  readonly id: number;
  readonly rpcUrl: string;
  /** The approximate time between blocks, in milliseconds. */
  readonly blockMs: number;
};

type Account = Pick<OpenConnection, "name" | "baseUrl" | "credentials" | "settings">;

const CHAINS = {
  mainnet,
  sepolia,
  base,
  "base-sepolia": baseSepolia,
  polygon,
  "polygon-amoy": polygonAmoy,
  arbitrum,
  "arbitrum-sepolia": arbitrumSepolia,
  optimism,
  "optimism-sepolia": optimismSepolia,
};

/**
 * Returns the chain of a network. The connection's node takes precedence over the known chain's public node, which is
 * suitable for tests only.
 */
export function chainOf(
  network: string,
  connection: Account,
): { readonly ok: true; readonly chain: Chain } | ({ readonly ok: false } & Failure) {
  // hasOwn has checked the name
  const knownChain = Object.hasOwn(CHAINS, network) ? CHAINS[network as keyof typeof CHAINS] : undefined;
  const connectionChainId = chainIdOf(connection);
  const rpcUrl = connection.baseUrl || setting(connection, "rpcUrl") || knownChain?.rpcUrls.default.http[0];
  const id = knownChain?.id ?? connectionChainId;
  if (knownChain !== undefined && connectionChainId !== null && connectionChainId !== knownChain.id) {
    const message = `network: ${network} is chain ${knownChain.id}, and the connection ${connection.name} is for chain ${connectionChainId}`;
    return { ok: false, ...configurationFailure(message, "chain_mismatch") };
  }
  if (id === null || rpcUrl === undefined) {
    const names = Object.keys(CHAINS).join(", ");
    const message = `network: ${network} is unknown (known: ${names}); for another network, set chainId and rpcUrl in the settings of the connection ${connection.name}`;
    return { ok: false, ...configurationFailure(message, "unknown_network") };
  }
  const blockMs = Math.max(
    (knownChain && "blockTime" in knownChain ? knownChain.blockTime : null) ?? defaults.blockMs,
    BLOCK_MS_MIN,
  );
  return { ok: true, chain: { id, rpcUrl, blockMs } };
}

/** Returns the id of a known network; null if the name is unknown. */
export function chainIdOfName(name: string): number | null {
  return Object.hasOwn(CHAINS, name) ? CHAINS[name as keyof typeof CHAINS].id : null; // hasOwn has checked the name
}

/**
 * Returns the network name with which a connection of this chain is opened. For an unknown chain, any name is valid,
 * because the connection sets the chain's id.
 */
export function networkOf(chainId: number): string {
  return Object.entries(CHAINS).find(([, { id }]) => id === chainId)?.[0] ?? `chain-${chainId}`;
}

function chainIdOf({ settings }: Pick<OpenConnection, "settings">): number | null {
  const id = Number(settings?.["chainId"] ?? Number.NaN);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}
