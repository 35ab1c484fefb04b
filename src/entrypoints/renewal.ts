// The stateless entrypoint that gets OAuth2 tokens. A connection's object calls it over RPC: the object sees to it that
// it happens once, this knows the secrets and the way out.
import { WorkerEntrypoint } from "cloudflare:workers";
import type { Env } from "#env";
import type { RenewAsk, Renewed } from "#schema/gate.ts";
import { renewToken } from "#services/connections/renew-token.ts";
import { depsOf } from "./deps.ts";

export class TokenRenewal extends WorkerEntrypoint<Env> {
  renew(ask: RenewAsk): Promise<Renewed> {
    return renewToken(depsOf(this.env), ask);
  }
}
