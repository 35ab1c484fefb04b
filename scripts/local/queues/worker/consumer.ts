// Local queue consumer: delivers a batch of a local queue to the Worker's queue handler, in its own invocation like the
// platform.
import { WorkerEntrypoint } from "cloudflare:workers";

export type Delivery = { readonly id: string; readonly at: number; readonly body: string; readonly attempts: number };

/** "done", or the seconds until the message is delivered again. */
export type DeliveryResult = "done" | number;

type Consuming = { readonly queue: (batch: MessageBatch, env: never, ctx: ExecutionContext) => Promise<void> };

export declare class QueueConsumer extends WorkerEntrypoint {
  deliver(queue: string, deliveries: readonly Delivery[]): Promise<readonly DeliveryResult[]>;
}

export function queueConsumerFor(worker: Consuming): typeof QueueConsumer {
  return class extends WorkerEntrypoint {
    async deliver(queue: string, deliveries: readonly Delivery[]): Promise<readonly DeliveryResult[]> {
      const { batch, endings } = batchOf(queue, deliveries);
      try {
        await worker.queue(batch, this.env as never, this.ctx); // the Worker's own bindings
        return endings("done");
      } catch (fault) {
        console.error(`a batch of ${queue} failed:`, fault);
        return endings(0);
      }
    }
  };
}

/** Records ack and retry per message. The first call counts; messages without a call get `otherwise`. */
function batchOf(queue: string, deliveries: readonly Delivery[]) {
  const results = new Map<string, DeliveryResult>();
  const record = (id: string, result: DeliveryResult): void => void (results.has(id) || results.set(id, result));
  const messages = deliveries.map(({ id, at, body, attempts }): Message => ({
    id,
    attempts,
    timestamp: new Date(at),
    body: JSON.parse(body),
    ack: () => record(id, "done"),
    retry: (options) => record(id, options?.delaySeconds ?? 0),
  }));
  const recordAll = (result: DeliveryResult): void => deliveries.forEach(({ id }) => record(id, result));
  const batch: MessageBatch = {
    queue,
    messages,
    metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } },
    ackAll: () => recordAll("done"),
    retryAll: (options) => recordAll(options?.delaySeconds ?? 0),
  };
  return { batch, endings: (otherwise: DeliveryResult) => deliveries.map(({ id }) => results.get(id) ?? otherwise) };
}
