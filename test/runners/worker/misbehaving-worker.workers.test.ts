// Tests of the worker runner over real RPC: the shop Worker of the examples, and a Worker whose methods misbehave.
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { Env } from "#env";
import { servicePorts } from "#entrypoints/action-ports.ts";
import { runTicket } from "#runners/run.ts";
import type { Json } from "#schema/json.ts";
import { deaf, NOW, ticketFor, world } from "#test/runners/world.ts";

const real = env as unknown as Env;
const withServices = (ACTION_SERVICES: string): Env => ({ ...real, ACTION_SERVICES });

const call = (method: string, input: Json = null, timeoutMs = 5_000, list = "odd=MISBEHAVING") => {
  const ticket = ticketFor("worker", { service: "odd", method, input }, { timeoutMs });
  return runTicket(ticket, world(deaf, { services: servicePorts(withServices(list)) }));
};

it("passes the input and the context, and returns what the method returns", async () => {
  const context = { idempotencyKey: "exe_1/4.0", attempt: 1, execution: "exe_1", run: "4.0", tenant: "ten_1" };
  const result = { input: { a: [1, null] }, call: { ...context, deadline: NOW + 5_000 } };
  expect(await call("echo", { a: [1, null] })).toMatchObject({ ok: true, result });
  expect(await call("nothing")).toMatchObject({ ok: true, result: null });
});

const unknown = { type: "unknown_error", retryable: false, effect: "unknown" };
describe("a misbehaving method", () => {
  it.each([
    ["fails", { type: "unknown_error", retryable: true, code: "method_threw", effect: "unknown" }],
    ["refuses", { type: "malformed_request", retryable: false, code: "worker_card_declined" }],
    ["isBusy", { type: "service_unavailable", retryable: true, code: "method_threw" }],
    ["isMissing", { type: "invalid_configuration", retryable: false, code: "method_missing" }],
    ["field", { type: "invalid_configuration", retryable: false, code: "method_missing" }],
    ["env", { type: "invalid_configuration", retryable: false, code: "method_missing" }],
    ["date", { ...unknown, code: "result_not_json" }],
    ["stub", { ...unknown, code: "result_not_json" }],
    ["stubWithin", { ...unknown, code: "result_not_json" }],
    ["function", { ...unknown, code: "result_not_json" }],
    ["stream", { ...unknown, code: "result_not_json" }],
    ["instance", { ...unknown, code: "result_not_json" }],
    ["megabytes", { ...unknown, code: "result_too_large" }],
    ["tooManyMegabytes", { ...unknown, code: "result_too_large" }],
  ])("%s", async (method, error) => {
    const outcome = await call(method);
    expect(outcome).toMatchObject({ ok: false, error });
    expect(JSON.stringify(outcome)).not.toContain("abcdef123456");
  });

  it("that is slow counts as a timeout that may have taken effect", async () => {
    const error = { type: "timeout", retryable: true, code: "deadline", effect: "unknown" };
    expect(await call("slow", null, 30)).toMatchObject({ ok: false, error });
  });

  it("that returns much is stored in part", async () => {
    expect(await call("kilobytes")).toMatchObject({ ok: true, result: { truncated: true } });
  });

  it("that calls itself ends", async () => {
    expect(await call("recurse", 20)).toMatchObject({ ok: true, result: 0 });
  });
});

it("opens no binding that is no service", async () => {
  for (const list of ["odd=DB", "odd=NOWHERE", "odd=ROOT_KEY", "odd=EXECUTIONS", "odd=ACTIONS"]) {
    const error = { type: "invalid_configuration", retryable: false, code: "service_not_bound" };
    expect(await call("echo", null, 5_000, list)).toMatchObject({ ok: false, error });
  }
  expect(servicePorts(withServices(""))).toEqual({});
});
