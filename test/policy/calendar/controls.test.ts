// Tests updates, pauses and resumes: which occurrences they move and which they keep.
import { describe, expect, test } from "vitest";
import { at, specOf, Trace } from "#test/support/recurring-trace.ts";

const begun = "2026-11-16T08:00:00Z";
const rule = (cron: string) => specOf({ rule: { cron } }).rule;

describe("an update", () => {
  test("of other settings changes no instants", () => {
    const trace = new Trace(begun, specOf());
    const { next } = trace.state;
    trace.put({ description: "new", overlap: "skip" });
    expect(trace.state.next).toBe(next);
    expect(trace.state.updatedAt).toBeGreaterThan(trace.state.createdAt);
  });

  test("of the time zone applies from now on", () => {
    const trace = new Trace("2026-11-16T08:30:00Z", specOf());
    trace.put({ rule: { ...specOf().rule, timezone: "Europe/Zurich" } });
    expect(trace.next).toBe("2026-11-17T08:00:00.000Z");
  });

  test("based on an outdated version is refused", () => {
    const trace = new Trace(begun, specOf());
    const asOf = trace.state.updatedAt;
    trace.put({ description: "first" });
    const second = trace.ask({ verb: "update", change: { description: "second" }, enabled: null, asOf });
    expect(second).toMatchObject({
      ok: false,
      refusal: { code: "unavailable", details: { why: "changed_meanwhile" } },
    });
    expect(trace.state.spec.description).toBe("first");
  });

  test("to an expression without future occurrences is refused and changes nothing", () => {
    const trace = new Trace(begun, specOf());
    expect(trace.put({ rule: rule("0 0 9 1 1 * 2020") })).toMatchObject({
      refusal: { errors: [{ code: "never_due" }] },
    });
    expect(trace.next).toBe("2026-11-16T09:00:00.000Z");
  });

  test("of the expression keeps an occurrence that jitter delays", () => {
    const trace = new Trace(begun, specOf({ jitterMs: 30 * 60_000 })).until("2026-11-16T09:00:30Z");
    const before = trace.state.next;
    trace.put({ rule: rule("0 12 * * *") });
    expect(trace.state.next).toEqual(before);
    trace.until(new Date(before?.fireAt ?? 0).toISOString());
    expect(trace.outcomes).toEqual(["2026-11-16T09:00 dispatched"]);
    expect(trace.next).toBe("2026-11-16T12:00:00.000Z");
  });

  test("of the jitter applies to coming occurrences", () => {
    const trace = new Trace(begun, specOf());
    trace.put({ jitterMs: 30 * 60_000 });
    expect(trace.state.next?.fireAt).toBeGreaterThan(trace.state.next?.nominal ?? 0);
  });

  test("of start and end may end the schedule at once or start it again", () => {
    const trace = new Trace(begun, specOf());
    trace.put({ endsAt: at("2026-11-16T08:30:00Z") });
    expect([trace.state.status, trace.state.statusReason]).toEqual(["completed", "ends_at"]);
    trace.put({ endsAt: null });
    expect([trace.state.status, trace.next]).toEqual(["active", "2026-11-16T09:00:00.000Z"]);
  });

  test("to a maximum that is already reached ends the schedule", () => {
    const trace = new Trace(begun, specOf()).until("2026-11-16T09:00:00Z");
    trace.put({ maxExecutions: 1 });
    expect(trace.state.statusReason).toBe("max_executions");
  });

  test("of enabled pauses or resumes", () => {
    const trace = new Trace(begun, specOf());
    trace.put({}, false);
    expect([trace.state.status, trace.next]).toEqual(["paused", null]);
    trace.put({}, true);
    expect([trace.state.status, trace.next]).toEqual(["active", "2026-11-16T09:00:00.000Z"]);
  });

  test("of the expression during a pause records the occurrences held under the old one", () => {
    const trace = new Trace(begun, specOf());
    trace.ask({ verb: "pause" });
    trace.now = at("2026-11-18T10:00:00Z");
    trace.put({ rule: rule("0 12 * * *") });
    trace.now = at("2026-11-19T13:00:00Z");
    trace.ask({ verb: "resume", catchUp: "none" });
    expect(trace.outcomes).toEqual([
      "2026-11-16T09:00–2026-11-18T09:00 (3) paused paused_by_request",
      "2026-11-18T12:00–2026-11-19T12:00 (2) paused paused_by_request",
    ]);
  });
});

describe("a pause", () => {
  test("that held no occurrence records no row", () => {
    const trace = new Trace(begun, specOf());
    trace.ask({ verb: "pause" });
    trace.ask({ verb: "resume", catchUp: "last" });
    expect(trace.outcomes).toEqual([]);
  });

  test("or a resume that changes nothing has no effect", () => {
    const trace = new Trace(begun, specOf());
    trace.ask({ verb: "resume", catchUp: "last" });
    expect(trace.state).toMatchObject({ status: "active", updatedAt: trace.state.createdAt });
    trace.ask({ verb: "pause" });
    const { pause } = trace.state;
    trace.now += 1_000;
    trace.ask({ verb: "pause" });
    expect(trace.state.pause).toEqual(pause);
  });

  test("neither prevents nor delays occurrences that were due before", () => {
    const trace = new Trace(begun, specOf());
    trace.now = at("2026-11-16T09:05:00Z");
    trace.ask({ verb: "pause" });
    trace.until("2026-11-16T09:05:00Z");
    expect(trace.outcomes).toEqual(["2026-11-16T09:00 dispatched"]);
  });
});

describe("resuming with catch_up last", () => {
  function paused(until: string, over: Parameters<typeof specOf>[0] = {}): Trace {
    const trace = new Trace(begun, specOf(over));
    trace.ask({ verb: "pause" });
    trace.now = at(until);
    return trace;
  }

  test("starts the newest held occurrence once", () => {
    const trace = paused("2026-11-18T10:00:00Z");
    trace.ask({ verb: "resume", catchUp: "last" });
    trace.until("2026-11-18T10:00:00Z");
    expect(trace.outcomes).toEqual([
      "2026-11-16T09:00–2026-11-17T09:00 (2) paused paused_by_request",
      "2026-11-18T09:00 dispatched resumed",
    ]);
  });

  test("starts only the newest of several held occurrences", () => {
    const trace = paused("2026-11-16T10:00:00Z");
    trace.ask({ verb: "resume", catchUp: "last" });
    expect(trace.until("2026-11-16T10:00:00Z").outcomes).toEqual(["2026-11-16T09:00 dispatched resumed"]);
  });

  test("starts none older than the catch-up window", () => {
    const trace = paused("2026-11-18T10:00:00Z", { catchUpWindowMs: 60_000 });
    trace.ask({ verb: "resume", catchUp: "last" });
    expect(trace.until("2026-11-18T10:00:00Z").sent).toEqual([]);
  });

  test("starts none that was skipped on request", () => {
    const trace = new Trace(begun, specOf());
    trace.ask({ verb: "skip", nominal: at("2026-11-17T09:00:00Z") });
    trace.ask({ verb: "pause" });
    trace.now = at("2026-11-17T10:00:00Z");
    trace.ask({ verb: "resume", catchUp: "last" });
    expect(trace.until("2026-11-17T10:00:00Z").outcomes).toEqual([
      "2026-11-16T09:00–2026-11-17T09:00 (1) paused paused_by_request",
      "2026-11-17T09:00 excluded skipped_by_request",
    ]);
  });

  test("may start the occurrence that the pause took out of its jitter", () => {
    const trace = new Trace(begun, specOf({ jitterMs: 30 * 60_000 })).until("2026-11-16T09:00:30Z");
    trace.ask({ verb: "pause" });
    trace.ask({ verb: "resume", catchUp: "last" });
    expect(trace.until("2026-11-16T09:00:30Z").outcomes).toEqual(["2026-11-16T09:00 dispatched resumed"]);
  });

  test("starts none beyond the maximum", () => {
    const trace = new Trace(begun, specOf({ maxExecutions: 1 }));
    trace.ask({ verb: "pause" });
    trace.put({ maxExecutions: 1 });
    trace.now = at("2026-11-16T10:00:00Z");
    trace.state = { ...trace.state, count: 1 };
    trace.ask({ verb: "resume", catchUp: "last" });
    expect([trace.state.status, trace.sent]).toEqual(["completed", []]);
  });
});

describe("a pause across the schedule's start or end", () => {
  test("counts no occurrences before the start or after the end", () => {
    const ends = { startsAt: at("2026-11-18"), endsAt: at("2026-11-20") };
    const trace = new Trace(begun, specOf(ends));
    trace.ask({ verb: "pause" });
    trace.now = at("2026-11-17T12:00:00Z");
    trace.ask({ verb: "resume", catchUp: "none" });
    expect(trace.outcomes).toEqual([]);
    trace.ask({ verb: "pause" });
    trace.now = at("2026-11-25");
    trace.ask({ verb: "resume", catchUp: "none" });
    expect(trace.outcomes).toEqual(["2026-11-18T09:00–2026-11-19T09:00 (2) paused paused_by_request"]);
    expect(trace.state).toMatchObject({ status: "completed", statusReason: "ends_at" });
  });

  test("counts none before the first occurrence", () => {
    const trace = new Trace(begun, specOf({ rule: { cron: "0 0 9 1 1 * 2030" } }));
    trace.ask({ verb: "pause" });
    trace.ask({ verb: "resume", catchUp: "last" });
    expect(trace.next).toBe("2030-01-01T09:00:00.000Z");
    trace.now = at("2030-01-01T09:00:00Z");
    trace.until("2030-01-01T09:00:00Z");
    expect(trace.state.status).toBe("completed");
  });
});

test("of a recurring action created as paused begins with the creation", () => {
  const trace = new Trace(begun, specOf(), false);
  expect([trace.state.status, trace.state.statusReason, trace.next]).toEqual(["paused", "created_paused", null]);
  trace.ask({ verb: "resume", catchUp: "none" });
  expect(trace.next).toBe("2026-11-16T09:00:00.000Z");
});
