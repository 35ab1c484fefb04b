// Hosts the sandbox in workerd, for tests with the real runners.
import { afterAll, beforeAll } from "vitest";
import { createTestHarness } from "wrangler";
import { runTicket } from "#runners/run.ts";
import type { OpenConnection, RunnerContext } from "#runners/core/runner.ts";
import type { JsonObject } from "#schema/json.ts";
import { connectionTo, ticketFor, world } from "../runners/world.ts";

/** A connection with the address of the sandbox. */
export const SANDBOX = "http://127.0.0.1:8790";

export function sandboxed() {
  const server = createTestHarness({
    workers: [{ configPath: new URL("../../sandbox/wrangler.toml", import.meta.url) }],
  });
  beforeAll(async () => void (await server.listen()), 30_000);
  afterAll(() => server.close());

  let runs = 0;
  async function perform(type: string, config: JsonObject, account: Partial<OpenConnection>, key = `exe_s/${runs++}`) {
    const bodies: ArrayBuffer[] = [];
    const fetch: RunnerContext["fetch"] = async (url, init) => {
      const { pathname, search } = new URL(url);
      if (init.body instanceof Uint8Array) bodies.push(init.body.slice().buffer);
      const { method = "GET", headers = {}, body = null } = init;
      // Sends the same request through the harness, which returns undici's Response with the same values.
      const response = await server.fetch(pathname + search, {
        method,
        headers: Object.fromEntries(new Headers(headers)),
        body,
        redirect: "manual",
      } as object);
      return response as unknown as Response;
    };
    const connection: RunnerContext["connection"] = async (_, provider) => ({
      ok: true,
      connection: connectionTo(provider, account),
    });
    const surroundings = {
      ...world(() => new Response()),
      fetch,
      connection,
      allowLoopback: true,
      now: () => Date.now(),
    };
    const deadlineAt = Date.now() + 60_000;
    return {
      outcome: await runTicket(ticketFor(type, config, { idempotencyKey: key, deadlineAt }), surroundings),
      bodies,
    };
  }

  async function arrived(path: string) {
    const response = await server.fetch(`/_control/requests?path=${encodeURIComponent(path)}`);
    return ((await response.json()) as { requests: { key: string; body: string; attempt: number }[] }).requests;
  }

  const script = (path: string, steps: object[]) =>
    server.fetch("/_control/scripts", { method: "PUT", body: JSON.stringify({ path, steps }) });

  return { server, perform, arrived, script };
}
