import { RETRY_AFTER_MS_MAX, RETRY_BACKOFF_MS_MAX } from "#schema/limits/run-attempts.ts";
import { describe, expect, test } from "vitest";
import {
  isBeyondBudget,
  policyFor,
  resolveRetry,
  retryDelayMs,
  retryTimetable,
  shouldRetry,
} from "#kernel/execution/retries/retry.ts";
import { retryPolicy, type RetryPolicy, type RetryPreset } from "#schema/definition/retry.ts";

const s = 1_000;
const min = 60 * s;

describe("the ladder of a preset", () => {
  test.each<[RetryPreset, number, [number, number][]]>([
    [
      "default",
      3,
      [
        [1 * s, 1 * s],
        [2 * s, 2 * s],
      ],
    ],
    [
      "reaction",
      5,
      [
        [1.8 * s, 2.2 * s],
        [3.6 * s, 4.4 * s],
        [7.2 * s, 8.8 * s],
        [14.4 * s, 17.6 * s],
      ],
    ],
    [
      "executor",
      4,
      [
        [1 * s, 1 * s],
        [2 * s, 2 * s],
        [4 * s, 4 * s],
      ],
    ],
    [
      "email",
      4,
      [
        [1 * min, 1 * min],
        [2 * min, 2 * min],
        [4 * min, 4 * min],
      ],
    ],
    [
      "sms",
      6,
      [
        [30_000, 30_000],
        [45_000, 45_000],
        [67_500, 67_500],
        [101_250, 101_250],
        [151_875, 151_875],
      ],
    ],
    ["task", 2, [[5 * min, 5 * min]]],
    ["delay", 1, []],
  ])("%s: %i attempts", (preset, attempts, waits) => {
    const policy = resolveRetry(preset, "default");
    expect(policy.maxAttempts).toBe(attempts);
    expect(retryTimetable(policy)).toEqual(
      waits.map(([minMs, maxMs], index) => ({ attempt: index + 1, minMs, maxMs })),
    );
  });
});

describe("what a policy resolves to", () => {
  test("nothing said: the fallback", () => {
    expect(resolveRetry(undefined, "sms")).toEqual(resolveRetry("sms", "default"));
  });

  test("an inline policy extends the framework's defaults, not the fallback", () => {
    expect(resolveRetry({}, "sms")).toEqual(resolveRetry("default", "email"));
  });

  test("everything that is said is kept", () => {
    const policy = {
      maxAttempts: 7,
      backoffStrategy: "custom",
      baseDelay: 5,
      maxDelay: 9,
      multiplier: 3,
      jitter: "full",
      delays: [1],
      retryableErrors: ["a"],
      nonRetryableErrors: ["b"],
      totalTimeMs: 60_000,
    } as const;
    expect(
      resolveRetry({ ...policy, delays: [1], retryableErrors: ["a"], nonRetryableErrors: ["b"] }, "default"),
    ).toEqual({ ...policy, rules: [] });
  });

  test.each<[RetryPolicy, number]>([
    [{ backoffDelay: 5_000 }, 5_000],
    [{ baseDelay: 7_000 }, 7_000],
    [{ baseDelay: 7_000, backoffDelay: 5_000 }, 7_000],
    [{ baseDelay: 0 }, 0],
  ])("%j waits %i ms first", (policy, baseDelay) => {
    expect(resolveRetry(policy, "default").baseDelay).toBe(baseDelay);
  });

  test.each([
    [undefined, "none"],
    [false, "none"],
    [true, "half"],
    ["tenth", "tenth"],
  ] as const)("jitter %s is %s", (jitter, kind) => {
    expect(resolveRetry(jitter === undefined ? {} : { jitter }, "default").jitter).toBe(kind);
  });
});

describe("the wait after an attempt", () => {
  const base = 1_000;
  test.each<[string, RetryPolicy, number, number, number]>([
    // what                            policy                                                       attempt chance ms
    ["fixed", { backoffStrategy: "fixed" }, 3, 0.5, 1_000],
    ["linear", { backoffStrategy: "linear" }, 3, 0.5, 3_000],
    ["exponential", { backoffStrategy: "exponential" }, 3, 0.5, 4_000],
    ["exponential by three", { multiplier: 3 }, 3, 0.5, 9_000],
    ["the cap", { maxDelay: 2_500 }, 3, 0.5, 2_500],
    ["the cap holds before jitter", { maxDelay: 2_000, jitter: "half" }, 3, 0, 1_000],
    ["full jitter, least", { jitter: "full" }, 1, 0, 0],
    ["full jitter", { jitter: "full" }, 1, 0.25, 250],
    ["half jitter, least", { jitter: true }, 1, 0, 500],
    ["half jitter, almost most", { jitter: true }, 1, 0.999_999, 999],
    ["a tenth less", { jitter: "tenth" }, 1, 0, 900],
    ["a tenth more, and not beyond the cap", { jitter: "tenth", maxDelay: 1_050 }, 1, 1, 1_050],
    ["nothing added", { jitter: "added" }, 1, 0, 1_000],
    ["half a second added", { jitter: "added" }, 2, 1, 2_500],
    ["added, and not beyond the cap", { jitter: "added", maxDelay: 1_100 }, 1, 1, 1_100],
    ["a tenth, in the middle", { jitter: "tenth" }, 1, 0.5, 1_000],
    ["whole milliseconds", { baseDelay: 1, multiplier: 1.5 }, 2, 0.5, 1],
    ["custom, first", { backoffStrategy: "custom", delays: [5, 10] }, 1, 0.5, 5],
    ["custom, the last one repeats", { backoffStrategy: "custom", delays: [5, 10] }, 9, 0.5, 10],
    ["custom without a list", { backoffStrategy: "custom" }, 9, 0.5, 1_000],
    ["exponential without end", { multiplier: 100 }, 99, 0.5, RETRY_BACKOFF_MS_MAX],
    [
      "a cap beyond the calendar",
      { multiplier: 100, maxDelay: Number.MAX_SAFE_INTEGER },
      99,
      0.5,
      RETRY_BACKOFF_MS_MAX,
    ],
  ])("%s", (_what, policy, attempt, chance, ms) => {
    expect(retryDelayMs(resolveRetry({ baseDelay: base, ...policy }, "default"), attempt, chance)).toBe(ms);
  });

  test.each([
    ["shorter than ours", 10, 1_000],
    ["longer than ours", 5_000, 5_000],
    ["no number", NaN, 1_000],
    ["longer than the cap", 60_000, 60_000],
    ["in fractions", 5_000.2, 5_001],
    ["longer than a day", 10 * RETRY_AFTER_MS_MAX, RETRY_AFTER_MS_MAX],
  ])("a provider's wait %s", (_what, retryAfterMs, ms) => {
    expect(retryDelayMs(resolveRetry({ maxDelay: 1_000 }, "default"), 1, 0.5, retryAfterMs)).toBe(ms);
  });
});

describe("whether to try again", () => {
  const yes = { retry: true };
  const no = { retry: false, reason: "not_retryable" };
  const over = { retry: false, reason: "attempts_exhausted" };
  test.each<[string, RetryPolicy, { type: string; retryable: boolean }, number, object]>([
    ["a retryable error", {}, { type: "timeout", retryable: true }, 1, yes],
    ["the last attempt", {}, { type: "timeout", retryable: true }, 3, over],
    ["attempts are asked before types", {}, { type: "authentication_failed", retryable: false }, 3, over],
    ["the runner says no", {}, { type: "card_declined", retryable: false }, 1, no],
    ["authentication_failed", {}, { type: "authentication_failed", retryable: true }, 1, no],
    ["authorization_failed", {}, { type: "authorization_failed", retryable: true }, 1, no],
    ["invalid_configuration", {}, { type: "invalid_configuration", retryable: true }, 1, no],
    ["malformed_request", {}, { type: "malformed_request", retryable: true }, 1, no],
    ["never these", { nonRetryableErrors: ["timeout"] }, { type: "timeout", retryable: true }, 1, no],
    ["only these", { retryableErrors: ["rate_limit"] }, { type: "rate_limit", retryable: true }, 1, yes],
    ["only these, and not others", { retryableErrors: ["rate_limit"] }, { type: "timeout", retryable: true }, 1, no],
    [
      "only these goes over the runner's no",
      { retryableErrors: ["rate_limit"] },
      { type: "rate_limit", retryable: false },
      1,
      yes,
    ],
    ["an empty list says nothing", { retryableErrors: [] }, { type: "timeout", retryable: true }, 1, yes],
    [
      "never goes over only",
      { retryableErrors: ["a"], nonRetryableErrors: ["a"] },
      { type: "a", retryable: true },
      1,
      no,
    ],
  ])("%s", (_what, policy, error, attempt, verdict) => {
    expect(shouldRetry(resolveRetry(policy, "default"), { ...error, message: "" }, attempt)).toEqual(verdict);
  });
});

describe("a rule goes over what the policy says for all errors", () => {
  const policy: RetryPolicy = {
    maxAttempts: 5,
    baseDelay: 1_000,
    jitter: "half",
    retryableErrors: ["rate_limit", "timeout"],
    nonRetryableErrors: ["card_declined"],
    rules: [
      { errors: ["rate_limit"], maxAttempts: 9, backoffStrategy: "fixed", baseDelay: 60_000, jitter: "none" },
      { errors: ["timeout"], retry: false },
      { errors: ["card_declined", "unknown_error"], retry: true, maxAttempts: 2, backoffDelay: 7, jitter: false },
      { errors: ["rate_limit"], retry: false },
      { errors: ["network_error"], backoffStrategy: "custom", delays: [3, 4], jitter: false },
      { errors: ["not_found"], maxDelay: 10, jitter: true },
    ],
  };
  test.each<[string, string, boolean, number, string, number]>([
    // what                                     type              runner's word  attempt  verdict               wait at chance 0
    ["no rule names it", "other", true, 1, "not_retryable", 500],
    ["the first that names it", "rate_limit", true, 1, "retry", 60_000],
    ["its own count of attempts", "rate_limit", true, 8, "retry", 60_000],
    ["and no more than that", "rate_limit", true, 9, "attempts_exhausted", 60_000],
    ["retry: false", "timeout", true, 1, "not_retryable", 500],
    ["retry: true goes over the policy's lists", "card_declined", true, 1, "retry", 7],
    ["retry: true goes over the runner's no", "unknown_error", false, 1, "retry", 7],
    ["fewer attempts than the policy", "card_declined", true, 2, "attempts_exhausted", 14],
    ["without retry, the policy's lists decide", "network_error", true, 1, "not_retryable", 3],
    ["a wait of its own list", "network_error", true, 2, "not_retryable", 4],
    ["the rest is the policy's", "not_found", true, 1, "not_retryable", 5],
  ])("%s (%s)", (_what, type, retryable, attempt, verdict, waitMs) => {
    const effective = policyFor(resolveRetry(policy, "default"), { type });
    const said = shouldRetry(effective, { type, retryable, message: "" }, attempt);
    expect(said.retry ? "retry" : said.reason).toBe(verdict);
    expect(retryDelayMs(effective, attempt, 0)).toBe(waitMs);
  });

  test("presets have none", () => {
    const preset = resolveRetry("email", "default");
    expect(policyFor(preset, { type: "timeout" })).toBe(preset);
  });

  test.each<[string, object, string[]]>([
    ["custom with a list of its own", { rules: [{ errors: ["a"], backoffStrategy: "custom", delays: [1] }] }, []],
    ["custom with the policy's list", { delays: [1], rules: [{ errors: ["a"], backoffStrategy: "custom" }] }, []],
    ["custom without any", { rules: [{ errors: ["a"], backoffStrategy: "custom" }] }, ["rules.0.delays"]],
    ["a policy's custom without a list", { backoffStrategy: "custom" }, ["delays"]],
    ["no errors named", { rules: [{ errors: [] }] }, ["rules.0.errors"]],
    ["an unknown field", { rules: [{ errors: ["a"], maxAttempt: 2 }] }, ["rules.0"]],
  ])("%s: findings at %j", (_what, written, paths) => {
    const parsed = retryPolicy.safeParse(written);
    expect(parsed.error?.issues.map(({ path }) => path.join(".")) ?? []).toEqual(paths);
  });
});

describe("a budget of time", () => {
  test.each<[number | undefined, number, boolean]>([
    [undefined, 1e15, false],
    [60_000, 160_000, false],
    [60_000, 160_001, true],
    [0, 100_001, true],
  ])("%j ms from 100000: %i is beyond it: %s", (totalTimeMs, at, beyond) => {
    const policy = resolveRetry(totalTimeMs === undefined ? {} : { totalTimeMs }, "default");
    expect(isBeyondBudget(policy, 100_000, at)).toBe(beyond);
  });
});
