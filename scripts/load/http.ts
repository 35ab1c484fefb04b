// HTTP connection: sends JSON over kept-alive connections. It uses node:http, because Node's fetch costs more CPU than
// the measured calls.
import { Agent as PlainAgent, request as plain } from "node:http";
import { Agent as SecureAgent, request as secure } from "node:https";

export type HttpAnswer = {
  /** 0: the request got no answer. */
  readonly status: number;
  readonly body: unknown;
  readonly ms: number;
};
export type SendRequest = (
  method: "GET" | "POST" | "PUT" | "DELETE",
  path: string,
  body?: unknown,
) => Promise<HttpAnswer>;
export type Connection = { readonly ask: SendRequest; readonly close: () => void };

/** Longer than any request of the API takes. */
const GIVE_UP_MS = 60_000;

export function connect(base: string, headers: { readonly [name: string]: string }, connections: number): Connection {
  const { protocol, origin } = new URL(base);
  const isSecure = protocol === "https:";
  const agent = new (isSecure ? SecureAgent : PlainAgent)({ keepAlive: true, maxSockets: connections });
  const request = isSecure ? secure : plain;
  const ask: SendRequest = (method, path, body) =>
    new Promise((resolve) => {
      const begun = performance.now();
      const end = (status: number, said: unknown) => resolve({ status, body: said, ms: performance.now() - begun });
      const fail = (error: Error) => end(0, error.message);
      const text = body === undefined ? "" : JSON.stringify(body);
      const typed = body === undefined ? {} : { "Content-Type": "application/json" };
      const length = { "Content-Length": Buffer.byteLength(text) };
      const all = { ...headers, ...typed, ...length };
      const asked = request(origin + path, { agent, method, headers: all, timeout: GIVE_UP_MS }, (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", fail);
        response.on("end", () => end(response.statusCode ?? 0, parsed(Buffer.concat(parts).toString("utf8"))));
      });
      asked.on("error", fail);
      asked.on("timeout", () => asked.destroy(new Error("timeout")));
      asked.end(text);
    });
  return { ask, close: () => agent.destroy() };
}

/** Returns the text itself if it is not JSON: a proxy before the API may answer with plain text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
