// Request recording: stores a received request, and returns the scripted step that answers the request.
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

/** The body of a clone is read, because the imitated provider reads the body of the request itself. */
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
