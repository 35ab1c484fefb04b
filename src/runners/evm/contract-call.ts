// Contract call runner: calls a contract's function in a transaction of the tenant's account.
import { attemptMs } from "#schema/defaults.ts";
import { performOnChain } from "./transaction.ts";
import { callConfig, type EvmConfig } from "./config.ts";
import type { Runner } from "../core/runner.ts";

export const contractCall: Runner<EvmConfig> = {
  type: "contract_call",
  config: callConfig,
  permissions: ["chain:send"],
  // Each run has one transaction, because the signer stores it and a chain accepts each nonce once.
  repeats: { mode: "provider", windowMs: null },
  timeoutMs: attemptMs.service,
  retryPolicy: "default",
  run: (config, context) => performOnChain(config, context, "contract_called"),
};
