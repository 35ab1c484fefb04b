import { expect, test } from "vitest";
import { requestedPauseMs } from "#policy/gates/requested-pause.ts";
import type { ActionError, Outcome } from "#schema/engine/outcome.ts";

const times = { startedAt: 1, endedAt: 2 };
const failed = (error: Partial<ActionError>, retryAfterMs?: number): Outcome => ({
  ok: false,
  error: { type: "service_unavailable", message: "no", retryable: true, ...error },
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  ...times,
});

test.each<[string, Outcome, number | null]>([
  ["a 429", failed({ type: "rate_limit", code: "http_429" }, 900), 900],
  ["a 429 under another code", failed({ type: "network_congestion", details: { status: 429 } }, 900), 900],
  ["a 503", failed({ code: "http_503", details: { status: 503 } }, 0), 0],
  ["a provider's own code", failed({ type: "rate_limit", code: "hourly_limit_exceeded" }, 5), 5],
  ["a 429 without a time", failed({ type: "rate_limit" }), null],
  ["a 500 with a time", failed({ code: "http_500", details: { status: 500 } }, 900), null],
  ["a 404 with a time", failed({ type: "not_found", code: "http_404" }, 900), null],
  ["a 429 of a file's server", failed({ type: "rate_limit", code: "file_unavailable" }, 900), null],
  ["a 503 of a file's server", failed({ code: "file_unavailable", details: { status: 503 } }, 900), null],
  ["a success", { ok: true, result: null, events: [], ...times }, null],
])("%s", (_what, outcome, ms) => {
  expect(requestedPauseMs(outcome)).toBe(ms);
});
