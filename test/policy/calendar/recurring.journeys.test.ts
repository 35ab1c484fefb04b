// Tests known failures of other schedulers, each as a trace.
import { describe, expect, test } from "vitest";
import { at, specOf, Trace } from "#test/support/recurring-trace.ts";

const MINUTE_MS = 60_000;

test("an alarm five seconds late starts the occurrence", () => {
  const trace = new Trace("2026-11-18T08:00:00Z", specOf()).until("2026-11-18T09:00:05Z");
  expect(trace.outcomes).toEqual(["2026-11-18T09:00 dispatched"]);
  expect(trace.next).toBe("2026-11-19T09:00:00.000Z");
});

describe("after three days without service", () => {
  const begun = "2026-11-15T10:00:00Z";
  const back = "2026-11-19T08:00:00Z";

  test("catchUp none records all occurrences as missed in one row", () => {
    const trace = new Trace(begun, specOf()).until(back);
    expect(trace.outcomes).toEqual(["2026-11-16T09:00–2026-11-18T09:00 (3) missed late"]);
    expect(trace.sent).toEqual([]);
    expect(trace.next).toBe("2026-11-19T09:00:00.000Z");
  });

  test("catchUp none within the grace time starts the newest", () => {
    const trace = new Trace(begun, specOf()).until("2026-11-18T09:10:00Z");
    expect(trace.outcomes).toEqual([
      "2026-11-16T09:00–2026-11-17T09:00 (2) missed late",
      "2026-11-18T09:00 dispatched",
    ]);
  });

  test("catchUp none just after the grace time starts nothing", () => {
    const trace = new Trace(begun, specOf()).until("2026-11-18T09:10:01Z");
    expect(trace.sent).toEqual([]);
  });

  test("catchUp last starts only the newest", () => {
    const trace = new Trace(begun, specOf({ catchUp: "last" })).until(back);
    expect(trace.outcomes).toEqual([
      "2026-11-16T09:00–2026-11-17T09:00 (2) missed newer_occurrence_due",
      "2026-11-18T09:00 dispatched caught_up",
    ]);
  });

  test("catchUp all starts the oldest first, as far as the window reaches", () => {
    const spec = specOf({ catchUp: "all", catchUpWindowMs: 48 * 60 * MINUTE_MS });
    const trace = new Trace(begun, spec).until(back);
    expect(trace.outcomes).toEqual([
      "2026-11-16T09:00 missed too_old_to_catch_up",
      "2026-11-17T09:00 dispatched caught_up",
      "2026-11-18T09:00 dispatched caught_up",
    ]);
    expect(trace.sent).toEqual([String(at("2026-11-17T09:00:00Z")), String(at("2026-11-18T09:00:00Z"))]);
  });

  test("catchUp all of a minute schedule starts at most a hundred", () => {
    const spec = specOf({ catchUp: "all", rule: { cron: "* * * * *" } });
    const trace = new Trace("2026-11-15T10:00:30Z", spec).until(back);
    expect(trace.sent).toHaveLength(100);
    expect(trace.outcomes[0]).toMatch(/^2026-11-15T10:01–.* \(at least 1001\) missed too_old_to_catch_up$/);
  });
});

test("an update to an earlier time of the same day", () => {
  const trace = new Trace("2026-11-18T10:00:00Z", specOf({ rule: { cron: "0 12 * * *" } }));
  trace.put({ rule: specOf({ rule: { cron: "0 8 * * *" } }).rule });
  expect(trace.next).toBe("2026-11-19T08:00:00.000Z");
  expect(trace.until("2026-11-18T23:00:00Z").outcomes).toEqual([]);
});

const jittery = specOf({ jitterMs: 30 * MINUTE_MS });

/** Returns a trace whose first occurrence is due and delayed by jitter. */
function inJitter(): Trace {
  const trace = new Trace("2026-11-18T08:00:00Z", jittery);
  const { nominal = 0, fireAt = 0 } = trace.state.next ?? {};
  expect(fireAt).toBeGreaterThan(nominal + MINUTE_MS);
  return trace.until("2026-11-18T09:00:30Z");
}

test("an unchanged update while jitter delays an occurrence", () => {
  const trace = inJitter();
  const before = trace.state.next;
  trace.put({ rule: { ...jittery.rule }, description: "the same" });
  expect(trace.state.next).toEqual(before);
  expect(trace.until("2026-11-18T09:31:00Z").outcomes).toEqual(["2026-11-18T09:00 dispatched"]);
});

test("a pause while jitter delays an occurrence", () => {
  const trace = inJitter();
  trace.ask({ verb: "pause" });
  trace.until("2026-11-18T12:00:00Z");
  expect(trace.sent).toEqual([]);
  trace.ask({ verb: "resume", catchUp: "none" });
  expect(trace.outcomes).toEqual(["2026-11-18T09:00 paused paused_by_request"]);
  expect(trace.next).toBe("2026-11-19T09:00:00.000Z");
});

test("a resume after a year does not scan the occurrences", () => {
  const trace = new Trace("2026-01-01T00:00:30Z", specOf({ rule: { cron: "* * * * *" } }));
  trace.ask({ verb: "pause" });
  trace.now = at("2027-01-01T00:00:30Z");
  const began = performance.now();
  trace.ask({ verb: "resume", catchUp: "none" });
  expect(performance.now() - began).toBeLessThan(1_000);
  expect(trace.outcomes).toEqual(["2026-01-01T00:01–2027-01-01T00:00 (at least 1000) paused paused_by_request"]);
  expect(trace.next).toBe("2027-01-01T00:01:00.000Z");
});

describe("endsAt equal to an occurrence", () => {
  test("excludes it; the previous one is the last", () => {
    const spec = specOf({ endsAt: at("2026-11-19T09:00:00Z") });
    const trace = new Trace("2026-11-18T08:00:00Z", spec).until("2026-11-18T09:00:00Z");
    expect(trace.outcomes).toEqual(["2026-11-18T09:00 dispatched"]);
    expect([trace.state.status, trace.state.statusReason, trace.next]).toEqual(["completed", "ends_at", null]);
  });

  test("plus one millisecond includes it", () => {
    const spec = specOf({ endsAt: at("2026-11-19T09:00:00Z") + 1 });
    const trace = new Trace("2026-11-18T08:00:00Z", spec).until("2026-11-18T09:00:00Z");
    expect(trace.next).toBe("2026-11-19T09:00:00.000Z");
  });

  test("startsAt equal to an occurrence includes it", () => {
    const spec = specOf({ startsAt: at("2026-11-20T09:00:00Z") });
    expect(new Trace("2026-11-18T08:00:00Z", spec).next).toBe("2026-11-20T09:00:00.000Z");
  });
});
