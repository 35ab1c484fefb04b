// Runner registry: lists every action type that the engine can perform. A new runner needs its own file and one line
// here.
import type { JsonObject } from "#schema/json.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import { fillSecrets, secretNames } from "#schema/secret-slots.ts";
import { apiCall } from "./http/api-call.ts";
import { blockchainMint } from "./evm/blockchain-mint.ts";
import { contractCall } from "./evm/contract-call.ts";
import { database } from "./database/database.ts";
import { delay } from "./engine/delay.ts";
import { docusignRecipientView } from "./docusign/recipient-view.ts";
import { docusignEnvelope } from "./docusign/envelope.ts";
import { email } from "./email/email.ts";
import { push } from "./push/push.ts";
import type { RecipientsOf } from "./core/suppressed-recipients.ts";
import type { Runner, RunnerContext } from "./core/runner.ts";
import type { IdempotencySupport } from "#schema/idempotency-support.ts";
import { sendEvent } from "./engine/send-event.ts";
import { slack } from "./slack/slack.ts";
import { sms } from "./sms/sms.ts";
import { startExecution } from "./engine/start-execution.ts";
import { task } from "./engine/task.ts";
import { webhook } from "./http/webhook.ts";
import { worker } from "./worker/worker.ts";

/** A runner with an unknown config type. Its `run` accepts only what its own schema returns. */
export type AnyRunner = Omit<Runner<unknown>, "run" | "repeatsOf" | "recipients"> & {
  readonly recipients?: RecipientsOf<never, unknown>;
  readonly repeatsOf?: (config: never) => IdempotencySupport;
  readonly run: (config: never, context: RunnerContext) => Promise<Outcome>;
};

export const runners = {
  api_call: apiCall,
  blockchain_mint: blockchainMint,
  contract_call: contractCall,
  database,
  delay,
  docusign_envelope: docusignEnvelope,
  docusign_recipient_view: docusignRecipientView,
  email,
  push,
  send_event: sendEvent,
  slack,
  sms,
  start_execution: startExecution,
  task,
  webhook,
  worker,
} satisfies { readonly [type: string]: AnyRunner };

type ActionType = Pick<AnyRunner, "config" | "timeoutMs" | "retryPolicy" | "lane" | "permissions" | "repeats">;

/** The properties of the runners that checks of definitions use. */
export const actionTypes: { readonly [type: string]: ActionType } = runners;

export function runnerFor(type: string): AnyRunner | null {
  const known: { readonly [type: string]: AnyRunner } = runners;
  return Object.hasOwn(known, type) ? (known[type] ?? null) : null;
}

/**
 * Returns the idempotency support of a config. Secrets are replaced by placeholders, which do not affect the support.
 */
export function repeatsOf(type: string, config: JsonObject): IdempotencySupport {
  const runner = runnerFor(type);
  if (runner === null) return { mode: "none" };
  const filled = fillSecrets(config, Object.fromEntries(secretNames(config).map((name) => [name, "secret"])));
  const parsed = runner.config.safeParse(filled.ok ? filled.value : config);
  // the runner's own schema returned it
  return parsed.success && runner.repeatsOf ? runner.repeatsOf(parsed.data as never) : runner.repeats;
}
