// The engine's queues with another consumer, that is deployed nowhere: it does with a message what the message says, and
// keeps what was delivered for whoever asks.
import type { Env } from "#env";
export * from "../../../src/index.ts";

type Told = { readonly name: string; readonly ending: "ack" | "retry" | "throw" | "last" };
type Seen = { readonly queue: string; readonly name: string; readonly attempts: number };

/** Longer than any test. */
const LASTS_MS = 600_000;
const seen: Seen[] = [];

export default {
  fetch: async (request, env) => {
    if (request.method === "GET") return Response.json(seen);
    const messages: { readonly body: Told; readonly delaySeconds?: number }[] = await request.json();
    // Of this probe the messages are its own.
    await (env.ACTIONS as Queue<unknown>).sendBatch(messages);
    return Response.json(await env.ACTIONS.metrics());
  },
  queue: async (batch) => {
    const queue = batch.queue.replace("escapement-", "");
    const told = batch.messages.map((message) => ({ message, ...(message.body as Told) })); // as it came to fetch
    for (const { message, name } of told) seen.push({ queue, name, attempts: message.attempts });
    for (const { message, ending } of told) {
      if (ending === "throw" && message.attempts === 1) throw new Error("as the message says");
      if (ending === "retry" && queue === "actions") message.retry();
      if (ending === "last") await scheduler.wait(LASTS_MS);
      if (ending === "ack") message.ack();
    }
  },
  scheduled: () => {},
} satisfies ExportedHandler<Env>;
