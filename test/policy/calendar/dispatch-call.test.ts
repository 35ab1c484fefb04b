// What a recurring action's object sends to the Worker.
import { expect, test } from "vitest";
import { dispatchCall } from "#policy/calendar/dispatch-call.ts";
import { RECURRING_RECENT_MAX } from "#schema/limits/recurring-actions.ts";
import { at, specOf, Trace } from "#test/support/recurring-trace.ts";

const begun = "2026-11-16T08:00:00Z";

test("the call names the latest started scheduled occurrence, and which items are repeats", () => {
  const trace = new Trace(begun, specOf({ rule: { cron: "0 * * * *" } }));
  const pending = { kind: "schedule", nominal: 5, at: 7, retryAt: 0, until: 9, error: null, reason: null } as const;
  const items = [
    { ...pending, id: "5", tries: 0 },
    { ...pending, id: "6", tries: 1 },
  ];
  expect(dispatchCall(trace.state, items)).toMatchObject({
    terms: { id: "rec_1", timezone: "UTC" },
    items: [
      { id: "5", nominal: 5, at: 7 },
      { id: "6", isRepeat: true },
    ],
  });
  expect(dispatchCall(trace.state, items).terms).not.toHaveProperty("lastNominal");
  trace.until("2026-11-16T09:00:00Z").ask({ verb: "trigger" });
  trace.until("2026-11-16T09:00:01Z");
  expect(dispatchCall(trace.state, items).terms.lastNominal).toBe(at("2026-11-16T09:00:00Z"));
  const { recent: _recent, ...earlier } = trace.state;
  expect(dispatchCall(earlier, items).terms).not.toHaveProperty("lastNominal");
});

test("the state keeps the latest started occurrences with their executions", () => {
  const trace = new Trace(begun, specOf({ rule: { cron: "0 * * * *" } }));
  for (let hour = 0; hour < RECURRING_RECENT_MAX + 2; hour += 1)
    trace.until(new Date(at("2026-11-16T09:00:00Z") + hour * 3_600_000).toISOString());
  const first = at("2026-11-16T11:00:00Z");
  expect(trace.state.recent).toHaveLength(RECURRING_RECENT_MAX);
  expect(trace.state.recent?.[0]).toEqual({ nominal: first, execution: `exe_${first}`, createdAt: null });
  trace.ask({ verb: "trigger" });
  const outcome = { id: "trigger/inp_1", kind: "taken", execution: "exe_t", createdAt: 7 } as const;
  trace.step({ kind: "outcomes", outcomes: [outcome] });
  expect(trace.state.recent?.at(-1)).toEqual({ nominal: null, execution: "exe_t", createdAt: 7 });
});
