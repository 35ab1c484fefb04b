// Contract call runner: calls a contract's function in a transaction of the tenant's account.
import { attemptMs } from "#schema/defaults.ts";
import { performOnChain } from "./transaction.ts";
import { callConfig, type EvmConfig } from "./config.ts";
import type { Runner } from "../core/runner.ts";

export const contractCall: Runner<EvmConfig> = {
  type: "contract_call",
  config: callConfig,
  permissions: ["chain:send"],
  // A repeat sends no second transaction, because the signer stores the run's transaction and a chain accepts each
  // nonce only once.
  repeats: { mode: "provider", windowMs: null },
  timeoutMs: attemptMs.service,
  retryPolicy: "default",
  run: (config, context) => performOnChain(config, context, "contract_called"),
};
