// Tests triggering an occurrence now and skipping a coming one, without changes of the schedule.
import { describe, expect, test } from "vitest";
import { RECURRING_SKIPS_MAX } from "#schema/limits/recurring-actions.ts";
import { at, specOf, Trace } from "#test/support/recurring-trace.ts";

const begun = "2026-11-16T08:00:00Z";

describe("a trigger", () => {
  test("starts an occurrence at once, which does not count and does not change the schedule", () => {
    const trace = new Trace(begun, specOf({ maxExecutions: 1 }));
    const { next } = trace.state;
    expect(trace.ask({ verb: "trigger" })).toMatchObject({ occurrence: { kind: "trigger", nominal: null } });
    trace.until(begun);
    expect(trace.outcomes).toEqual(["now dispatched triggered"]);
    expect(trace.state).toMatchObject({ next, count: 0, status: "active" });
  });

  test("respects the overlap setting", () => {
    const trace = new Trace(begun, specOf({ overlap: "skip" })).until("2026-11-16T09:00:00Z");
    expect(trace.ask({ verb: "trigger" })).toMatchObject({ occurrence: { outcome: "overlap" } });
    const patient = new Trace(begun, specOf({ overlap: "buffer_one" })).until("2026-11-16T09:00:00Z");
    expect(patient.ask({ verb: "trigger" })).toMatchObject({ occurrence: null });
    expect(patient.state.waiting?.kind).toBe("trigger");
  });

  test("works during a pause", () => {
    const trace = new Trace(begun, specOf());
    trace.ask({ verb: "pause" });
    trace.ask({ verb: "trigger" });
    expect(trace.until(begun).sent).toEqual(["trigger/inp_1"]);
    expect(trace.state.status).toBe("paused");
  });
});

describe("a skip", () => {
  test("of the next occurrence records it and arms the one after it", () => {
    const trace = new Trace(begun, specOf());
    trace.ask({ verb: "skip", nominal: null }, { reason: "a holiday" });
    expect(trace.next).toBe("2026-11-17T09:00:00.000Z");
    trace.until("2026-11-16T09:30:00Z").until("2026-11-17T09:00:00Z");
    expect(trace.outcomes).toEqual(["2026-11-16T09:00 excluded a holiday", "2026-11-17T09:00 dispatched"]);
    expect(trace.state.skips).toEqual([]);
  });

  test("of a later occurrence skips only that one", () => {
    const trace = new Trace(begun, specOf());
    trace.ask({ verb: "skip", nominal: at("2026-11-17T09:00:00Z") });
    trace.until("2026-11-16T09:00:00Z");
    expect(trace.next).toBe("2026-11-18T09:00:00.000Z");
  });

  test("of an occurrence that jitter delays is in time", () => {
    const trace = new Trace(begun, specOf({ jitterMs: 30 * 60_000 })).until("2026-11-16T09:00:30Z");
    trace.ask({ verb: "skip", nominal: null });
    expect(trace.until("2026-11-16T10:00:00Z").outcomes).toEqual(["2026-11-16T09:00 excluded skipped_by_request"]);
  });

  test("is not recorded as missed", () => {
    const trace = new Trace(begun, specOf());
    trace.ask({ verb: "skip", nominal: at("2026-11-17T09:00:00Z") });
    trace.until("2026-11-18T20:00:00Z");
    expect(trace.outcomes).toEqual([
      "2026-11-16T09:00–2026-11-18T09:00 (2) missed late",
      "2026-11-17T09:00 excluded skipped_by_request",
    ]);
  });

  test("of the newest occurrence during an outage leaves the previous one to be decided", () => {
    const trace = new Trace(begun, specOf({ catchUp: "last" }));
    trace.ask({ verb: "skip", nominal: at("2026-11-17T09:00:00Z") });
    trace.until("2026-11-17T20:00:00Z");
    expect(trace.outcomes).toEqual([
      "2026-11-16T09:00 missed newer_occurrence_due",
      "2026-11-17T09:00 excluded skipped_by_request",
    ]);
  });

  test("is not caught up", () => {
    const trace = new Trace(begun, specOf({ catchUp: "all" }));
    trace.ask({ verb: "skip", nominal: at("2026-11-18T09:00:00Z") });
    trace.until("2026-11-18T08:00:00Z");
    expect(trace.outcomes[1]).toBe("2026-11-17T09:00 dispatched caught_up");
    trace.until("2026-11-18T20:00:00Z");
    expect(trace.sent).toEqual([String(at("2026-11-17T09:00:00Z"))]);
  });

  test.each([
    ["a past occurrence", "2026-11-15T09:00:00Z"],
    ["an instant that is no occurrence", "2026-11-17T10:00:00Z"],
    ["an occurrence that is already skipped", "2026-11-19T09:00:00Z"],
  ])("of %s is refused", (_what, nominal) => {
    const trace = new Trace(begun, specOf());
    trace.ask({ verb: "skip", nominal: at("2026-11-19T09:00:00Z") });
    const errors = [{ pointer: "/occurrence", code: "occurrence_not_planned" }];
    const refused = trace.ask({ verb: "skip", nominal: at(nominal) });
    expect(refused).toMatchObject({ ok: false, refusal: { code: "invalid_input", errors } });
  });

  test("must name an occurrence if none is next", () => {
    const trace = new Trace(begun, specOf(), false);
    expect(trace.ask({ verb: "skip", nominal: null })).toMatchObject({ refusal: { errors: [{ code: "required" }] } });
    trace.ask({ verb: "skip", nominal: at("2026-11-17T09:00:00Z") });
    expect(trace.outcomes).toEqual(["2026-11-17T09:00 excluded skipped_by_request"]);
  });

  test("is refused beyond the maximum number of skips", () => {
    const trace = new Trace(begun, specOf());
    for (let n = 0; n < RECURRING_SKIPS_MAX; n += 1) trace.ask({ verb: "skip", nominal: null });
    expect(trace.ask({ verb: "skip", nominal: null })).toMatchObject({ refusal: { code: "limit_exceeded" } });
  });
});
