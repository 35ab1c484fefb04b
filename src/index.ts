// The Worker's table of contents: HTTP, queues, the sweeper's cron, and the objects.
import type { Env } from "#env";
import { consumeActions } from "#queue/actions.ts";
import { consumeDeadActions } from "#queue/actions-dead.ts";
import { consumeProjections } from "#queue/projections.ts";
import { consumeDeadProjections } from "#queue/projections-dead.ts";
import { depsOf } from "#entrypoints/deps.ts";
import { runWithEnv } from "#entrypoints/runner.ts";
import { createApp } from "#routes/app.ts";
import { sweep } from "#services/upkeep/sweep.ts";

export { ConnectionObject } from "#objects/connection/connection.ts";
export { ExecutionObject } from "#objects/execution/execution.ts";
export { OperationObject } from "#objects/operation/operation.ts";
export { SignerObject } from "#objects/signer/signer.ts";
export { ListenerKeys } from "#entrypoints/listener-keys.ts";
export { OperationWork } from "#entrypoints/operation-work.ts";
export { TokenRenewal } from "#entrypoints/renewal.ts";
export { Runner } from "#entrypoints/runner.ts";

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
