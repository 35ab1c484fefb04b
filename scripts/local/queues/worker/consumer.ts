// Local queue consumer: delivers a batch of a local queue to the Worker's queue handler, in its own invocation like the
// platform.
import { WorkerEntrypoint } from "cloudflare:workers";

export type Delivery = { readonly id: string; readonly at: number; readonly body: string; readonly attempts: number };

/** "done", or the seconds until the message is delivered again. */
export type Ending = "done" | number;

type Consuming = { readonly queue: (batch: MessageBatch, env: never, ctx: ExecutionContext) => Promise<void> };

export declare class QueueConsumer extends WorkerEntrypoint {
  deliver(queue: string, deliveries: readonly Delivery[]): Promise<readonly Ending[]>;
}

export function consuming(worker: Consuming): typeof QueueConsumer {
  return class extends WorkerEntrypoint {
    async deliver(queue: string, deliveries: readonly Delivery[]): Promise<readonly Ending[]> {
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
  const said = new Map<string, Ending>();
  const say = (id: string, ending: Ending): void => void (said.has(id) || said.set(id, ending));
  const messages = deliveries.map(({ id, at, body, attempts }): Message => ({
    id,
    attempts,
    timestamp: new Date(at),
    body: JSON.parse(body),
    ack: () => say(id, "done"),
    retry: (options) => say(id, options?.delaySeconds ?? 0),
  }));
  const sayAll = (ending: Ending): void => deliveries.forEach(({ id }) => say(id, ending));
  const batch: MessageBatch = {
    queue,
    messages,
    metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } },
    ackAll: () => sayAll("done"),
    retryAll: (options) => sayAll(options?.delaySeconds ?? 0),
  };
  return { batch, endings: (otherwise: Ending) => deliveries.map(({ id }) => said.get(id) ?? otherwise) };
}
