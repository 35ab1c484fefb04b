// Tests due occurrences that are delayed by jitter or affected by a changed expression.
import { expect, test } from "vitest";
import { at, specOf, Trace } from "#test/support/recurring-trace.ts";

const HOUR_MS = 60 * 60_000;

test("an occurrence that jitter still delays is not missed: the previous one is decided, and the delayed one stays next", () => {
  const trace = new Trace("2026-11-18T08:00:00Z", specOf({ jitterMs: HOUR_MS, rule: { cron: "0 * * * *" } }));
  const [first, second] = [trace.state.next?.nominal ?? 0, (trace.state.next?.nominal ?? 0) + HOUR_MS];
  trace.until(new Date(second).toISOString());
  expect(trace.rows.get(String(first))?.outcome).toBeDefined();
  expect(trace.rows.has(String(second))).toBe(false);
  expect(trace.state.next?.nominal).toBe(second);
});

test("jitter never reaches the next occurrence", () => {
  const trace = new Trace("2026-11-18T08:00:00Z", specOf({ jitterMs: 24 * HOUR_MS, rule: { cron: "0 * * * *" } }));
  for (let hour = 0; hour < 24; hour += 1) {
    const { nominal = 0, fireAt = 0 } = trace.state.next ?? {};
    expect(fireAt - nominal).toBeLessThan(HOUR_MS);
    trace.until(new Date(fireAt).toISOString());
  }
  expect(trace.sent).toHaveLength(24);
});

test("the last occurrence may be delayed by the full jitter", () => {
  const spec = specOf({ jitterMs: HOUR_MS, endsAt: at("2026-11-18T10:00:00Z") });
  const { next } = new Trace("2026-11-18T08:00:00Z", spec).state;
  expect((next?.fireAt ?? 0) - (next?.nominal ?? 0)).toBeLessThanOrEqual(HOUR_MS);
});

test("an updated expression has no occurrences before its update", () => {
  const trace = new Trace("2026-11-18T08:00:00Z", specOf({ jitterMs: 30 * 60_000 })).until("2026-11-18T09:00:30Z");
  trace.put({ rule: specOf({ rule: { cron: "* * * * *" } }).rule, jitterMs: 0, catchUp: "all" });
  trace.until("2026-11-18T09:40:30Z");
  const first = trace.outcomes.slice(0, 2);
  expect(first).toEqual(["2026-11-18T09:00 dispatched caught_up", "2026-11-18T09:01 dispatched caught_up"]);
  expect(trace.sent).toHaveLength(41);
});
