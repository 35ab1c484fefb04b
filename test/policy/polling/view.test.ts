import { describe, expect, it } from "vitest";
import { viewPoll } from "#policy/polling/view.ts";
import type { PollAnswer, PollTerms } from "#schema/inbound/polling.ts";
import { POLL_BACKLOG_MAX } from "#schema/limits/inbound/polling.ts";
import { failure, Memory, nothing } from "./traces.ts";

const full = { count: POLL_BACKLOG_MAX, bytes: 0 };

describe("a poller's state for people", () => {
  it("is healthy and empty at first", () => {
    const view = viewPoll(new Memory().state, nothing, 0);
    expect(view).toMatchObject({ health: "healthy", reason: null, nextStep: null, lastPollAt: null, outcome: null });
  });

  it.each<[string, readonly PollAnswer[], Partial<PollTerms>]>([
    ["healthy", [], {}],
    ["failing", [failure()], {}],
    ["off", [{ kind: "off", reason: { code: "tenant_suspended", message: "suspended" } }], {}],
    ["off", [], { isEnabled: false }],
  ])("is %s after %o", (health, answers, over) => {
    const poller = new Memory(over);
    for (const answer of answers) poller.answer(answer);
    expect(viewPoll(poller.state, nothing, 0).health).toBe(health);
  });

  it("says what to do, by what is wrong or how often", () => {
    const poller = new Memory();
    const step = () => viewPoll(poller.state, nothing, 0).nextStep;
    poller.answer(failure());
    const first = step();
    expect(first).toMatch(/nextPollAt/);
    for (let times = 0; times < 2; times++) {
      poller.wait();
      poller.answer(failure());
    }
    expect(step()).toMatch(/PATCH/);
    poller.wait();
    poller.answer(failure({ reason: { code: "authentication_failed", message: "401" } }));
    expect(step()).not.toMatch(/nextPollAt|PATCH/);
  });

  it("waits where too much does, and cannot go on where the newest stand first", () => {
    expect(viewPoll(new Memory().state, full, 0)).toMatchObject({
      health: "waiting",
      reason: { code: "backlog_full" },
    });
    const newest = new Memory({ order: "newest_first" });
    expect(viewPoll(newest.state, full, 0).reason?.code).toBe("backlog_full");
    newest.page(["b"], "2");
    const view = viewPoll(newest.state, full, 0);
    expect(view).toMatchObject({ reason: { code: "backlog_too_deep" } });
    expect(view.nextStep).toMatch(/position=reset/);
  });

  it.each([
    [{ by: "value", at: "2" }, "2"],
    [{ by: "value", at: "c0ffeec0ffee" }, "c0ffee…"],
    [{ by: "url", at: "https://api.example.com/b?token=x" }, "https://api.example.com/b?…"],
    [{ by: "url", at: "https://api.example.com/b" }, "https://api.example.com/b"],
    [null, null],
  ] as const)("shows of a cursor %o", (cursor, shown) => {
    const { state } = new Memory();
    expect(viewPoll({ ...state, cursor }, nothing, 0).cursor).toBe(shown);
  });
});

it("says since when there has been trouble, where its object has kept that", () => {
  const poller = new Memory();
  poller.answer(failure());
  expect(viewPoll(poller.state, nothing, 0).troubleSince).toBe(poller.now);
  const { troubledAt: _troubledAt, ...older } = poller.state;
  expect(viewPoll(older, nothing, 0).troubleSince).toBeNull();
});
