// Runners' contract: the tests that every runner must pass. Each runner's own test calls it with a valid config and the
// provider's answer. A runner without HTTP calls passes `answer: null` and skips the tests of HTTP failures.
import { describe, expect, it } from "vitest";
import { actionTypes, type AnyRunner } from "#runners/registry.ts";
import { configFindings } from "#runners/draft.ts";
import { runWith, type RunDeps } from "#runners/run.ts";
import { outcome as outcomeShape, type Outcome } from "#schema/engine/outcome.ts";
import type { OpenConnection } from "#runners/core/runner.ts";
import type { JsonObject } from "#schema/json.ts";
import { boundContract } from "./restricted-secrets-contract.ts";
import { keptContract } from "./stored-size-contract.ts";
import { errorOf, type Perform } from "./perform.ts";
import { connectionTo, cutOff, deaf, hangs, NOW, resets, ticketFor, world, type Answer, type Call } from "./world.ts";

export type Contract = {
  readonly goodConfig: JsonObject;
  /** The provider's answer to a valid call. null: the runner makes no HTTP call. */
  readonly answer: Answer | null;
  /** Returns the valid config with the secret in each field that may contain one. */
  readonly withSecret?: (secret: string) => JsonObject;
  /** Returns the valid config with this URL. Absent: the config has no URL. */
  readonly withUrl?: (url: string) => JsonObject;
  /** The connection that the runner opens, and its credentials with this secret in each value. */
  readonly connection?: Partial<OpenConnection>;
  readonly withCredentials?: (secret: string) => { readonly [name: string]: string };
  /** The ports besides HTTP that the runner needs. */
  readonly ports?: Partial<RunDeps>;
  /** Returns a call's idempotency key. Default: the header Idempotency-Key. */
  readonly keyOf?: (call: Call) => string | null;
  /** Returns a call's plaintext body. Set for runners that encrypt each call differently. */
  readonly bodyOf?: (call: Call) => Promise<string>;
  /** Whether a call has an effect. Set if a second attempt first searches for the first one's effect. */
  readonly acts?: (call: Call) => boolean;
  /** The time in milliseconds that the runner may need before its first call. */
  readonly readyMs?: number;
  /** Set if the runner sends and stores nothing outside the engine. */
  readonly goesNowhere?: true;
  /** The runner's own codes of statuses, instead of http_404. */
  readonly codes?: { readonly [status: number]: string };
};

const CANARY = "canary-7f3a9c51e2";

/** The meaning of each status: error type, and whether a retry can help. */
const STATUSES: readonly (readonly [number, string, boolean])[] = [
  [302, "malformed_request", false],
  [400, "malformed_request", false],
  [401, "authentication_failed", false],
  [403, "authorization_failed", false],
  [404, "not_found", false],
  [408, "timeout", true],
  [409, "malformed_request", false],
  [410, "not_found", false],
  [422, "malformed_request", false],
  [425, "rate_limit", true],
  [429, "rate_limit", true],
  [500, "service_unavailable", true],
  [501, "malformed_request", false],
  [502, "service_unavailable", true],
  [503, "service_unavailable", true],
  [504, "service_unavailable", true],
  [505, "malformed_request", false],
  [522, "service_unavailable", true],
];

export function runnerContract(runner: AnyRunner, contract: Contract): void {
  const { goodConfig, answer } = contract;
  const perform: Perform = async (config, how, over = {}, account = {}, bounds = []) => {
    const surroundings = world(how, {
      ...contract.ports,
      bounds,
      connection: async (_, provider) => ({
        ok: true,
        connection: connectionTo(provider, { ...contract.connection, ...account }),
      }),
    });
    const callers: (string | null)[] = [];
    const fetch: RunDeps["fetch"] = (url, init) => {
      callers.push(new Headers(init.headers).get("User-Agent"));
      return surroundings.fetch(url, init);
    };
    const outcome = await runWith(runner, ticketFor(runner.type, config, over), { ...surroundings, fetch });
    expect(outcomeShape.safeParse(outcome).error).toBeUndefined();
    return { outcome, calls: surroundings.calls, callers };
  };

  describe(`the ${runner.type} runner keeps the runners' contract`, () => {
    it("is registered under its own type", () => {
      expect(actionTypes[runner.type]).toBe(runner);
    });

    // Some providers refuse calls without a User-Agent: Resend answers 403.
    it("performs a valid config, and sends a User-Agent with every call", async () => {
      const { outcome, callers } = await perform(goodConfig, answer ?? deaf);
      expect(outcome).toMatchObject({ ok: true, startedAt: NOW, endedAt: NOW });
      expect([...new Set(callers)]).toEqual(calledBy(contract));
    });

    it("refuses an unknown config field by name, before and after rendering", async () => {
      const config = { ...goodConfig, quiteUnknown: 1 };
      const { outcome, calls } = await perform(config, answer ?? deaf);
      expect(errorOf(outcome)).toMatchObject({ type: "invalid_configuration", retryable: false });
      expect(errorOf(outcome).message).toContain("quiteUnknown");
      expect(calls).toEqual([]);
      expect(configFindings(runner.type, config)).toMatchObject([{ pointer: "/quiteUnknown", code: "unknown_field" }]);
    });

    it("accepts its valid config as a draft", () => {
      expect(configFindings(runner.type, goodConfig)).toEqual([]);
    });

    boundContract(contract, perform);
    keptContract(contract, perform);
    if (answer !== null) overHttp(contract, answer, perform);
  });
}

function overHttp(contract: Contract, answer: Answer, perform: Perform): void {
  const {
    goodConfig,
    withSecret,
    withCredentials,
    withUrl,
    keyOf = headerKey,
    bodyOf = plainBody,
    acts = () => true,
  } = contract;
  it.each(STATUSES)("reports status %i as %s (retryable: %s)", async (status, type, retryable) => {
    const { outcome, calls } = await perform(goodConfig, () => refusal(status));
    expect(errorOf(outcome)).toMatchObject({ type, retryable, code: contract.codes?.[status] ?? `http_${status}` });
    expect(calls).toHaveLength(1);
  });

  it("returns the provider's Retry-After, and none without it", async () => {
    const withHeader = (value: string) => perform(goodConfig, () => refusal(429, { "Retry-After": value }));
    expect((await withHeader("7")).outcome).toMatchObject({ ok: false, retryAfterMs: 7_000 });
    expect((await withHeader(new Date(NOW + 90_000).toUTCString())).outcome).toMatchObject({ retryAfterMs: 90_000 });
    expect((await withHeader("soon")).outcome).not.toHaveProperty("retryAfterMs");
    expect((await perform(goodConfig, () => refusal(429))).outcome).not.toHaveProperty("retryAfterMs");
  });

  it("follows no redirect", async () => {
    const { outcome, calls } = await perform(goodConfig, () => refusal(307, { Location: "http://169.254.169.254/x" }));
    expect(errorOf(outcome).message).toContain("169.254.169.254");
    expect(calls.map(({ init }) => init.redirect)).toEqual(["manual"]);
  });

  it("handles a body that differs from its content type", async () => {
    const headers = { "Content-Type": "application/json" };
    await perform(goodConfig, () => new Response("<html>", { headers }));
    await perform(goodConfig, () => new Response("", { headers }));
    await perform(goodConfig, () => new Response("[1]", { headers }));
    await perform(goodConfig, () => new Response(new Uint8Array([0xff, 0xfe, 0]), { headers }));
  });

  it("reports a reset connection as a network error", async () => {
    const { outcome } = await perform(goodConfig, resets);
    expect(errorOf(outcome)).toMatchObject({ type: "network_error", retryable: true });
  });

  it.each(["breaks", "hangs"] as const)("reports a success although its body %s", async (how) => {
    const over = { timeoutMs: contract.readyMs ?? 15 };
    const { outcome } = await perform(goodConfig, () => cutOff('{"a":', how), over);
    expect(AFTER_A_SUCCESS).toContainEqual(endOf(outcome));
  });

  it.each([
    ["a fetch that heeds its signal", hangs],
    ["a fetch that does not", deaf],
    ["a refusal's body that never ends", () => cutOff('{"a":', "hangs", { status: 408 })],
  ])("ends at the deadline with %s", async (_, how) => {
    const { outcome, calls } = await perform(goodConfig, how, { timeoutMs: contract.readyMs ?? 15 });
    expect(errorOf(outcome)).toMatchObject({ type: "timeout", retryable: true });
    expect(calls[0]?.init.signal?.aborted).toBe(true);
  });

  it("calls no provider after the deadline", async () => {
    const { outcome, calls } = await perform(goodConfig, answer, { deadlineAt: NOW });
    expect(errorOf(outcome)).toMatchObject({ type: "timeout", retryable: true });
    expect(calls).toEqual([]);
  });

  it("sends the same bytes under the same key in every attempt", async () => {
    const sent = async (attempt: number) => {
      const { calls } = await perform(goodConfig, answer, { attempt });
      return Promise.all(calls.filter(acts).map(async (call) => ({ key: keyOf(call), body: await bodyOf(call) })));
    };
    const [first, second] = [await sent(1), await sent(2)];
    expect(second).toEqual(first);
    expect(first.at(-1)?.key).toBe("exe_1/4.0");
  });

  if (withSecret !== undefined) {
    it.each([200, 302, 400, 401, 500])("stores no secret of its config that a %i echoes", async (status) => {
      const { outcome, calls } = await perform(withSecret(CANARY), (call) => echo(call, status));
      expect(JSON.stringify([...(calls[0]?.request.headers ?? [])]) + calls[0]?.url).toContain(CANARY);
      expect(JSON.stringify(outcome)).not.toContain(CANARY);
    });

    it("stores no secret of its config that the call's error contains", async () => {
      const fails: Answer = ({ url, request }) => {
        throw new Error(`cannot send ${JSON.stringify([...request.headers])} to ${url}`);
      };
      expect(JSON.stringify((await perform(withSecret(CANARY), fails)).outcome)).not.toContain(CANARY);
    });
  }

  if (withCredentials !== undefined) {
    const account = { credentials: withCredentials(CANARY) };
    it.each([200, 302, 400, 401, 500])("stores no credential of its connection that a %i echoes", async (status) => {
      const blabs: Answer = (call) => echo(call, status, CANARY);
      const { outcome, calls } = await perform(goodConfig, blabs, {}, account);
      expect(calls).not.toEqual([]);
      expect(JSON.stringify(outcome)).not.toContain(CANARY);
    });

    it("stores no credential of its connection that the call's error contains", async () => {
      const fails: Answer = ({ url, request }) => {
        throw new Error(`cannot send ${CANARY} ${JSON.stringify([...request.headers])} to ${url}`);
      };
      expect(JSON.stringify((await perform(goodConfig, fails, {}, account)).outcome)).not.toContain(CANARY);
    });
  }

  if (withUrl !== undefined) {
    it.each([
      "http://example.com/",
      "https://127.1/",
      "https://[::ffff:10.0.0.1]/",
      "https://metadata.google.internal/",
    ])("never calls %s", async (url) => {
      const { outcome, calls } = await perform(withUrl(url), answer);
      expect(errorOf(outcome)).toMatchObject({
        type: "invalid_configuration",
        code: "egress_refused",
        retryable: false,
      });
      expect(calls).toEqual([]);
    });
  }
}

/** Returns the expected User-Agents. A runner without calls sends none. */
function calledBy({ answer, ports }: Contract): string[] {
  return answer === null && ports?.fetch === undefined ? [] : ["Escapement/1"];
}

/**
 * The results of a success with a broken body: a success that states what is missing, an unreadable answer for an
 * operator, or a retryable failure of a call that only reads.
 */
const AFTER_A_SUCCESS = [
  "ok, cut",
  "ok, timeout",
  "answer_unreadable, not retried, effect unknown",
  "connection, retried, effect none",
  "deadline, retried, effect none",
];

function endOf(outcome: Outcome): string {
  if (outcome.ok) return `ok, ${String((outcome.result as JsonObject)["bodyIncomplete"])}`; // runners' results are objects
  const { code, retryable, effect } = outcome.error;
  return `${code}, ${retryable ? "" : "not "}retried, effect ${effect}`;
}

function refusal(status: number, headers: Record<string, string> = {}): Response {
  return new Response('{"error":"no"}', { status, headers: { "Content-Type": "application/json", ...headers } });
}

/** A receiver that echoes the whole call in every part of its answer that could be stored. */
async function echo({ url, request }: Call, status: number, more = ""): Promise<Response> {
  const headers = Object.fromEntries(request.headers);
  const said = JSON.stringify({ url, headers, list: Object.values(headers), body: await request.clone().text(), more });
  return new Response(said, {
    status,
    headers: { "Content-Type": "application/json", "X-Request-Id": said, Location: url },
  });
}

function plainBody({ request }: Call): Promise<string> {
  return request.clone().text();
}

function headerKey({ request }: Call): string | null {
  return request.headers.get("Idempotency-Key");
}
