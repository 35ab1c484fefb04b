// Mint runner: calls a contract's mint function in a transaction of the tenant's account.
import { attemptMs } from "#schema/defaults.ts";
import { performOnChain } from "./transaction.ts";
import { mintConfig, type EvmConfig } from "./config.ts";
import type { Runner } from "../core/runner.ts";

export const blockchainMint: Runner<EvmConfig> = {
  type: "blockchain_mint",
  config: mintConfig,
  permissions: ["chain:send"],
  // A repeat sends no second transaction, because the signer stores the run's transaction and a chain accepts each
  // nonce only once.
  repeats: { mode: "provider", windowMs: null },
  timeoutMs: attemptMs.service,
  retryPolicy: "default",
  run: (config, context) => performOnChain(config, context, "nft_minted"),
};
