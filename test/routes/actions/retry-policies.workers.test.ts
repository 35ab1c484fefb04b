// Retry policies over HTTP: the presets, and timetables of policies.
import { describe, expect, test } from "vitest";
import { api, must, tenantWithKey } from "#test/support/api.ts";

async function here() {
  const made = api();
  const { key } = await tenantWithKey(made, ["read"]);
  return (method: string, path: string, body?: unknown) =>
    made.ask(method, path, { key, ...(body === undefined ? {} : { body }) });
}

test("presets are listed with all defaults", async () => {
  const ask = await here();
  const { body } = await must(200, ask("GET", "/v1/retry-policies"));
  expect(body.data.map(({ name }: { name: string }) => name)).toEqual([
    ...["default", "reaction", "executor", "email", "sms", "task", "delay"],
  ]);
  expect(body.errors).toMatchObject({
    types: expect.arrayContaining(["rate_limit", "gas_price_too_low"]),
    codes: expect.arrayContaining(["deadline", "idempotency_conflict"]),
    patterns: expect.arrayContaining(["http_409", "http_5xx"]),
    aliases: { temporary_failure: ["service_unavailable", "network_error", "timeout"] },
  });
  expect(body.data[1].policy).toMatchObject({ maxAttempts: 5, maxDelay: 300_000, jitter: "tenth", rules: [] });
});

describe("a timetable", () => {
  test("of a preset starts now by default", async () => {
    const ask = await here();
    const now = await must(200, ask("GET", "/v1/retry-policies/ladder?policy=task"));
    expect(now.body).toMatchObject({ startAt: "2026-11-18T12:00:00.000Z", timezone: "UTC", retried: null });
    expect(now.body.rungs.map((rung: { earliest: { at: string } }) => rung.earliest.at)).toEqual([
      "2026-11-18T12:00:00.000Z",
      "2026-11-18T12:05:00.000Z",
    ]);
    const at = "/v1/retry-policies/ladder?policy=email&startAt=2026-03-29T00:58:30Z&timezone=Europe/Zurich";
    const { body } = await must(200, ask("GET", at));
    expect(body.rungs.map((rung: { earliest: { local: string } }) => rung.earliest.local)).toEqual([
      "2026-03-29T01:58:30.000+01:00",
      "2026-03-29T01:59:30.000+01:00",
      "2026-03-29T03:01:30.000+02:00",
      "2026-03-29T03:05:30.000+02:00",
    ]);
  });

  test("of an inline policy includes jitter and budget", async () => {
    const ask = await here();
    const policy = { maxAttempts: 5, baseDelay: 1_000, jitter: true, totalTimeMs: 2_000 };
    const { body } = await must(
      200,
      ask("POST", "/v1/retry-policies/ladder", { policy, startAt: "2026-01-01T00:00:00Z" }),
    );
    expect(body.rungs).toEqual([
      rung(1, [0, 0], "00.000", "00.000"),
      rung(2, [500, 1_000], "00.500", "01.000"),
      rung(3, [1_000, 2_000], "01.500", "02.000"),
    ]);
  });

  test.each([
    ["rate_limit", true, 9],
    ["timeout", false, 1],
    ["network_error", true, 3],
    ["authentication_failed", false, 1],
    ["http_409", false, 1],
    ["http_422", false, 1],
    ["temporary_failure", true, 3],
  ])("for %s: retried %s, %i tries", async (error, retried, tries) => {
    const ask = await here();
    const rules = [
      { errors: ["rate_limit"], maxAttempts: 9 },
      { errors: ["timeout", "http_4xx"], retry: false },
      { errors: ["http_409"], maxAttempts: 4 },
      { errors: ["temporary_failure"], maxAttempts: 3 },
    ];
    const { body } = await must(200, ask("POST", "/v1/retry-policies/ladder", { policy: { rules }, error }));
    expect([body.retried, body.rungs.length]).toEqual([retried, tries]);
  });

  test.each([
    ["http_401", "default", false],
    ["http_401", { retryableErrors: ["http_401"] }, true],
    ["http_503", "default", true],
    ["http_501", "default", false],
  ])("tells for %s under %j what a runner does: %s", async (error, policy, retried) => {
    const ask = await here();
    const { body } = await must(200, ask("POST", "/v1/retry-policies/ladder", { policy, error }));
    expect(body.retried).toBe(retried);
  });

  test.each([
    ["GET", "?policy=defualt", undefined, "?policy"],
    ["GET", "?policy=email&timezone=Mars", undefined, "?timezone"],
    ["POST", "", { policy: { maxAttempts: 0 } }, "/policy/maxAttempts"],
    ["POST", "", { policy: { rules: [{ errors: [] }] } }, "/policy/rules/0/errors"],
    ["POST", "", { policy: { rules: [{ errors: ["rate_limits"] }] } }, "/policy/rules/0/errors/0"],
    ["POST", "", { policy: "email", error: "card_declined" }, "/error"],
    ["POST", "", { policy: "email", startAt: "tomorrow" }, "/startAt"],
  ])("is refused: %s %s %j at %s", async (method, query, body, pointer) => {
    const ask = await here();
    const refused = await must(400, ask(method, `/v1/retry-policies/ladder${query}`, body));
    expect(refused.body.errors[0].pointer).toBe(pointer);
  });
});

function rung(attempt: number, [minMs, maxMs]: [number, number], earliest: string, latest: string) {
  const moment = (seconds: string) => ({
    at: `2026-01-01T00:00:${seconds}Z`,
    local: `2026-01-01T00:00:${seconds}+00:00`,
  });
  return { attempt, wait: { minMs, maxMs }, earliest: moment(earliest), latest: moment(latest) };
}
