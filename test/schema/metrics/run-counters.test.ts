// Tests what a run and an execution add to the figures.
import { describe, expect, it, test } from "vitest";
import { addCounters, errorName, histogramCounters, histogramIn, parseGroup } from "#schema/metrics/counter-names.ts";
import { emptyHistogram, histogramOf } from "#schema/metrics/histogram.ts";
import { executionEnding, runCounters } from "#schema/metrics/run-counters.ts";
import type { ExecutionRow, RunRow } from "#schema/engine/projection.ts";

const NOW = 1_000_000;
const run = (over: Partial<RunRow>): RunRow =>
  ({
    tenant: "acme",
    action: "notify",
    type: "webhook",
    status: "ok",
    attempt: 1,
    createdAt: NOW - 100,
    finishedAt: NOW,
    errorType: null,
    errorCode: null,
    reason: null,
    costEstimate: null,
    ...over,
  }) as RunRow;
const open = { status: "retry", finishedAt: null } as const;

test("a run without an end, an attempt or a redrive adds nothing", () => {
  expect(runCounters(run({ ...open, status: "scheduled", tried: [] }))).toBeNull();
  expect(runCounters(run({ ...open, attempt: 0 }))).toBeNull();
});

test("a run with several attempts adds each of them, and its end once", () => {
  const tried = [
    { ms: 30, error: "timeout" },
    { ms: 0, error: "rate_limit", code: "http_429" },
    { ms: 10, error: "rate_limit", code: "http_429" },
    { ms: 16 },
  ];
  expect(runCounters(run({ attempt: 4, tried, delayMs: 2, costEstimate: 0.003, uses: "mail" }))).toEqual({
    group: "webhook/notify/mail",
    at: NOW,
    totals: {
      attempts: 4,
      timeouts: 1,
      "error/timeout/": 1,
      "error/rate_limit/http_429": 2,
      "took/zero": 1,
      "took/53": 1,
      "took/63": 1,
      "took/78": 1,
      "took/sum": 56,
      "took/min": 0,
      "took/max": 30,
      tried: 1,
      tries: 4,
      retried: 1,
      cost: 3_000,
      "delay/15": 1,
      "delay/sum": 2,
      "delay/min": 2,
      "delay/max": 2,
    },
    ending: { ok: 1 },
  });
});

test("a run that waits for a retry adds its attempts, but no end", () => {
  const counters = runCounters(run({ ...open, tried: [{ ms: null, error: "timeout" }], triedAt: NOW - 5 }));
  expect(counters).toEqual({
    group: "webhook/notify/",
    at: NOW - 5,
    totals: { attempts: 1, timeouts: 1, "error/timeout/": 1 },
    ending: null,
  });
});

test("a redriven run keeps the attempts of its earlier end", () => {
  const tried = [{ ms: 1, error: "not_found" }, { ms: 1 }];
  const redrives = { times: 1, attempts: 1 };
  expect(runCounters(run({ ...open, tried: tried.slice(0, 1), redrives }))?.totals).toMatchObject({
    tried: 1,
    tries: 1,
    redriven: 1,
  });
  expect(runCounters(run({ tried, redrives }))?.totals).toMatchObject({ tries: 2, retried: 1, redriven: 1 });
  expect(runCounters(run({ ...open, tried: [], redrives: { times: 1, attempts: 0 } }))).toMatchObject({
    at: NOW - 100,
    totals: { redriven: 1 },
  });
});

it.each([
  [{ status: "ok" }, { ok: 1 }],
  [{ status: "canceled" }, { canceled: 1 }],
  [{ status: "skipped", reason: "guard_false" }, { skipped: 1 }],
  [{ status: "skipped" }, { skipped: 1 }],
  [{ status: "skipped", reason: "late" }, { expired: 1 }],
  [
    { status: "failed", errorType: "timeout" },
    { failed: 1, "failure/timeout/": 1 },
  ],
  [{ status: "failed" }, { failed: 1, "failure/unknown_error/": 1 }],
  [
    { status: "failed", errorType: "invalid_configuration", errorCode: "no_url" },
    { refused: 1, "failure/invalid_configuration/no_url": 1 },
  ],
] as const)("%j ends as %j", (over, ending) => {
  expect(runCounters(run({ tried: [], ...over }))?.ending).toEqual(ending);
});

test("the end of a run that is not final is none", () => {
  expect(runCounters(run({ status: "running", tried: [{ ms: 1 }] }))?.ending).toBeNull();
});

describe("a message of an earlier version", () => {
  test("counts the number of its attempts, with the duration and the error of the last one", () => {
    const failed = run({ status: "failed", attempt: 3, timeouts: 2, tookMs: 8, errorType: "not_found" });
    expect(runCounters(failed)?.totals).toMatchObject({
      attempts: 3,
      timeouts: 2,
      "error/not_found/": 1,
      "took/47": 1,
      tries: 3,
    });
    expect(runCounters(run({ attempt: 2 }))?.totals).toEqual({ attempts: 2, tried: 1, tries: 2, retried: 1 });
    expect(runCounters(run({ attempt: 0 }))?.totals).toEqual({});
  });
});

test("a name of a connection with other characters is not a group of its own", () => {
  expect(runCounters(run({ uses: "a/b" }))?.group).toBe("webhook/notify/");
  expect(parseGroup("webhook/notify/mail")).toEqual({ type: "webhook", action: "notify", connection: "mail" });
  expect(parseGroup("")).toEqual({ type: "", action: "*", connection: "*" });
});

test("an error's code has a small alphabet and is cut", () => {
  expect(errorName("error", "not_found", 'a"b c')).toBe("error/not_found/a_b_c");
  expect(errorName("failure", "x", "y".repeat(100))).toBe(`failure/x/${"y".repeat(60)}`);
});

test("an execution's end adds its outcome and how long it lasted", () => {
  const row = (over: Partial<ExecutionRow>) => ({ createdAt: NOW - 8, finishedAt: NOW, ...over }) as ExecutionRow;
  const lasted = { "lasted/47": 1, "lasted/sum": 8, "lasted/min": 8, "lasted/max": 8 };
  expect(executionEnding(row({ status: "completed" }))).toEqual({ completed: 1, ...lasted });
  expect(executionEnding(row({ status: "failed" }))).toEqual({ failed: 1, ...lasted });
  expect(executionEnding(row({ status: "waiting", finishedAt: null }))).toBeNull();
  expect(executionEnding(row({ status: "waiting" }))).toBeNull();
});

describe("counters", () => {
  test("are added, except the smallest and the largest value", () => {
    const one = { ok: 1, "took/min": 5, "took/max": 9, "took/sum": 14 };
    expect(addCounters(one, { ok: 2, failed: 1, "took/min": 6, "took/max": 10, "took/sum": 16 })).toEqual({
      ok: 3,
      failed: 1,
      "took/min": 5,
      "took/max": 10,
      "took/sum": 30,
    });
  });

  test("contain a histogram without loss", () => {
    const histogram = histogramOf([0, 3, 3, 70_000]);
    expect(histogramIn({ ok: 7, "delay/3": 9, ...histogramCounters("took", histogram) }, "took")).toEqual(histogram);
    expect(histogramCounters("took", emptyHistogram)).toEqual({});
    expect(histogramIn({}, "took")).toEqual(emptyHistogram);
  });
});
