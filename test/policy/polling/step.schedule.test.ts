import { describe, expect, it } from "vitest";
import { nextRequest, isFull, openPoll, pollSoon, stepPoll } from "#policy/polling/step.ts";
import {
  POLL_AGAIN_MS,
  POLL_BACKLOG_BYTES_MAX,
  POLL_BACKLOG_MAX,
  POLL_SUSPENDED_CHECK_MS,
} from "#schema/limits/inbound/polling.ts";
import { cursor, EVERY, Memory, nothing, NOW, page, terms } from "./traces.ts";

describe("what rests", () => {
  it("does not ask: switched off, suspended, deleted, or with too much that waits", () => {
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

  it("asks when somebody wants it, but not what is switched off", () => {
    const poller = new Memory();
    expect(poller.input({ kind: "now" }).seq).toBe(1);
    poller.page(["a"]);
    expect(poller.input({ kind: "now" }).nextAt).toBe(NOW);
    const off = new Memory({ isEnabled: false });
    expect(off.input({ kind: "now" }).nextAt).toBeNull();
  });

  it("asks once for all polls that it missed", () => {
    const poller = new Memory();
    poller.page(["a"]);
    poller.now += 20 * EVERY;
    poller.page(["a", "b"]);
    expect(poller.state.nextAt).toBe(poller.now + EVERY);
  });

  it.each([
    ["set back", -3_600_000],
    ["set ahead", 3_600_000],
  ])("comes to the interval whatever becomes of the clock while it reads: %s", (_how, ms) => {
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
  it("discards what was asked under the one before", () => {
    const poller = new Memory();
    const ask = nextRequest(poller.state, nothing, NOW);
    if (ask === null) expect.fail("it is due");
    poller.input({ kind: "terms", terms: terms({ generation: 2 }) });
    const before = poller.state;
    const answer = { kind: "page", page: page(["a"]) } as const;
    expect(poller.input({ kind: "answer", ask, answer, known: poller.seen })).toBe(before);
    expect(poller.input({ kind: "answer", ask: { ...ask, seq: before.seq }, answer, known: poller.seen })).toBe(before);
  });

  it("that is older than what is known changes nothing", () => {
    const poller = new Memory({ generation: 5 });
    expect(stepPoll(poller.state, { kind: "terms", terms: terms({ generation: 4 }) }, NOW).state).toBe(poller.state);
  });

  it("to another list begins its round anew, and knows what it has seen", () => {
    const poller = new Memory();
    poller.page(["a"], "2");
    poller.input({ kind: "terms", terms: terms({ generation: 2, reading: "another" }) });
    expect(poller.state).toMatchObject({ round: null, cursor: null, nextAt: NOW });
    poller.page(["a", "b"]);
    expect(poller.release()).toEqual(["a", "b"]);
  });

  it("to another feed keeps where it has got to", () => {
    const poller = new Memory({ resume: "cursor" });
    poller.page(["a"], "2");
    poller.page([], "2");
    poller.input({ kind: "terms", terms: terms({ generation: 2, reading: "another", resume: "cursor" }) });
    expect(poller.state.cursor).toEqual(cursor("2"));
  });

  it("that is to forget takes back what waits, and begins with what is there", () => {
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
    ["by its name only", {}, NOW + EVERY],
  ])("%s moves the next poll", (_what, over, nextAt) => {
    const poller = new Memory();
    poller.page(["a"]);
    expect(poller.input({ kind: "terms", terms: terms({ generation: 2, ...over }) }).nextAt).toBe(nextAt);
  });

  it("before the first poll leaves it due", () => {
    const poller = new Memory();
    expect(poller.input({ kind: "terms", terms: terms({ generation: 2, everyMs: 60_000 }) }).nextAt).toBe(NOW);
  });

  it("switches it on again at once", () => {
    const poller = new Memory({ isEnabled: false });
    expect(poller.input({ kind: "terms", terms: terms({ generation: 2 }) }).nextAt).toBe(NOW);
  });

  it("that an isolate has not heard of yet is asked about again soon", () => {
    const poller = new Memory();
    expect(pollSoon(poller.state, NOW)).toMatchObject({ nextAt: NOW + POLL_AGAIN_MS, seq: 2 });
  });
});

describe("trouble", () => {
  const refused = { kind: "failed", reason: { code: "x", message: "" }, isFinal: false, retryAfterMs: null } as const;

  it("is known since its beginning, however often a poll fails, and until one goes well", () => {
    const poller = new Memory();
    const since = [refused, refused, { kind: "unchanged" } as const, refused].map((answer) => {
      poller.now += EVERY * 20;
      return poller.answer(answer).troubledAt;
    });
    const [first] = since;
    expect(since).toEqual([first, first, null, poller.now]);
  });

  it("from before that was kept began nobody knows when", () => {
    const poller = new Memory();
    const { troubledAt: _troubledAt, ...older } = poller.answer(refused);
    poller.state = older;
    poller.now += EVERY * 20;
    expect(poller.answer(refused).troubledAt ?? null).toBeNull();
  });
});

describe("what has been heard already", () => {
  it("changes nothing: an answer that comes twice, and terms of the same generation", () => {
    const poller = new Memory();
    const ask = nextRequest(poller.state, nothing, poller.now);
    if (ask === null) throw new Error("it asks at once");
    const answer = { kind: "answer", ask, answer: { kind: "page", page: page(["a"]) }, known: new Map() } as const;
    const once = poller.input(answer);
    expect(poller.input(answer)).toBe(once);
    expect(poller.input({ kind: "terms", terms: terms({ everyMs: EVERY * 2 }) })).toBe(once);
  });

  it("is no end where the oldest comes first: what is new comes after what is known", () => {
    const poller = new Memory();
    poller.page(["a", "b"]);
    poller.wait();
    expect(poller.page(["a", "b"], "2").round).toMatchObject({ cursor: cursor("2") });
    poller.page(["c"]);
    expect(poller.release()).toEqual(["a", "b", "c"]);
  });
});
