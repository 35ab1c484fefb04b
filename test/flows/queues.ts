// The queues in a test's own hands: what is sent is kept back, and delivered as often and in the order the test says.
import { createExecutionContext, createMessageBatch, getQueueResult, type QueueResult } from "cloudflare:test";
import { onTestFinished } from "vitest";
import type { ActionMessage } from "#schema/engine/message.ts";
import { bindings } from "./engine.ts";
import main from "../../src/index.ts";

export type Held = { readonly messages: ActionMessage[] };

/** Until the test ends, action messages go nowhere but here. */
export function holdActions(): Held {
  const messages: ActionMessage[] = [];
  replace(bindings.ACTIONS, "sendBatch", (real, batch) => {
    const bodies = [...(batch as Iterable<{ readonly body: ActionMessage }>)].map(({ body }) => body);
    // Queues share a prototype.
    if (!bodies.every(({ kind }) => kind === "action")) return real(batch);
    messages.push(...bodies);
    return Promise.resolve();
  });
  return { messages };
}

/** One delivery by the platform. Message n has the id "n". */
export async function deliver(queue: string, bodies: readonly unknown[], attempts = 1): Promise<QueueResult> {
  const messages = bodies.map((body, n) => ({ id: `${n}`, timestamp: Date.now(), attempts, body }));
  const batch = createMessageBatch(`escapement-${queue}`, messages);
  const ctx = createExecutionContext();
  await main.queue(batch, bindings);
  return getQueueResult(batch, ctx);
}

type Method = (...args: readonly unknown[]) => unknown;

/** Puts something else in a binding's place, for whoever uses it, until the test ends or it is put back. */
export function replace(
  binding: object,
  method: string,
  by: (real: Method, ...args: readonly unknown[]) => unknown,
): () => void {
  const prototype = Object.getPrototypeOf(binding) as object;
  const real = Reflect.get(prototype, method) as Method;
  Reflect.set(prototype, method, function replaced(this: unknown, ...args: readonly unknown[]) {
    return by((...passed) => real.apply(this, [...passed]), ...args);
  });
  const putBack = (): void => void Reflect.set(prototype, method, real);
  onTestFinished(putBack);
  return putBack;
}
