// The stateless entrypoint that carries out one claimed run. Objects call it over RPC (the direct lane), the queue's
// consumer calls the same function (the queue lane): runners never run inside an object.
import { WorkerEntrypoint } from "cloudflare:workers";
import type { Env } from "#env";
import { runTicket } from "#runners/run.ts";
import type { Outcome } from "#schema/outcome.ts";
import type { Ticket } from "#schema/run.ts";
import { signingSecretsOf } from "#services/signing-secret.ts";

export class Runner extends WorkerEntrypoint<Env> {
  run(ticket: Ticket): Promise<Outcome> {
    return runWithEnv(ticket, this.env);
  }
}

export async function runWithEnv(ticket: Ticket, env: Env): Promise<Outcome> {
  const secrets = await signingSecretsOf(env.SIGNING_KEY, ticket.tenant);
  return runTicket(ticket, {
    fetch: (url, init) => fetch(url, init),
    now: () => Date.now(),
    allowLoopback: env.ALLOW_LOOPBACK === "true",
    signingSecret: secrets.length > 0 ? secrets.join(" ") : null,
  });
}
