// The chains that are known by name. Any other is told by the connection: its id and where a node of it stands.
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
import { BLOCK_MS_MIN } from "#schema/limits/runners.ts";
import { defaults } from "#schema/defaults.ts";
import { setting } from "../core/account.ts";
import { configurationFailure, type Failure } from "../core/classify.ts";
import type { OpenConnection } from "../core/runner.ts";

export type Chain = {
  readonly id: number;
  readonly rpcUrl: string;
  /** How long it takes for a block, more or less. */
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

/** The connection's node goes before the chain's public one, which is good for trying things out. */
export function chainOf(
  network: string,
  connection: Account,
): { readonly ok: true; readonly chain: Chain } | ({ readonly ok: false } & Failure) {
  const known = Object.hasOwn(CHAINS, network) ? CHAINS[network as keyof typeof CHAINS] : undefined; // hasOwn says so
  const given = chainIdOf(connection);
  const rpcUrl = connection.baseUrl || setting(connection, "rpcUrl") || known?.rpcUrls.default.http[0];
  const id = known?.id ?? given;
  if (known !== undefined && given !== null && given !== known.id) {
    const message = `network: ${network} is chain ${known.id}, and the connection ${connection.name} is for chain ${given}`;
    return { ok: false, ...configurationFailure(message, "chain_mismatch") };
  }
  if (id === null || rpcUrl === undefined) {
    const names = Object.keys(CHAINS).join(", ");
    const message =
      `network: ${network} is not known (known: ${names}); ` +
      `for another, give the connection ${connection.name} chainId and rpcUrl in its settings`;
    return { ok: false, ...configurationFailure(message, "unknown_network") };
  }
  const blockMs = Math.max((known && "blockTime" in known ? known.blockTime : null) ?? defaults.blockMs, BLOCK_MS_MIN);
  return { ok: true, chain: { id, rpcUrl, blockMs } };
}

/** null: no chain is known by that name. */
export function chainIdOfName(name: string): number | null {
  return Object.hasOwn(CHAINS, name) ? CHAINS[name as keyof typeof CHAINS].id : null; // hasOwn says so
}

/** The name under which a connection reaches a chain: the known one, or any where it says the id itself. */
export function networkOf(chainId: number): string {
  return Object.entries(CHAINS).find(([, { id }]) => id === chainId)?.[0] ?? `chain-${chainId}`;
}

function chainIdOf({ settings }: Pick<OpenConnection, "settings">): number | null {
  const id = Number(settings?.["chainId"] ?? Number.NaN);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}
