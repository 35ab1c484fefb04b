// Tests when an alarm resumes the interrupted work of a recurring action.
import { expect, test } from "vitest";
import { guardRecurring } from "#policy/calendar/plan.ts";
import { RECURRING_GUARD_MS } from "#schema/limits/recurring-actions.ts";
import { specOf, Trace } from "#test/support/recurring-trace.ts";

const { state, now } = new Trace("2026-11-16T08:00:00Z", specOf());
const next = (fireAt: number) => ({ ...state, next: { nominal: fireAt, fireAt } });

test.each([
  ["there is no next occurrence", { ...state, next: null }, now + RECURRING_GUARD_MS],
  ["the next occurrence is far away", next(now + 2 * RECURRING_GUARD_MS + 1), now + RECURRING_GUARD_MS],
  [
    "the next occurrence is near, so its alarm is used",
    next(now + 2 * RECURRING_GUARD_MS),
    now + 2 * RECURRING_GUARD_MS,
  ],
  ["the next occurrence is due", next(now), now + RECURRING_GUARD_MS],
])("the alarm is set if %s", (_case, known, at) => {
  expect(guardRecurring(known, now)).toBe(at);
});
