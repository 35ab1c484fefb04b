import { describe, expect, it } from "vitest";
import { nextRequest, isFull, openPoll, pollSoon, stepPoll } from "#policy/polling/step.ts";
import {
  POLL_AGAIN_MS,
  POLL_BACKLOG_BYTES_MAX,
  POLL_BACKLOG_MAX,
  POLL_SUSPENDED_CHECK_MS,
} from "#schema/limits/inbound/polling.ts";
import { cursor, EVERY, Memory, nothing, NOW, page, terms } from "./traces.ts";

describe("a resting poller", () => {
  it("does not poll if disabled, suspended, deleted or with a full backlog", () => {
    expect(nextRequest(openPoll(terms({ isEnabled: false }), NOW), nothing, NOW)).toBeNull();
    const poller = new Memory();
    poller.answer({ kind: "off", reason: { code: "tenant_suspended", message: "suspended" } });
    expect(poller.state).toMatchObject({ nextAt: NOW + POLL_SUSPENDED_CHECK_MS, last: { outcome: "off" } });
    poller.wait();
    poller.answer({ kind: "gone" });
    expect(poller.state).toMatchObject({ nextAt: null, trouble: { code: "trigger_gone" } });
    expect(pollSoon(poller.state, NOW)).toBe(poller.state);
    for (const backlog of [
      { count: POLL_BACKLOG_MAX, bytes: 0 },
      { count: 0, bytes: POLL_BACKLOG_BYTES_MAX },
    ]) {
      expect(isFull(backlog)).toBe(true);
      expect(nextRequest(openPoll(terms(), NOW), backlog, NOW)).toBeNull();
    }
  });

  it("polls on request, unless it is disabled", () => {
    const poller = new Memory();
    expect(poller.input({ kind: "now" }).seq).toBe(1);
    poller.page(["a"]);
    expect(poller.input({ kind: "now" }).nextAt).toBe(NOW);
    const off = new Memory({ isEnabled: false });
    expect(off.input({ kind: "now" }).nextAt).toBeNull();
  });

  it("polls once for all missed polls", () => {
    const poller = new Memory();
    poller.page(["a"]);
    poller.now += 20 * EVERY;
    poller.page(["a", "b"]);
    expect(poller.state.nextAt).toBe(poller.now + EVERY);
  });

  it.each([
    ["set back", -3_600_000],
    ["set ahead", 3_600_000],
  ])("keeps its interval whatever the clock does while it reads: %s", (_how, ms) => {
    const poller = new Memory();
    poller.page(["a"], "2");
    poller.now += ms;
    poller.state = { ...poller.state, nextAt: Math.min(Number(poller.state.nextAt), poller.now) };
    const { nextAt } = poller.page(["b"]);
    expect(nextAt).toBeGreaterThan(poller.now);
    expect(nextAt).toBeLessThanOrEqual(poller.now + EVERY);
  });
});

describe("a change of the trigger", () => {
  it("discards answers to requests under the earlier settings", () => {
    const poller = new Memory();
    const ask = nextRequest(poller.state, nothing, NOW);
    if (ask === null) expect.fail("it is due");
    poller.input({ kind: "terms", terms: terms({ generation: 2 }) });
    const before = poller.state;
    const answer = { kind: "page", page: page(["a"]) } as const;
    expect(poller.input({ kind: "answer", ask, answer, known: poller.seen })).toBe(before);
    expect(poller.input({ kind: "answer", ask: { ...ask, seq: before.seq }, answer, known: poller.seen })).toBe(before);
  });

  it("older than the stored settings changes nothing", () => {
    const poller = new Memory({ generation: 5 });
    expect(stepPoll(poller.state, { kind: "terms", terms: terms({ generation: 4 }) }, NOW).state).toBe(poller.state);
  });

  it("to another reading restarts the cycle and keeps the seen items", () => {
    const poller = new Memory();
    poller.page(["a"], "2");
    poller.input({ kind: "terms", terms: terms({ generation: 2, reading: "another" }) });
    expect(poller.state).toMatchObject({ cycle: null, cursor: null, nextAt: NOW });
    poller.page(["a", "b"]);
    expect(poller.release()).toEqual(["a", "b"]);
  });

  it("to another feed URL keeps the position", () => {
    const poller = new Memory({ resume: "cursor" });
    poller.page(["a"], "2");
    poller.page([], "2");
    poller.input({ kind: "terms", terms: terms({ generation: 2, reading: "another", resume: "cursor" }) });
    expect(poller.state.cursor).toEqual(cursor("2"));
  });

  it("with a reset drops held items and starts from the current items", () => {
    const poller = new Memory();
    poller.page(["a"]);
    poller.input({ kind: "terms", terms: terms({ generation: 2, epoch: 1, from: "now" }) });
    expect(poller.held).toEqual([]);
    expect(poller.state).toMatchObject({ hasBaseline: false, last: { outcome: "items" } });
    poller.page(["a", "b"]);
    expect(poller.release()).toEqual([]);
  });

  it.each([
    ["off", { isEnabled: false }, null],
    ["more often", { everyMs: 60_000 }, NOW + 60_000],
    ["less often", { everyMs: 3_600_000 }, NOW + EVERY],
    ["the name only", {}, NOW + EVERY],
  ])("in %s changes the next poll", (_what, over, nextAt) => {
    const poller = new Memory();
    poller.page(["a"]);
    expect(poller.input({ kind: "terms", terms: terms({ generation: 2, ...over }) }).nextAt).toBe(nextAt);
  });

  it("before the first poll leaves it due", () => {
    const poller = new Memory();
    expect(poller.input({ kind: "terms", terms: terms({ generation: 2, everyMs: 60_000 }) }).nextAt).toBe(NOW);
  });

  it("that enables the poller polls at once", () => {
    const poller = new Memory({ isEnabled: false });
    expect(poller.input({ kind: "terms", terms: terms({ generation: 2 }) }).nextAt).toBe(NOW);
  });

  it("that an isolate has not loaded yet leads to another poll soon", () => {
    const poller = new Memory();
    expect(pollSoon(poller.state, NOW)).toMatchObject({ nextAt: NOW + POLL_AGAIN_MS, seq: 2 });
  });
});

describe("trouble", () => {
  const refused = { kind: "failed", reason: { code: "x", message: "" }, isFinal: false, retryAfterMs: null } as const;

  it("has the start of the first failure until a poll succeeds", () => {
    const poller = new Memory();
    const since = [refused, refused, { kind: "unchanged" } as const, refused].map((answer) => {
      poller.now += EVERY * 20;
      return poller.answer(answer).troubledAt;
    });
    const [first] = since;
    expect(since).toEqual([first, first, null, poller.now]);
  });

  it("stored without a start has an unknown start", () => {
    const poller = new Memory();
    const { troubledAt: _troubledAt, ...older } = poller.answer(refused);
    poller.state = older;
    poller.now += EVERY * 20;
    expect(poller.answer(refused).troubledAt ?? null).toBeNull();
  });
});

describe("repeated inputs", () => {
  it("change nothing: a repeated answer and settings of the same generation", () => {
    const poller = new Memory();
    const ask = nextRequest(poller.state, nothing, poller.now);
    if (ask === null) throw new Error("it asks at once");
    const answer = { kind: "answer", ask, answer: { kind: "page", page: page(["a"]) }, known: new Map() } as const;
    const once = poller.input(answer);
    expect(poller.input(answer)).toBe(once);
    expect(poller.input({ kind: "terms", terms: terms({ everyMs: EVERY * 2 }) })).toBe(once);
  });

  it("known items do not end an oldest-first cycle, because new items follow", () => {
    const poller = new Memory();
    poller.page(["a", "b"]);
    poller.wait();
    expect(poller.page(["a", "b"], "2").cycle).toMatchObject({ cursor: cursor("2") });
    poller.page(["c"]);
    expect(poller.release()).toEqual(["a", "b", "c"]);
  });
});
