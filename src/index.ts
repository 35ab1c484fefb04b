// The Worker's table of contents: HTTP, queues, the sweeper's cron, and the objects.
import { openDb } from "#catalog/db.ts";
import type { Env } from "#env";
import { consumeActions } from "#queue/actions.ts";
import { consumeDeadActions } from "#queue/actions-dead.ts";
import { consumeProjections } from "#queue/projections.ts";
import { consumeDeadProjections } from "#queue/projections-dead.ts";
import { installedIn } from "#entrypoints/action-ports.ts";
import { callOutPort, cellPort, gatePort, operationPort } from "#entrypoints/ports.ts";
import { runWithEnv } from "#entrypoints/runner.ts";
import { createApp } from "#routes/app.ts";
import { destinationOf } from "#runners/destination.ts";
import { configFindings } from "#runners/draft.ts";
import { actionTypes, repeatsOf } from "#runners/registry.ts";
import { rehearsals } from "#runners/rehearsal/rehearse.ts";
import type { Deps } from "#services/deps.ts";
import { signingSecretsOf } from "#services/secrets/signing-secret.ts";
import { sweep } from "#services/upkeep/sweep.ts";

export { ConnectionObject } from "#objects/connection/connection.ts";
export { ExecutionObject } from "#objects/execution/execution.ts";
export { OperationObject } from "#objects/operation/operation.ts";
export { SignerObject } from "#objects/signer/signer.ts";
export { OperationWork } from "#entrypoints/operation-work.ts";
export { TokenRenewal } from "#entrypoints/renewal.ts";
export { Runner } from "#entrypoints/runner.ts";

function depsOf(env: Env): Deps {
  return {
    now: () => Date.now(),
    randomBytes: (length) => crypto.getRandomValues(new Uint8Array(length)),
    db: openDb(env.DB),
    cell: cellPort(env),
    gate: gatePort(env),
    operation: operationPort(env),
    callOut: callOutPort(env, () => Date.now()),
    live: (cell, execution, upgrade) => {
      const url = `https://cell/live?execution=${encodeURIComponent(execution)}`;
      return env.EXECUTIONS.getByName(cell).fetch(new Request(url, upgrade));
    },
    actionTypes,
    configFindings,
    repeatsOf,
    rehearse: rehearsals(installedIn(env)),
    destinationOf,
    signingSecrets: (tenant) => signingSecretsOf(env.SIGNING_KEY, tenant),
    secretsKeys: env.SECRETS_KEYS ?? null,
    rootKey: env.ROOT_KEY,
    log: (line) => console.log(JSON.stringify(line)),
  };
}

const app = createApp<Env>(depsOf);

/** One Worker consumes all its queues; local and deployed names end alike. */
function consume(batch: MessageBatch, env: Env): Promise<void> {
  const deps = depsOf(env);
  if (batch.queue.endsWith("-actions")) return consumeActions(batch, deps, (ticket) => runWithEnv(ticket, env));
  if (batch.queue.endsWith("-actions-dead")) return consumeDeadActions(batch, deps);
  if (batch.queue.endsWith("-projections")) return consumeProjections(batch, deps);
  if (batch.queue.endsWith("-projections-dead")) return consumeDeadProjections(batch, deps);
  throw new Error(`no consumer for the queue ${batch.queue}`);
}

export default {
  fetch: (request, env, ctx) => app.fetch(request, env, ctx),
  queue: (batch, env) => consume(batch, env),
  scheduled: (_controller, env) => sweep(depsOf(env)),
} satisfies ExportedHandler<Env>;
