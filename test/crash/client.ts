// Crash test client: sends requests to the engine and the sandbox. A request that a crash interrupted returns null.
import { z } from "zod";

type Request = [method: "GET" | "POST" | "PUT", url: string, body?: unknown, headers?: Record<string, string>];
export type Answer = { readonly status: number; readonly text: string };

export interface Client {
  /** Returns the parsed answer. null: no answer, a broken one, or status 503. */
  requestJson(...request: Request): Promise<unknown>;
  /** Returns status and text. null: no answer, or a broken one. */
  request(...request: Request): Promise<Answer | null>;
}

export function clientWith(headers: Record<string, string>): Client {
  const request = async (...[method, url, body, extraHeaders = {}]: Request): Promise<Answer | null> => {
    const bodyInit = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { "Content-Type": "application/json" };
    try {
      const response = await fetch(url, { method, headers: { ...type, ...headers, ...extraHeaders }, ...bodyInit });
      return { status: response.status, text: await response.text() };
    } catch {
      return null;
    }
  };
  return {
    request,
    requestJson: async (...call) => {
      const answer = await request(...call);
      if (answer === null || answer.status === 503) return null;
      const { status, text } = answer;
      if (status >= 300) throw new Error(`${call[0]} ${call[1]}: ${status} ${text}`);
      return JSON.parse(text);
    },
  };
}

export const started = z.object({ execution: z.object({ id: z.string() }) });
export const batchStarted = z.object({ results: z.array(z.object({ ok: z.literal(true), id: z.string() })) });
/** A batch answer in which at least one start was answered with "unavailable". */
export const batchInPart = z.object({
  results: z.array(z.unknown()).refine((results) => results.some((each) => unavailable.safeParse(each).success)),
});
const unavailable = z.object({ ok: z.literal(false), problem: z.object({ code: z.literal("unavailable") }) });
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
