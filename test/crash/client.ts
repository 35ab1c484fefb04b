// What the crash test asks of engine and sandbox. A request that the crash took with it answers null.
import { z } from "zod";

export interface Client {
  /** null: nobody answered, the answer broke off, or it was "not just now". */
  ask(method: "GET" | "POST" | "PUT", url: string, body?: unknown, headers?: Record<string, string>): Promise<unknown>;
}

export function clientWith(headers: Record<string, string>): Client {
  return {
    ask: async (method, url, body, more = {}) => {
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const type = body === undefined ? {} : { "Content-Type": "application/json" };
      let response: Response;
      let text: string;
      try {
        response = await fetch(url, { method, headers: { ...type, ...headers, ...more }, ...sent });
        text = await response.text();
      } catch {
        return null;
      }
      if (response.status === 503) return null;
      if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${text}`);
      return JSON.parse(text);
    },
  };
}

export const started = z.object({ execution: z.object({ id: z.string() }) });
export const batchStarted = z.object({ results: z.array(z.object({ ok: z.literal(true), id: z.string() })) });
export const createdKey = z.object({ secret: z.string() });
export const effects = z.object({
  total: z.number(),
  effects: z.array(
    z.object({ effect: z.string(), requests: z.number(), keys: z.array(z.string()), keyless: z.number() }),
  ),
});

const seen = {
  id: z.string(),
  status: z.string(),
  states: z.array(z.string()),
  updatedAt: z.string(),
  finishedAt: z.string().nullable(),
};
export const execution = z.object(seen);
export type Seen = z.infer<typeof execution>;
export const page = z.object({ data: z.array(execution), nextCursor: z.string().nullable() });
