// Runner surroundings for tests: a ticket, a clock, and a fetch that answers from a function and records its calls.
import { configurationFailure } from "#runners/core/classify.ts";
import type { RunDeps } from "#runners/run.ts";
import type { OpenConnection } from "#runners/core/runner.ts";
import type { JsonObject } from "#schema/json.ts";
import type { Ticket } from "#schema/engine/run.ts";

export const NOW = Date.UTC(2026, 0, 15, 12);

export function ticketFor(type: string, config: JsonObject, over: Partial<Ticket> = {}): Ticket {
  return {
    tenant: "ten_1",
    execution: "exe_1",
    run: "4.0",
    attempt: 1,
    action: "notify",
    type,
    config,
    idempotencyKey: "exe_1/4.0",
    timeoutMs: 5_000,
    deadlineAt: NOW + 60_000,
    incarnation: NOW,
    ...over,
  };
}

export type Call = { readonly url: string; readonly init: RequestInit; readonly request: Request };
export type Answer = (call: Call) => Response | Promise<Response>;

export type World = RunDeps & { readonly calls: Call[] };

/** Builds an opened connection with the test's overrides. */
export function connectionTo(provider: string, over: Partial<OpenConnection> = {}): OpenConnection {
  return {
    name: "main",
    provider,
    baseUrl: null,
    credentials: {},
    sandbox: false,
    token: async () => ({ ok: true, token: "access-token-1" }),
    ...over,
  };
}

export function world(answer: Answer, over: Partial<RunDeps> = {}): World {
  const calls: Call[] = [];
  return {
    calls,
    fetch: async (url, init) => {
      // Builds the same Request that fetch would send, which also throws for invalid requests.
      const call = { url, init, request: new Request(url, withoutSignal(init)) };
      calls.push(call);
      return answer(call);
    },
    now: () => NOW,
    allowLoopback: false,
    signing: async () => ({ ok: true, secrets: [] }),
    findAccount: async (name, provider) => ({ ok: true, account: { name: name ?? "main", provider } }),
    connection: async (name, provider) => ({ ok: true, connection: connectionTo(provider, { name: name ?? "main" }) }),
    template: async (ref) => ({
      ok: false,
      failure: configurationFailure(`there is no template ${ref}`, "unknown_template"),
    }),
    ...over,
  };
}

/** Returns these signing keys for every receiver, unless the config has its own. */
export function signedWith(...secrets: readonly string[]): Pick<RunDeps, "signing"> {
  return { signing: async (by) => ({ ok: true, secrets: "own" in by ? by.own.split(" ") : secrets }) };
}

/** A fetch that never answers. It rejects when its signal aborts, like the real one. */
export const hangs: Answer = ({ init }) =>
  new Promise((_, reject) => {
    init.signal?.addEventListener("abort", () => reject(init.signal?.reason));
  });

/** A fetch that never answers and ignores its signal. */
export const deaf: Answer = () => new Promise(() => {});

export const resets: Answer = () => {
  throw new TypeError("fetch failed", { cause: new Error("read ECONNRESET") });
};

/** Answers with headers and the beginning of a body, which then hangs or breaks off. */
export function cutOff(beginning: string, how: "hangs" | "breaks", init: ResponseInit = {}): Response {
  let sent = false;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent && how === "breaks") throw new Error("Network connection lost.");
      if (sent) return new Promise(() => {});
      sent = true;
      controller.enqueue(new TextEncoder().encode(beginning));
    },
  });
  return new Response(body, init);
}

export function jsonResponse(value: unknown, init: ResponseInit = {}): Response {
  return new Response(JSON.stringify(value), {
    ...init,
    headers: { "Content-Type": "application/json", ...init.headers },
  });
}

/** Removes the signal, because a Request keeps a listener on it forever. */
function withoutSignal(init: RequestInit): RequestInit {
  return { ...init, signal: null };
}
