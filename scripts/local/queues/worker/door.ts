// Local queue producer: the queue binding of a local Worker, with the platform's limits.
import { WorkerEntrypoint } from "cloudflare:workers";
import type { QueueEnv } from "./queue.ts";

const MESSAGE_BYTES_MAX = 128_000;
const BATCH_BYTES_MAX = 256_000;
const BATCH_MESSAGES_MAX = 100;

type Sent = { readonly body: unknown; readonly delaySeconds?: number };

export class QueueDoor extends WorkerEntrypoint<QueueEnv, { readonly queue: string }> {
  get #queue() {
    return this.env.LOCAL_QUEUES.getByName(this.ctx.props.queue);
  }

  async send(body: unknown, options: { readonly delaySeconds?: number } = {}): Promise<void> {
    await this.#queue.accept(textsOf([{ body }]), options.delaySeconds ?? 0);
  }

  async sendBatch(messages: readonly Sent[], options: { readonly delaySeconds?: number } = {}): Promise<void> {
    const byDelay = Map.groupBy(messages, ({ delaySeconds }) => delaySeconds ?? options.delaySeconds ?? 0);
    textsOf(messages);
    await Promise.all(Array.from(byDelay, ([delayS, some]) => this.#queue.accept(textsOf(some), delayS)));
  }

  metrics() {
    return this.#queue.metrics();
  }
}

function textsOf(messages: readonly Sent[]): readonly string[] {
  if (messages.length > BATCH_MESSAGES_MAX)
    throw new Error(`A batch has ${messages.length} messages; the limit is 100.`);
  const texts = messages.map(({ body }) => JSON.stringify(body));
  const sizes = texts.map((text) => new TextEncoder().encode(text).byteLength);
  const all = sizes.reduce((sum, size) => sum + size, 0);
  if (all > BATCH_BYTES_MAX) throw new Error(`A batch has ${all} bytes; the limit is ${BATCH_BYTES_MAX}.`);
  const large = sizes.find((size) => size > MESSAGE_BYTES_MAX);
  if (large !== undefined) throw new Error(`A message has ${large} bytes; the limit is ${MESSAGE_BYTES_MAX}.`);
  return texts;
}
