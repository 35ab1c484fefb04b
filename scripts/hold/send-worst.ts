// One request with a body as it is, whole or in chunks, and what was answered.
import { Agent, request } from "node:http";

export type Sent = {
  readonly method: string;
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: Buffer | null;
  /** In chunks of so many bytes; 0: whole, with its length. */
  readonly chunkBytes: number;
};
export type Answered = { readonly status: number; readonly ms: number; readonly bytes: number };

const GIVE_UP_MS = 120_000;
const agent = new Agent({ keepAlive: false });

/** Status 0: no answer, because the connection ended or nothing came for two minutes. */
export function send({ method, url, headers, body, chunkBytes }: Sent): Promise<Answered> {
  return new Promise((resolve) => {
    const begun = performance.now();
    let bytes = 0;
    const end = (status: number): void => resolve({ status, ms: performance.now() - begun, bytes });
    const isWhole = body !== null && chunkBytes === 0;
    const all = isWhole ? { ...headers, "Content-Length": String(body.byteLength) } : headers;
    const asked = request(url, { agent, method, headers: all, timeout: GIVE_UP_MS }, (response) => {
      response.on("data", (part: Buffer) => (bytes += part.byteLength));
      response.on("error", () => end(0));
      response.on("end", () => end(response.statusCode ?? 0));
    });
    asked.on("error", () => end(0));
    asked.on("timeout", () => asked.destroy());
    if (body !== null && !isWhole) {
      for (let at = 0; at < body.byteLength; at += chunkBytes) asked.write(body.subarray(at, at + chunkBytes));
    }
    asked.end(isWhole ? body : undefined);
  });
}
