// Tests each overlap setting while the previous occurrence is running.
import { describe, expect, test } from "vitest";
import { RECURRING_PENDING_MAX } from "#schema/limits/recurring-actions.ts";
import { planRecurring } from "#policy/calendar/plan.ts";
import { at, specOf, Trace } from "#test/support/recurring-trace.ts";

const begun = "2026-11-16T08:00:00Z";
const daily = (day: number) => `2026-11-${day}T09:00:00Z`;

test("allow: each occurrence starts, even if the previous one is running", () => {
  const trace = new Trace(begun, specOf());
  for (const day of [16, 17, 18]) trace.until(daily(day));
  expect(trace.sent).toHaveLength(3);
  expect(trace.state.live).toEqual([]);
});

describe("skip", () => {
  const spec = specOf({ overlap: "skip" });

  test("an occurrence during the previous one is skipped with a reason", () => {
    const trace = new Trace(begun, spec).until(daily(16)).until(daily(17));
    expect(trace.outcomes).toEqual(["2026-11-16T09:00 dispatched", "2026-11-17T09:00 overlap still_running"]);
  });

  test("the next occurrence starts after the previous one has ended", () => {
    const trace = new Trace(begun, spec).until(daily(16));
    trace.ended.add(`exe_${at(daily(16))}`);
    expect(trace.until(daily(17)).sent).toHaveLength(2);
  });

  test("an occurrence whose start is unconfirmed counts as running", () => {
    const trace = new Trace(begun, specOf({ overlap: "skip", rule: { cron: "* * * * *" } }));
    trace.answer = "unreached";
    trace.until("2026-11-16T08:01:00Z").until("2026-11-16T08:02:00Z");
    expect(trace.outcomes).toEqual(["2026-11-16T08:01 dispatched", "2026-11-16T08:02 overlap still_running"]);
  });
});

describe("buffer_one", () => {
  const spec = specOf({ overlap: "buffer_one" });

  test("the newest occurrence waits, earlier waiting ones are skipped, and it starts when the previous one has ended", () => {
    const trace = new Trace(begun, spec).until(daily(16)).until(daily(17)).until(daily(18));
    expect(trace.outcomes).toEqual(["2026-11-16T09:00 dispatched", "2026-11-17T09:00 overlap replaced_by_newer"]);
    expect(trace.state.waiting?.nominal).toBe(at(daily(18)));
    trace.ended.add(`exe_${at(daily(16))}`);
    trace.until("2026-11-18T09:30:00Z");
    expect(trace.outcomes[2]).toBe("2026-11-18T09:00 dispatched");
    expect(trace.state.waiting).toBeNull();
  });

  test("the previous occurrence is checked with growing gaps up to a minute", () => {
    const trace = new Trace(begun, spec).until(daily(16)).until(daily(17));
    const gaps = Array.from({ length: 9 }, () => {
      const plan = planRecurring(trace.state, trace.now);
      const next = plan.kind === "rest" ? (plan.at ?? 0) : 0;
      const gap = next - trace.now;
      trace.until(new Date(next).toISOString());
      return gap / 1_000;
    });
    expect(gaps).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  test("a pause also drops the waiting occurrence", () => {
    const trace = new Trace(begun, spec).until(daily(16)).until(daily(17));
    trace.ask({ verb: "pause" });
    expect(trace.outcomes[1]).toBe("2026-11-17T09:00 paused waited_for_previous");
  });
});

describe("cancel_other", () => {
  test("the previous occurrence is canceled once, and the newer one starts after its end", () => {
    const trace = new Trace(begun, specOf({ overlap: "cancel_other" })).until(daily(16)).until(daily(17));
    expect(trace.canceled).toEqual([`exe_${at(daily(16))}`]);
    expect(trace.sent).toHaveLength(1);
    trace.until("2026-11-17T09:05:00Z");
    expect(trace.canceled).toHaveLength(1);
    trace.ended.add(`exe_${at(daily(16))}`);
    expect(trace.until("2026-11-17T09:10:00Z").sent).toHaveLength(2);
  });

  test("canceled and not yet canceled executions are distinguished", () => {
    const trace = new Trace(begun, specOf({ overlap: "cancel_other" })).until(daily(16));
    const live = [...trace.state.live, { execution: "exe_other", isCanceled: false }];
    trace.state = { ...trace.state, live };
    trace.step({ kind: "canceled", executions: ["exe_other"] });
    expect(trace.state.live.map(({ isCanceled }) => isCanceled)).toEqual([false, true]);
  });

  test("a cancellation that failed is repeated later", () => {
    const trace = new Trace(begun, specOf({ overlap: "cancel_other" })).until(daily(16));
    trace.now = at(daily(17));
    trace.step({ kind: "looked", running: [`exe_${at(daily(16))}`], asked: [`exe_${at(daily(16))}`] });
    trace.step({ kind: "fire" });
    trace.now += 60_000;
    expect(planRecurring(trace.state, trace.now).kind).toBe("cancel");
    trace.step({ kind: "look_failed", message: "nobody is there" });
    expect(planRecurring(trace.state, trace.now).kind).toBe("rest");
  });
});

describe("the status of the previous occurrence cannot be read", () => {
  const spec = specOf({ overlap: "skip" });

  test("after several checks it counts as running; the next occurrence checks again", () => {
    const trace = new Trace(begun, spec).until(daily(16));
    trace.now = at(daily(17));
    for (let n = 0; n < 4; n += 1) {
      expect(planRecurring(trace.state, trace.now).kind).toBe("look");
      trace.step({ kind: "look_failed", message: "nobody is there" });
      const plan = planRecurring(trace.state, trace.now);
      if (plan.kind === "rest") trace.now = plan.at ?? 0;
    }
    trace.step({ kind: "fire" });
    expect(trace.outcomes[1]).toBe("2026-11-17T09:00 overlap not_known_to_have_ended");
    trace.ended.add(`exe_${at(daily(16))}`);
    expect(trace.until(daily(18)).sent).toHaveLength(2);
  });
});

test("beyond the maximum of pending starts the oldest is dropped", () => {
  const trace = new Trace(begun, specOf());
  for (let n = 0; n <= RECURRING_PENDING_MAX; n += 1) trace.ask({ verb: "trigger" }, { inputId: `inp_${n}` });
  expect(trace.state.pending).toHaveLength(RECURRING_PENDING_MAX);
  expect(trace.rows.get("trigger/inp_0")).toMatchObject({ outcome: "missed", reason: "too_many_pending" });
  expect(trace.state.failed).toBe(1);
});
