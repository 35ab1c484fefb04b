// Which name of a retry policy an error matches, if several match.
import { describe, expect, test } from "vitest";
import { policyFor, resolveRetry, shouldRetry } from "#kernel/execution/retries/retry.ts";
import type { RetryPolicy } from "#schema/definition/retry.ts";

describe("the closest name decides, in any order:", () => {
  const all = ["temporary_failure", "http_4xx", "http_5xx", "rate_limit", "service_unavailable", "http_409", "busy"];
  type Told = { readonly type: string; readonly code?: string; readonly details?: { readonly status: number } };
  const conflict: Told = { type: "malformed_request", code: "http_409" };
  const renamed: Told = { type: "rate_limit", code: "busy", details: { status: 409 } };

  test.each<[string, readonly string[], Told, string | null]>([
    // what                                    rules, in this order                   error                                         whose
    ["a status", ["http_4xx", "http_409"], conflict, "http_409"],
    ["its class", ["http_5xx", "http_4xx"], conflict, "http_4xx"],
    ["a type goes before a class", ["http_4xx", "malformed_request"], conflict, "malformed_request"],
    ["a code goes before all", all, renamed, "busy"],
    ["a status beside a code of its own", all.slice(0, 6), renamed, "http_409"],
    ["then the type", all.slice(0, 5), renamed, "rate_limit"],
    ["then the class", all.slice(0, 3), renamed, "http_4xx"],
    [
      "the alias last",
      ["temporary_failure", "http_5xx"],
      { type: "service_unavailable", code: "http_503" },
      "http_5xx",
    ],
    ["the alias: timeouts", ["temporary_failure"], { type: "timeout", code: "deadline" }, "temporary_failure"],
    ["the alias: the network", ["temporary_failure"], { type: "network_error" }, "temporary_failure"],
    ["no status, no class", ["http_5xx"], { type: "service_unavailable", code: "undeliverable" }, null],
    ["another status", ["http_409", "http_5xx"], { type: "malformed_request", code: "http_422" }, null],
    ["the alias means no other type", ["temporary_failure"], { type: "rate_limit" }, null],
    ["a name that is in every object", ["constructor"], { type: "timeout" }, null],
  ])("%s", (_what, names, error, whose) => {
    const rules = names.map((name, n) => ({ errors: [name], maxAttempts: 10 + n }));
    const { maxAttempts } = policyFor(resolveRetry({ maxAttempts: 2, rules }, "default"), error);
    expect(maxAttempts === 2 ? null : names[maxAttempts - 10]).toBe(whose);
  });

  test.each<[string, RetryPolicy, Told, boolean]>([
    ["only a status", { retryableErrors: ["http_409"] }, conflict, true],
    ["only another", { retryableErrors: ["http_5xx"] }, conflict, false],
    [
      "never a class, but this one",
      { retryableErrors: ["http_409"], nonRetryableErrors: ["http_4xx"] },
      conflict,
      true,
    ],
    [
      "only a class, but never this one",
      { retryableErrors: ["http_4xx"], nonRetryableErrors: ["http_409"] },
      conflict,
      false,
    ],
    ["as close: never", { retryableErrors: ["http_409"], nonRetryableErrors: ["http_409"] }, conflict, false],
    ["trouble that passes", { retryableErrors: ["rate_limit", "temporary_failure"] }, { type: "network_error" }, true],
    ["and no other", { retryableErrors: ["rate_limit", "temporary_failure"] }, { type: "not_found" }, false],
    ["a rule by status", { rules: [{ errors: ["http_4xx"], retry: true }] }, conflict, true],
    [
      "and against it",
      {
        rules: [
          { errors: ["http_4xx"], retry: true },
          { errors: ["http_409"], retry: false },
        ],
      },
      conflict,
      false,
    ],
  ])("%s", (_what, policy, error, isRetried) => {
    const effective = policyFor(resolveRetry(policy, "default"), error);
    expect(shouldRetry(effective, { ...error, message: "", retryable: false }, 1).retry).toBe(isRetried);
  });
});
