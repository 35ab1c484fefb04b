// Tests opening, ending, health and clock changes of a recurring action.
import { describe, expect, test } from "vitest";
import { openRecurring, stepRecurring, viewRecurring } from "#policy/calendar/recurring.ts";
import { RECURRING_RECEIPTS_MAX } from "#schema/limits/recurring-actions.ts";
import { at, specOf, Trace } from "#test/support/recurring-trace.ts";

const begun = "2026-11-16T08:00:00Z";

describe("opening a recurring action", () => {
  const terms = { tenant: "acme", id: "rec_1", fingerprint: "f", createdAt: at(begun), enabled: true };

  test.each([
    ["a year in the past", specOf({ rule: { cron: "0 0 9 1 1 * 2020" } })],
    ["an end before the first occurrence", specOf({ endsAt: at("2026-11-16T08:30:00Z") })],
  ])("is refused for %s", (_what, spec) => {
    const opened = openRecurring({ ...terms, spec }, at(begun));
    expect(opened).toMatchObject({ ok: false, refusal: { errors: [{ pointer: "/cron_expr", code: "never_due" }] } });
  });
});

test("with known counters continues counting", () => {
  const known = { seq: 41, count: 7, failed: 2, lastExecutedAt: at("2026-11-15T09:00:00Z") };
  const terms = { tenant: "acme", id: "rec_1", fingerprint: "f", createdAt: at("2026-11-01"), enabled: true, known };
  const opened = openRecurring({ ...terms, spec: specOf() }, at(begun));
  expect(opened).toMatchObject({ ok: true, value: { ...known, seq: 42, status: "active" } });
});

test("an expression without further occurrences completes the recurring action", () => {
  const trace = new Trace(begun, specOf({ rule: { cron: "0 0 9 16 11 * 2026" } })).until("2026-11-16T09:00:00Z");
  expect(trace.state).toMatchObject({ status: "completed", statusReason: "no_next_occurrence", count: 1 });
  expect(trace.events.at(-1)).toBe("recurring.no_next");
  const resumed = trace.ask({ verb: "resume", catchUp: "none" });
  expect(resumed).toMatchObject({ ok: false, refusal: { code: "verb_not_applicable" } });
});

test("lateness counts in whole seconds, so that no grace time is enough for a punctual alarm", () => {
  const late = (ms: number) => {
    const trace = new Trace(begun, specOf({ graceMs: 0 }));
    trace.until(new Date(at("2026-11-16T09:00:00Z") + ms).toISOString());
    return trace.outcomes;
  };
  expect(late(999)).toEqual(["2026-11-16T09:00 dispatched"]);
  expect(late(1_000)).toEqual(["2026-11-16T09:00 missed late"]);
});

test("an occurrence with the dedup key of an earlier action does not count as dispatched", () => {
  const trace = new Trace(begun, specOf({ maxExecutions: 1 }));
  trace.answer = "deduplicated";
  trace.until("2026-11-16T09:00:00Z");
  expect(trace.outcomes).toEqual(["2026-11-16T09:00 deduplicated"]);
  expect(trace.state).toMatchObject({ status: "active", count: 0, failed: 0, lastExecutedAt: null });
  expect(trace.next).toBe("2026-11-17T09:00:00.000Z");
});

test.each([
  ["ends_at", { endsAt: at("2026-11-16T09:30:00Z") }, { endsAt: null }],
  ["max_executions", { maxExecutions: 1 }, { maxExecutions: null }],
] as const)("a schedule that has ended by %s is resumed only by changing it", (_reason, over, change) => {
  const trace = new Trace(begun, specOf(over)).until("2026-11-16T09:00:00Z").until("2026-11-16T10:00:00Z");
  expect(trace.state.status).toBe("completed");
  const refusal = { ok: false, refusal: { code: "verb_not_applicable" } };
  expect(trace.ask({ verb: "resume", catchUp: "none" })).toMatchObject(refusal);
  expect(trace.put({}, true)).toMatchObject(refusal);
  expect(trace.put(change, true)).toMatchObject({ ok: true });
  expect(trace.state.status).toBe("active");
});

test("after the clock was set back no occurrence repeats", () => {
  const trace = new Trace(begun, specOf()).until("2026-11-16T09:00:00Z").until("2026-11-16T07:00:00Z");
  expect(trace.next).toBe("2026-11-17T09:00:00.000Z");
  expect(trace.until("2026-11-16T09:00:00Z").sent).toHaveLength(1);
});

test("with recurring actions disabled, a due occurrence is recorded as excluded", () => {
  const trace = new Trace(begun, specOf());
  trace.isOff = true;
  expect(trace.until("2026-11-16T09:00:00Z").outcomes).toEqual(["2026-11-16T09:00 excluded switched_off"]);
});

test("an invalid rule sets the status to error and stops the schedule", () => {
  const trace = new Trace(begun, specOf());
  trace.step({ kind: "broken", message: "the zone is none any more" });
  expect(trace.until("2026-11-17T09:00:00Z").state).toMatchObject({ status: "error", next: null });
  expect(viewRecurring(trace.state, trace.now).health).toEqual({
    status: "failing",
    reason: "the zone is none any more",
  });
});

test("without due work nothing changes", () => {
  const trace = new Trace(begun, specOf());
  const { state } = trace;
  trace.step({ kind: "fire" });
  trace.step({ kind: "start" });
  expect(trace.state).toBe(state);
});

test("the latest requests with a key are remembered", () => {
  const trace = new Trace(begun, specOf());
  for (let n = 0; n <= RECURRING_RECEIPTS_MAX; n += 1) {
    trace.ask({ verb: "trigger" }, { inputId: `key-${n}`, fingerprint: "f" });
  }
  expect(trace.state.receipts).toHaveLength(RECURRING_RECEIPTS_MAX);
  expect(trace.state.receipts.at(-1)).toMatchObject({
    inputId: `key-${RECURRING_RECEIPTS_MAX}`,
    fingerprint: "f",
    occurrence: { id: `trigger/key-${RECURRING_RECEIPTS_MAX}` },
  });
});

test("an unknown command of newer code is refused as unavailable", () => {
  const trace = new Trace(begun, specOf());
  expect(trace.ask({ verb: "rewind" } as never)).toMatchObject({ ok: false, refusal: { code: "unavailable" } });
});

describe("its health", () => {
  test("is stale if an occurrence is overdue", () => {
    const { state } = new Trace(begun, specOf());
    const after = (minutes: number) =>
      viewRecurring(state, at("2026-11-16T09:00:00Z") + minutes * 60_000).health.status;
    expect([after(0), after(2), after(2.1)]).toEqual(["healthy", "healthy", "stale"]);
  });

  test("is failing while an occurrence cannot be started", () => {
    const trace = new Trace(begun, specOf());
    trace.answer = "unreached";
    trace.until("2026-11-16T09:00:00Z");
    expect(viewRecurring(trace.state, trace.now).health).toEqual({ status: "failing", reason: "nobody is there" });
  });
});

test("an expression that the current parser rejects throws", () => {
  const { state } = new Trace(begun, specOf());
  const spoiled = { ...state, spec: specOf({ rule: { cron: "5/15 * * * *" } }) };
  const input = { kind: "fire", now: at("2026-11-16T09:00:00Z"), isOff: false } as const;
  expect(() => stepRecurring(spoiled, input)).toThrow('"5/15 * * * *"');
});
