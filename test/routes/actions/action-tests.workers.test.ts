// Action tests over HTTP, with the real runners and the real kernel: what an action would do.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { offline } from "#test/runners/rehearsal/world.ts";
import { must, type Parsed } from "#test/support/api.ts";
import { codes, context, made, tester, webhook } from "./action-tester.ts";
import { naming } from "#test/support/matchers/naming.ts";

const network = offline();
beforeEach(network.cut);
afterEach(network.check);

describe("a successful action", () => {
  it("returns the requests, and the event that its machine would receive", async () => {
    const { test } = await tester();
    const answer = await test({ action: webhook, context });
    expect(answer).toMatchObject({
      success: true,
      validation: { valid: true, findings: [] },
      result: {
        status: "ok",
        reason: null,
        error: null,
        result: { statusCode: 200 },
        events: [{ type: "webhook_called" }],
      },
      interactions: [
        {
          attempt: 1,
          atMs: 0,
          method: "POST",
          url: "https://example.com/hook",
          mocked: true,
          assumed: true,
          body: { id: "o-17" },
          headers: { "idempotency-key": "exe_test/1.0" },
          response: { status: 200, body: {} },
        },
      ],
      wouldTakeMs: 0,
      costEstimate: null,
    });
    expect(answer.result.attempts).toMatchObject([{ attempt: 1, outcome: "ok", waitedMs: null }]);
    expect(codes(answer)).toEqual(["may_repeat", "answers_assumed"]);
  });

  it("returns the same response for the same request", async () => {
    const { test } = await tester();
    expect(await test({ action: webhook, context })).toEqual(await test({ action: webhook, context }));
  });

  it("uses the given variables, states and instant", async () => {
    const { test } = await tester();
    const payload = "{{ execution.variables.name }} {{ previousState }}>{{ currentState }} {{ now }}";
    const action = { actionId: "greet", type: "webhook", config: { url: "https://example.com", payload } };
    const { interactions } = await test({
      action,
      context: { ...context, variables: { name: "Ada" }, previousState: "open", currentState: "paid" },
    });
    expect(interactions[0].body).toBe("Ada open>paid 2026-03-01T10:00:00.000Z");
  });

  it("adds up the costs of its attempts", async () => {
    const { key, test } = await tester();
    const prices = { currency: "EUR", prices: { webhook: 0.25 } };
    await must(200, made.ask("PUT", "/v1/prices", { key, body: prices }));
    const { costEstimate } = await test({ action: webhook, context, mocks: [{ status: 503 }, { status: 200 }] });
    expect(costEstimate).toBe(0.5);
  });
});

describe("mocks for each attempt", () => {
  it("503, 503, 200: two retries with their delays, then success", async () => {
    const { test } = await tester();
    const retryPolicy = { maxAttempts: 4, baseDelay: 1_000, jitter: "half" };
    const mocks = [{ status: 503, delay: 40 }, { status: 503 }, { status: 200 }];
    const answer = await test({ action: { ...webhook, retryPolicy }, context, mocks });
    expect(answer.success).toBe(true);
    expect(answer.result.attempts).toMatchObject([
      {
        attempt: 1,
        atMs: 0,
        durationMs: 40,
        outcome: "failed",
        error: { type: "service_unavailable" },
        waitedMs: { min: 500, max: 1_000 },
      },
      { attempt: 2, outcome: "failed", waitedMs: { min: 1_000, max: 2_000 } },
      { attempt: 3, outcome: "ok", error: null, waitedMs: null },
    ]);
    expect(answer.interactions.map((each: Parsed) => each.attempt)).toEqual([1, 2, 3]);
    // Jitter is derived from the input, so each call returns the same delays within their bounds.
    const [, second, third] = answer.result.attempts.map(({ atMs }: Parsed) => atMs);
    expect([second - 40 >= 500, second - 40 <= 1_000, third - second >= 1_000, third - second <= 2_000]).toEqual(
      Array.from({ length: 4 }, () => true),
    );
    expect([answer.interactions[2].atMs, answer.wouldTakeMs]).toEqual([third, third]);
    const again = await test({ action: { ...webhook, retryPolicy }, context, mocks });
    expect(again.wouldTakeMs).toBe(third);
    expect(new Set(answer.interactions.map((each: Parsed) => each.headers["idempotency-key"])).size).toBe(1);
  });

  it("429 with Retry-After: the longer delay applies", async () => {
    const { test } = await tester();
    const mocks = [{ status: 429, headers: { "Retry-After": "30" } }, { status: 200 }];
    const answer = await test({ action: webhook, context, mocks });
    expect(answer.result.attempts[0]).toMatchObject({
      error: { type: "rate_limit" },
      waitedMs: { min: 30_000, max: 30_000 },
    });
    expect(answer).toMatchObject({ success: true, wouldTakeMs: 30_000 });
  });

  it("a response slower than the timeout is a timeout, and the last mock repeats", async () => {
    const { test } = await tester();
    const action = { ...webhook, timeout: 2_000, retryPolicy: { maxAttempts: 2, baseDelay: 100 } };
    const answer = await test({ action, context, mocks: [{ delay: 9_000 }] });
    expect(answer).toMatchObject({
      success: false,
      wouldTakeMs: 4_100,
      result: { status: "failed", error: { type: "timeout" } },
    });
    expect(answer.interactions).toMatchObject([{ error: "timeout", response: null }, { error: "timeout" }]);
    expect(codes(answer)).toEqual(["becomes_dead_letter", "may_repeat", "timeout_too_short"]);
  });

  it("end after the requested number of attempts", async () => {
    const { test } = await tester();
    const answer = await test({ action: webhook, context, mocks: [{ status: 503 }], maxAttempts: 1 });
    expect(answer.result).toMatchObject({ status: "waiting", reason: "rehearsal_ended", attempts: [{ attempt: 1 }] });
    expect(codes(answer)).toContain("rehearsal_ended");
  });
});

describe("an action that would not be sent", () => {
  it("is skipped, delayed, or waits for a variable", async () => {
    const { test } = await tester();
    const run = async (part: object) => (await test({ action: { ...webhook, ...part }, context })).result;
    expect(await run({ condition: { "==": [1, 2] } })).toMatchObject({ status: "skipped", reason: "condition_false" });
    expect(await run({ validUntil: "2026-02-01T00:00:00Z" })).toMatchObject({
      reason: "no_longer_valid",
      attempts: [],
    });
    expect(await run({ delay: "PT1H" })).toMatchObject({ status: "ok", attempts: [{ atMs: 3_600_000 }] });
    const anchor = { var: "execution.variables.date" };
    expect(await run({ delay: { anchor } })).toMatchObject({ status: "waiting", reason: "delay_unknown" });
  });

  it("fails if a template's variable is missing", async () => {
    const { test } = await tester();
    const answer = await test({ action: webhook });
    expect(answer).toMatchObject({
      success: false,
      result: { status: "failed", error: { type: "invalid_configuration" } },
    });
    expect(answer.interactions).toEqual([]);
  });

  it("is refused with pointers if its config is invalid", async () => {
    const { test } = await tester();
    const findings = async (action: object) => (await test({ action })).validation.findings;
    const answer = await test({ action: { type: "webhok", config: {} } });
    expect(answer).toMatchObject({ success: false, result: null, interactions: [], wouldTakeMs: null });
    expect(answer.validation).toMatchObject({
      valid: false,
      findings: [{ pointer: "/action/type", hint: naming("webhook") }],
    });
    expect(await findings({ ...webhook, timout: 5 })).toMatchObject([
      { pointer: "/action/timout", code: "unknown_field" },
    ]);
    expect(await findings({ type: "webhook", config: {} })).toMatchObject([{ pointer: "/action/config/url" }]);
    expect(await findings({ type: "webhook" })).toMatchObject([{ pointer: "/action/config", code: "required" }]);
    expect(await findings({ ...webhook, schedule: "never" })).toMatchObject([{ pointer: "/action/schedule" }]);
    expect(
      await findings({ type: "email", config: { provider: "resend", to: "a@b.ch", template: "none" } }),
    ).toMatchObject([{ pointer: "/action/config/template", code: "unknown_template" }]);
    expect(await findings({ ...webhook, triggerState: "paid", schedule: "0 9 * * *" })).toEqual([]);
  });

  it("is refused if the request is invalid", async () => {
    const { key } = await tester();
    const refused = async (body: object, pointer: string) => {
      const answer = await made.ask("POST", "/v1/actions/test", { key, body });
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
      expect(answer.body.errors.map((each: Parsed) => each.pointer)).toContain(pointer);
    };
    await refused({}, "/action");
    await refused({ action: webhook, mocks: [{ stauts: 200 }] }, "/mocks/0/stauts");
    await refused({ action: webhook, mocks: [{ status: 200, error: "timeout" }] }, "/mocks/0/error");
    await refused({ action: webhook, mocks: [{ status: 42 }] }, "/mocks/0/status");
    await refused({ action: webhook, context: { now: "tomorrow" } }, "/context/now");
    await refused({ action: webhook, maxAttempts: 0 }, "/maxAttempts");
    await refused({ action: webhook, context: { variables: { big: "x".repeat(300_000) } } }, "/context/variables");
    const payload = "x".repeat(70_000);
    await refused({ action: webhook, context: { message: { type: "a", payload } } }, "/context/message/payload");
  });
});

describe("an action under limits", () => {
  const limited = (limit: object) => ({ ...webhook, actionId: "call", limit: [{ key: "ada", ...limit }] });
  const outcomesOf = ({ result }: Parsed) =>
    result.attempts.map(({ outcome, atMs, error }: Parsed) => [outcome, atMs, error?.code ?? null]);

  it("waits for the end of quiet hours, and asks its limits only then", async () => {
    const { key, test } = await tester();
    const window = { from: "12:00", to: "18:00", timezone: "UTC" };
    const policy = { kind: "quiet_hours", types: ["webhook"], window };
    await must(201, made.ask("PUT", "/v1/policies/day", { key, body: policy }));
    const answer = await test({ action: limited({ concurrency: 1, rate: { max: 1, per: "PT1H" } }), context });
    expect(answer).toMatchObject({ success: true, wouldTakeMs: 2 * 3_600_000 });
    expect(outcomesOf(answer)).toEqual([
      ["held", 0, "quiet_hours"],
      ["ok", 2 * 3_600_000, null],
    ]);
    const urgent = await test({ action: { ...webhook, quietHours: "ignore" }, context });
    expect(outcomesOf(urgent)).toEqual([["ok", 0, null]]);
  });

  it("waits for its debounce, and starts at once under the other terms, because its key is free", async () => {
    const { test } = await tester();
    const debounced = await test({ action: limited({ debounce: { for: "PT30S" } }), context });
    expect(outcomesOf(debounced)).toEqual([
      ["held", 0, "limit_debounce"],
      ["ok", 30_000, null],
    ]);
    for (const terms of [{ concurrency: 1 }, { throttle: { max: 1, per: "PT1H" } }, { singleton: "skip" }])
      expect(outcomesOf(await test({ action: limited(terms), context }))).toEqual([["ok", 0, null]]);
  });

  it("needs no second turn for its retry", async () => {
    const { test } = await tester();
    const retryPolicy = { maxAttempts: 2, baseDelay: 1_000, jitter: "none" };
    const action = { ...limited({ throttle: { max: 1, per: "PT1H" }, rate: { max: 1, per: "PT1H" } }), retryPolicy };
    const answer = await test({ action, context, mocks: [{ status: 503 }, { status: 200 }] });
    expect(outcomesOf(answer).map(([outcome]: unknown[]) => outcome)).toEqual(["failed", "ok"]);
  });

  it("uses its cap once", async () => {
    const { test } = await tester();
    const cap = { name: "gentle", max: 1, per: "P1D", subject: "ada", over: "skip" };
    expect(outcomesOf(await test({ action: { ...webhook, cap }, context }))).toEqual([["ok", 0, null]]);
  });
});
