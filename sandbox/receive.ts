// Request recording: stores a request of a recorded endpoint, and gets the step that answers it.
import { type SandboxEnv, storeOf } from "./env.ts";
import type { Receipt } from "./store.ts";

const bodyBytesMax = 256 * 1024;

export interface Received {
  readonly at: number;
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly bodyBytes: number;
  readonly key: string | null;
  readonly effect: string | null;
}

export async function receive(request: Request, env: SandboxEnv): Promise<Receipt> {
  const at = Date.now();
  return storeOf(env).receive(await describe(request, at));
}

/** Reads a clone, because the provider parses the request's own body. */
async function describe(request: Request, at: number): Promise<Received> {
  const url = new URL(request.url);
  const bytes = await request.clone().arrayBuffer();
  return {
    at,
    method: request.method,
    path: url.pathname,
    query: url.search,
    headers: Object.fromEntries(request.headers),
    body: new TextDecoder().decode(bytes.slice(0, bodyBytesMax)),
    bodyBytes: bytes.byteLength,
    key: request.headers.get("idempotency-key") ?? request.headers.get("webhook-id"),
    effect: request.headers.get("x-effect"),
  };
}
