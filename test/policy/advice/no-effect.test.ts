// Tests which HTTP statuses mean that a call had no effect. test/runners/no-effect.test.ts tests the codes.
import { describe, expect, it } from "vitest";
import { hadNoEffect } from "#policy/advice/no-effect.ts";

const failed = (type: string, more: { code?: string; details?: { status: number } }) =>
  hadNoEffect({ type, message: "", retryable: false, ...more });

const refusals = [300, 301, 302, 303, 307, 308, 400, 401, 402, 403, 404, 405, 409, 410, 413, 415, 422, 425, 429, 451];
const unknown = [101, 200, 201, 202, 204, 206, 299, 408, 499, 500, 501, 502, 503, 504, 507, 520, 521, 524, 530, 599];

describe("an error with HTTP status", () => {
  it.each(refusals)("%i had no effect", (status) => {
    expect(failed("service_unavailable", { details: { status } })).toBe(true);
    expect(failed("service_unavailable", { code: `http_${status}` })).toBe(true);
  });

  it.each(unknown)("%i may have had an effect", (status) => {
    expect(failed("malformed_request", { details: { status } })).toBe(false);
    expect(failed("malformed_request", { code: `http_${status}` })).toBe(false);
  });
});

it("has the effect that the runner states, whatever its code", () => {
  const known = (effect: "none" | "unknown", code: string) =>
    hadNoEffect({ type: "network_error", message: "", retryable: true, code, effect });
  expect([known("none", "connection"), known("unknown", "slack_no_text")]).toEqual([true, false]);
});

it.each([
  ["timeout", "deadline", false],
  ["network_error", "connection", false],
  ["unknown_error", "runner_threw", false],
  ["service_unavailable", "undeliverable", false],
  ["service_unavailable", "token_lost", true],
  ["invalid_configuration", "egress_refused", true],
  ["invalid_configuration", "made_up", true],
  ["made_up", "made_up", false],
])("missing, with %s / %s", (type, code, isKnown) => {
  expect(failed(type, { code })).toBe(isKnown);
});

it("an error without a code is decided by its type", () => {
  expect([failed("invalid_configuration", {}), failed("authorization_failed", {})]).toEqual([true, false]);
});

it("a refusal code outweighs the HTTP status, and an ambiguous code outweighs both", () => {
  expect(failed("not_found", { code: "slack_channel_not_found", details: { status: 200 } })).toBe(true);
  expect(failed("malformed_request", { code: "answer_too_large", details: { status: 400 } })).toBe(false);
});
