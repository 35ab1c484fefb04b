// The Worker's main module: HTTP, queues, the sweeper's cron, and the exported objects and entrypoints.
import { exports, WorkerEntrypoint } from "cloudflare:workers";
import type { Env } from "#env";
import { runSubBatch, consumeActions, type ConsumerMeans } from "#queue/actions.ts";
import type { RunSubBatch } from "#queue/sub-batches.ts";
import type { SendRequeued } from "#queue/requeue.ts";
import { consumeDeadActions } from "#queue/actions-dead.ts";
import { consumeProjections } from "#queue/projections.ts";
import { consumeDeadProjections } from "#queue/projections-dead.ts";
import { depsOf } from "#entrypoints/deps.ts";
import { openQueueRun } from "#entrypoints/runner.ts";
import { later } from "#queue/timeouts.ts";
import { createApp } from "#routes/app.ts";
import { QUEUE_SEND_BYTES_MAX, QUEUE_SEND_MESSAGES_MAX } from "#schema/limits/queues/message-sizes.ts";
import { wasSlowLately } from "#services/actions/recent-durations.ts";
import { sweep } from "#services/upkeep/sweep.ts";

export { ConnectionObject } from "#objects/connection/connection.ts";
export { DirectoryObject } from "#objects/directory/directory.ts";
export { ExecutionObject } from "#objects/execution/execution.ts";
export { OperationObject } from "#objects/operation/operation.ts";
export { RecurringObject } from "#objects/recurring/recurring.ts";
export { SignerObject } from "#objects/signer/signer.ts";
export { SubjectObject } from "#objects/subject/subject.ts";
export { TenantObject } from "#objects/tenant/tenant.ts";
export { TriggerObject } from "#objects/trigger/trigger.ts";
export { DirectoryWork } from "#entrypoints/directory-work.ts";
export { ListenerKeys } from "#entrypoints/subscriber-keys.ts";
export { OperationWork } from "#entrypoints/operation-work.ts";
export { RecurringWork } from "#entrypoints/recurring-work.ts";
export { ConnectionWork } from "#entrypoints/connection-work.ts";
export { Runner } from "#entrypoints/runner.ts";
export { Tenancy } from "#entrypoints/tenancy.ts";
export { TriggerWork } from "#entrypoints/trigger-work.ts";
import { sendMeasured } from "#objects/execution/queue-sends.ts";

const app = createApp<Env>(depsOf);

/** Consumes a batch of any of the Worker's queues. Local and deployed names of a queue have the same end. */
function consume(batch: MessageBatch, env: Env): Promise<void> {
  const deps = depsOf(env);
  if (batch.queue.endsWith("-actions") || batch.queue.endsWith("-actions-slow")) {
    return consumeActions(batch, deps, { ...meansOf(env), share: (messages) => loopback.QueueWork.share(messages) });
  }
  if (batch.queue.endsWith("-actions-dead")) return consumeDeadActions(batch, deps);
  if (batch.queue.endsWith("-projections")) return consumeProjections(batch, deps);
  if (batch.queue.endsWith("-projections-dead")) return consumeDeadProjections(batch, deps);
  throw new Error(`this Worker has no consumer for the queue ${batch.queue}`);
}

/** Processes a sub-batch of a large batch of actions, in an invocation of its own. */
export class QueueWork extends WorkerEntrypoint<Env> {
  share(messages: Parameters<RunSubBatch>[0]): ReturnType<RunSubBatch> {
    return runSubBatch(messages, depsOf(this.env), meansOf(this.env));
  }
}

const loopback = exports as unknown as { readonly QueueWork: { readonly share: RunSubBatch } }; // QueueWork is exported above

function meansOf(env: Env): ConsumerMeans {
  const wasSlow: ConsumerMeans["wasSlow"] = (action) => wasSlowLately(depsOf(env), action);
  return { run: openQueueRun(env), sendBack: sendBackTo(env), later, wasSlow };
}

function sendBackTo(env: Env): SendRequeued {
  const queues = { short: env.ACTIONS, slow: env.SLOW_ACTIONS };
  const bounds = { bytesMax: QUEUE_SEND_BYTES_MAX, countMax: QUEUE_SEND_MESSAGES_MAX, halves: false };
  return async (queue, items) => {
    const send = async (some: typeof items) => void (await queues[queue].sendBatch(some.map((body) => ({ body }))));
    const { left, impossible, fault } = await sendMeasured({ items, send, ...bounds });
    return { unsent: new Set([...left, ...impossible]), fault };
  };
}

export default {
  fetch: (request, env, ctx) => app.fetch(request, env, ctx),
  queue: (batch, env) => consume(batch, env),
  scheduled: (_controller, env) => sweep(depsOf(env)),
} satisfies ExportedHandler<Env>;
