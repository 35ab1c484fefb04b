// Tests of the worker runner with a double of the port: the contract, the passed context, results, and thrown errors.
import { expect, it, vi } from "vitest";
import { runners } from "#runners/registry.ts";
import { runWith, type RunDeps } from "#runners/run.ts";
import type { ServicePort } from "#runners/core/runner.ts";
import type { JsonObject } from "#schema/json.ts";
import { RESPONSE_BYTES_KEPT } from "#schema/limits/outgoing/responses.ts";
import { WORKER_INPUT_CHARS_MAX, WORKER_RESULT_CHARS_MAX } from "#schema/limits/outgoing/worker-calls.ts";
import { runnerContract } from "#test/runners/contract.ts";
import { errorOf } from "#test/runners/perform.ts";
import { deaf, NOW, ticketFor, world } from "#test/runners/world.ts";

const goodConfig = { service: "shop", method: "reserve", input: { sku: "book" } };

runnerContract(runners.worker, {
  goodConfig,
  answer: null,
  ports: { services: { shop: { call: async () => ({ reserved: true }) } } },
});

type Setup = {
  readonly config?: JsonObject;
  readonly over?: Parameters<typeof ticketFor>[2];
  readonly deps?: Partial<RunDeps>;
};

async function execute(call: ServicePort["call"], { config = {}, over = {}, deps = {} }: Setup = {}) {
  const services = { shop: { call: vi.fn<ServicePort["call"]>(call) } };
  const ticket = ticketFor("worker", { ...goodConfig, ...config }, over);
  const outcome = await runWith(runners.worker, ticket, world(deaf, { services, ...deps }));
  return { outcome, calls: services.shop.call.mock.calls };
}
const returning = (value: unknown) => execute(async () => value);
const throwing = (thrown: unknown, deps: Partial<RunDeps> = {}) => execute(() => Promise.reject(thrown), { deps });
const errorWith = (message: string, fields: object = {}) => Object.assign(new Error(message), fields);

it("passes the method its input and the context of the run, and stores what it returns", async () => {
  const { outcome, calls } = await execute(async () => ({ total: 7, note: undefined }), { over: { attempt: 2 } });
  expect(calls).toMatchObject([
    [
      "reserve",
      { sku: "book" },
      {
        idempotencyKey: "exe_1/4.0",
        attempt: 2,
        deadline: NOW + 5_000,
        execution: "exe_1",
        run: "4.0",
        tenant: "ten_1",
      },
    ],
  ]);
  expect(outcome).toEqual({
    ok: true,
    result: { total: 7 },
    events: [
      { type: "worker_called", payload: { service: "shop", method: "reserve", responseTime: 0, actionId: "notify" } },
    ],
    metadata: { service: "shop", method: "reserve" },
    startedAt: NOW,
    endedAt: NOW,
  });
});

it("passes the same key in every attempt, and a deadline that a late claim shortens", async () => {
  const [first, second] = await Promise.all(
    [1, 2].map((attempt) => execute(async () => null, { over: { attempt, deadlineAt: NOW + 1_000 * attempt } })),
  );
  expect([first, second].map((each) => each?.calls[0]?.[2])).toMatchObject([
    { idempotencyKey: "exe_1/4.0", deadline: NOW + 1_000 },
    { idempotencyKey: "exe_1/4.0", deadline: NOW + 2_000 },
  ]);
});

it.each([null, undefined, true, 0, "", [], [1, { a: [null] }], "text"])("accepts the result %j", async (value) => {
  expect((await returning(value)).outcome).toMatchObject({ ok: true, result: value ?? null });
});

const cyclic: { self?: unknown } = {};
cyclic.self = cyclic;
it.each([
  ["a date", { at: new Date(0) }],
  ["a map", new Map()],
  ["bytes", { file: new Uint8Array(2) }],
  ["a bigint", 7n],
  ["not a number", { a: [Number.NaN] }],
  ["a function", { next: () => undefined }],
  ["a missing item", [undefined]],
  ["a cycle", cyclic],
])("refuses %s in a result, and does not retry", async (_what, value) => {
  const error = { type: "unknown_error", retryable: false, code: "result_not_json", effect: "unknown" };
  expect((await returning(value)).outcome).toMatchObject({ ok: false, error });
});

it("stores the beginning of a long result, and refuses one of megabytes", async () => {
  const { outcome } = await returning({ text: "租".repeat(RESPONSE_BYTES_KEPT) });
  expect(outcome).toMatchObject({ ok: true, result: { truncated: true } });
  expect(new TextEncoder().encode(JSON.stringify(outcome)).byteLength).toBeLessThan(2 * RESPONSE_BYTES_KEPT);
  const error = { type: "unknown_error", retryable: false, code: "result_too_large", effect: "unknown" };
  expect((await returning(["x".repeat(WORKER_RESULT_CHARS_MAX + 1)])).outcome).toMatchObject({ ok: false, error });
  const shared: unknown[] = [];
  let layer: unknown = shared;
  for (let depth = 0; depth < 60; depth++) layer = [layer, layer];
  expect((await returning(layer)).outcome).toMatchObject({ ok: false, error });
});

it("disposes the stubs of every result: a good one, a refused one, and one that comes after the deadline", async () => {
  const disposed: string[] = [];
  const held = (name: string, fields: object = {}) => ({ ...fields, [Symbol.dispose]: () => void disposed.push(name) });
  await returning(held("good"));
  await returning(held("refused", { next: () => undefined }));
  let answer: (value: unknown) => void = () => undefined;
  const late = new Promise<unknown>((resolve) => (answer = resolve));
  const { outcome } = await execute(() => late, { over: { timeoutMs: 10 } });
  expect(errorOf(outcome)).toMatchObject({ type: "timeout", retryable: true, effect: "unknown" });
  answer(held("late"));
  await late;
  await Promise.resolve();
  expect(disposed).toEqual(["good", "refused", "late"]);
});

it("stops waiting when the run is canceled", async () => {
  const control = new AbortController();
  const call: ServicePort["call"] = (_method, _input, { signal }) => {
    control.abort();
    expect(signal.aborted).toBe(true);
    return new Promise(() => undefined);
  };
  const { outcome } = await execute(call, { deps: { abortSignal: control.signal } });
  expect(errorOf(outcome)).toMatchObject({ type: "aborted", code: "attempt_canceled", effect: "unknown" });
});

const GONE = "ACTION_SERVICES names SHOP, but the Worker has no service binding under this name";
const NO_METHOD = 'The RPC receiver does not implement the method "reserve".';
it.each([
  ["a missing method", errorWith(NO_METHOD), "invalid_configuration", false, "method_missing", undefined],
  ["a missing binding", errorWith(GONE), "invalid_configuration", false, "service_not_bound", undefined],
  [
    "overload",
    errorWith("Busy", { overloaded: true, retryable: true }),
    "service_unavailable",
    true,
    "service_overloaded",
    "unknown",
  ],
  [
    "a lost connection",
    errorWith("Network connection lost.", { retryable: true }),
    "network_error",
    true,
    "connection",
    "unknown",
  ],
  [
    "a limit",
    errorWith("Worker exceeded memory limit."),
    "service_unavailable",
    true,
    "service_limit_exceeded",
    "unknown",
  ],
  [
    "recursion",
    errorWith("Subrequest depth limit exceeded. This request recursed through Workers too many times."),
    "malformed_request",
    false,
    "service_recursion",
    "unknown",
  ],
  [
    "a class instance",
    errorWith('Could not serialize object of type "K".'),
    "unknown_error",
    false,
    "result_not_json",
    "unknown",
  ],
  [
    "32 MiB",
    errorWith("Serialized RPC arguments or return values are limited to 32MiB"),
    "unknown_error",
    false,
    "result_too_large",
    "unknown",
  ],
  ["an exception", new TypeError("x is null"), "unknown_error", true, "method_threw", "unknown"],
  ["a text", "out of paper", "unknown_error", true, "method_threw", "unknown"],
  ["nothing", undefined, "unknown_error", true, "method_threw", "unknown"],
  [
    "a final refusal",
    errorWith("declined", { retryable: false, code: "Card-Declined" }),
    "malformed_request",
    false,
    "worker_card_declined",
    undefined,
  ],
  [
    "a retryable refusal",
    errorWith("later", { retryable: true }),
    "service_unavailable",
    true,
    "method_threw",
    undefined,
  ],
  [
    "a code alone",
    errorWith("overloaded", { code: "catalog_unavailable" }),
    "unknown_error",
    true,
    "worker_catalog_unavailable",
    "unknown",
  ],
  [
    "a code of no letters",
    errorWith("no", { retryable: false, code: "!" }),
    "malformed_request",
    false,
    "method_threw",
    undefined,
  ],
])("reports %s", async (_what, thrown, type, retryable, code, effect) => {
  const error = errorOf((await throwing(thrown)).outcome);
  expect(error).toMatchObject({ type, retryable, code });
  expect(error.effect).toBe(effect);
});

it("stores no secret that the method returns or throws", async () => {
  const canary = "canary-7f3a9c51e2";
  const deps = { secrets: [canary] };
  const thrown = await throwing(errorWith(`refused ${canary} and Bearer abcdef123456`), deps);
  const returned = await execute(async () => ({ echo: canary, [canary]: 1 }), { deps });
  const cut = await execute(async () => "x".repeat(RESPONSE_BYTES_KEPT - 10) + canary, { deps });
  expect(JSON.stringify([thrown.outcome, returned.outcome, cut.outcome])).not.toMatch(/canary-7f|abcdef123456/);
});

it.each(["other", "constructor", "__proto__"])(
  "refuses a Worker that is not available, such as %s",
  async (service) => {
    const { outcome, calls } = await execute(async () => null, { config: { service } });
    expect([errorOf(outcome), calls]).toMatchObject([{ type: "invalid_configuration", code: "service_not_open" }, []]);
    const none = await runWith(runners.worker, ticketFor("worker", goodConfig), world(deaf));
    expect(none).toMatchObject({ ok: false, error: { code: "service_not_open" } });
  },
);

it.each([
  ...["fetch", "connect", "dup", "then", "constructor", "toString", "__proto__", "_own", "a.b", "", "queue"].map(
    (method) => ({ method }),
  ),
  { input: "x".repeat(WORKER_INPUT_CHARS_MAX) },
])("refuses the config %j", async (config) => {
  const { outcome, calls } = await execute(async () => null, { config });
  expect([outcome, calls]).toMatchObject([{ ok: false, error: { code: "invalid_config" } }, []]);
});
