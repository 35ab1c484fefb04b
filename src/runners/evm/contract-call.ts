// Contract call runner: calls a contract's function in a transaction of the tenant's own account.
import { attemptMs } from "#schema/defaults.ts";
import { performOnChain } from "./transaction.ts";
import { callConfig, type EvmConfig } from "./config.ts";
import type { Runner } from "../core/runner.ts";

export const contractCall: Runner<EvmConfig> = {
  type: "contract_call",
  config: callConfig,
  permissions: ["chain:send"],
  // As with mints: one transaction per run.
  repeats: { mode: "provider", windowMs: null },
  timeoutMs: attemptMs.service,
  retryPolicy: "default",
  run: (config, context) => performOnChain(config, context, "contract_called"),
};
