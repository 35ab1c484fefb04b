// Tests what a poller does next: it releases held items, then reads a page, then sleeps.
import { expect, test } from "vitest";
import { planPoll, type PollFacts } from "#policy/polling/plan.ts";
import { openPoll } from "#policy/polling/step.ts";
import { POLL_BACKLOG_MAX } from "#schema/limits/inbound/polling.ts";
import { NOW, terms } from "./traces.ts";

const state = { ...openPoll(terms({ order: "newest_first" }), NOW), cyclesCompleted: 2 };
const later = { ...state, nextAt: NOW + 5 };
const off = { ...state, nextAt: null };
const facts = (over: Partial<PollFacts>): PollFacts => ({
  state,
  backlog: { count: 0, bytes: 0 },
  oldestCycle: null,
  blockedUntil: 0,
  ...over,
});
const full = { count: POLL_BACKLOG_MAX, bytes: 0 };

test.each([
  ["items of a finished cycle are released first", facts({ oldestCycle: 1 }), { kind: "release" }],
  ["items of the running cycle wait for its end", facts({ oldestCycle: 2 }), { kind: "poll" }],
  ["a page is due", facts({}), { kind: "poll" }],
  ["blocked items delay the page", facts({ oldestCycle: 1, blockedUntil: NOW + 3, state: later }), { at: NOW + 3 }],
  ["the next page is due later", facts({ state: later }), { kind: "rest", at: NOW + 5 }],
  [
    "with a full backlog no page is read",
    facts({ backlog: full, oldestCycle: 1, blockedUntil: NOW + 9 }),
    { at: NOW + 9 },
  ],
  ["the poller is disabled", facts({ state: off }), { kind: "rest", at: null }],
])("%s", (_case, known, plan) => {
  expect(planPoll(known, NOW)).toMatchObject(plan);
});
