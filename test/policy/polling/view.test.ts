import { describe, expect, it } from "vitest";
import { viewPoll } from "#policy/polling/view.ts";
import type { PollAnswer, PollTerms } from "#schema/inbound/polling.ts";
import { POLL_BACKLOG_MAX } from "#schema/limits/inbound/polling.ts";
import { failure, Memory, nothing } from "./traces.ts";

const full = { count: POLL_BACKLOG_MAX, bytes: 0 };

describe("the status of a poller", () => {
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

  it("names the next step by error code or number of failures", () => {
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

  it("is waiting with a full backlog, and cannot continue in a newest-first list", () => {
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
  ] as const)("shows the cursor %o", (cursor, shown) => {
    const { state } = new Memory();
    expect(viewPoll({ ...state, cursor }, nothing, 0).cursor).toBe(shown);
  });
});

it("shows since when polls fail, if the object has stored it", () => {
  const poller = new Memory();
  poller.answer(failure());
  expect(viewPoll(poller.state, nothing, 0).troubleSince).toBe(poller.now);
  const { troubledAt: _troubledAt, ...older } = poller.state;
  expect(viewPoll(older, nothing, 0).troubleSince).toBeNull();
});
