import { expect, it } from "vitest";
import { classifyStatus, parseRetryAfter } from "#runners/core/classify.ts";
import { naming } from "#test/support/matchers/naming.ts";

const NOW = Date.UTC(2026, 0, 15, 12);
const rejection = { target: "POST api.example.com", retryAfter: null, location: null, body: "", now: NOW };

it("reports the receiver and the beginning of the body", () => {
  expect(classifyStatus({ ...rejection, status: 429, body: "slow down", retryAfter: "5" })).toEqual({
    error: {
      type: "rate_limit",
      message: naming("POST api.example.com", 429),
      retryable: true,
      code: "http_429",
      details: { status: 429, body: "slow down" },
    },
    retryAfterMs: 5_000,
  });
});

it.each([
  [200, "unknown_error", false],
  [204, "unknown_error", false],
  [301, "malformed_request", false],
  [304, "malformed_request", false],
  [418, "malformed_request", false],
  [501, "malformed_request", false],
  [505, "malformed_request", false],
  [506, "malformed_request", false],
  [507, "service_unavailable", true],
  [508, "malformed_request", false],
  [509, "rate_limit", true],
  [510, "malformed_request", false],
  [511, "authentication_failed", false],
  [520, "service_unavailable", true],
  [521, "service_unavailable", true],
  [522, "service_unavailable", true],
  [523, "service_unavailable", true],
  [524, "service_unavailable", true],
  [525, "service_unavailable", true],
  [526, "service_unavailable", true],
  [530, "service_unavailable", true],
  [599, "service_unavailable", true],
])("reports an unexpected %i as %s", (status, type, retryable) => {
  expect(classifyStatus({ ...rejection, status }).error).toMatchObject({ type, retryable, code: `http_${status}` });
});

it.each([
  ["https://login.example.com/?next=secret", "login.example.com"],
  ["/elsewhere", ""],
  [null, ""],
])("names only the host of a redirect to %s", (location, named) => {
  const { message } = classifyStatus({ ...rejection, status: 302, location }).error;
  expect(message).toContain(named);
  expect(message).not.toMatch(/secret|elsewhere|null/);
});

it("returns Retry-After for every 4xx and 5xx, and for no other status", () => {
  for (const status of [404, 429, 503])
    expect(classifyStatus({ ...rejection, status, retryAfter: "2" }).retryAfterMs).toBe(2_000);
  expect(classifyStatus({ ...rejection, status: 302, retryAfter: "2" })).not.toHaveProperty("retryAfterMs");
});

it.each([
  ["0", 0],
  ["120", 120_000],
  [" 1.5 ", 1_500],
  ["Thu, 15 Jan 2026 12:00:30 GMT", 30_000],
  ["Thursday, 15-Jan-26 12:00:30 GMT", 30_000],
  ["Thu, 15 Jan 2026 11:00:00 GMT", 0],
  ["86400", 86_400_000],
  ["9".repeat(400), null],
  ["-5", null],
  ["soon", null],
  ["soon 5", null],
  ["Thu, nonsense", null],
  ["", null],
  [null, null],
])("reads Retry-After %j as %j ms", (value, ms) => {
  expect(parseRetryAfter(value, NOW)).toBe(ms);
});
