// RPC entrypoint of connections: renews OAuth2 tokens, stores which accounts were rejected, and retries dead letters
// after an outage. The connection's object ensures that each of these happens once.
import { WorkerEntrypoint } from "cloudflare:workers";
import type { Env } from "#env";
import type {
  AttentionReport,
  AutoRetryAnswer,
  AutoRetryRequest,
  TokenRenewalRequest,
  TokenRenewalAnswer,
} from "#schema/gate.ts";
import { recordAccountStatus } from "#services/connections/record-account-status.ts";
import { renewToken } from "#services/connections/renew-token.ts";
import { autoRetryDeadLetters } from "#services/operations/auto-retry-dead-letters.ts";
import { depsOf } from "./deps.ts";

export class ConnectionWork extends WorkerEntrypoint<Env> {
  renew(ask: TokenRenewalRequest): Promise<TokenRenewalAnswer> {
    return renewToken(depsOf(this.env), ask);
  }

  autoRetry(ask: AutoRetryRequest): Promise<AutoRetryAnswer> {
    return autoRetryDeadLetters(depsOf(this.env), ask);
  }

  reportAttention(news: AttentionReport): Promise<void> {
    return recordAccountStatus(depsOf(this.env), news);
  }
}
