// Repeated nodes: one node for its neighbors, with its own cursor and counts.
import { describe, expect, test } from "vitest";
import { ask, day, hour, second, success } from "#test/support/drive.ts";
import { defaults } from "#schema/defaults.ts";
import { EACH_ITEMS_MAX } from "#schema/limits/definition-sizes.ts";
import { act, go } from "./drive-journey.ts";
import { naming } from "#test/support/matchers/naming.ts";

const plain = { type: "webhook", config: { url: "https://example.com/{{ index }}" } };
const inner = { type: "webhook", config: { url: "https://example.com/{{ index }}/{{ item }}" } };
const final = { retryable: false };

function each(more: object = {}, after: object = {}) {
  const a = { type: "each", over: { var: "execution.variables.list" }, node: inner, next: "b", ...more };
  return go({ concurrency: 1, nodes: { a, b: act(), ...after } });
}

describe("an each over a list", () => {
  test("does its node for each item in turn, and goes on after the last", () => {
    const t = each();
    t.start({ list: ["x", "y"] });
    expect(t.runs()).toEqual(["a queued"]);
    t.claim("a");
    expect(t.run("a").config).toEqual({ url: "https://example.com/0/x" });
    t.settle("a", success()).claim("a");
    expect([t.run("a").config, t.marks()]).toEqual([{ url: "https://example.com/1/y" }, { a: "waiting" }]);
    t.settle("a", success());
    expect(t.marks()).toEqual({ a: "done", b: "waiting" });
    expect(t.position().counts).toEqual({ done: 1, skipped: 0, failed: 0, of: 2 });
  });

  test("keeps to the list as it was when it was reached", () => {
    const t = each();
    t.start({ list: ["x", "y"] })
      .patch({ list: [] })
      .ok("a")
      .claim("a");
    expect(t.run("a").config).toEqual({ url: "https://example.com/1/y" });
  });

  test("of nothing is done at once", () => {
    const t = each();
    t.start({ list: [] });
    expect(t.marks()).toEqual({ a: "done", b: "waiting" });
  });

  test("takes as many at once as there are slots", () => {
    const a = { type: "each", times: 5, node: plain };
    const t = go({ concurrency: 3, nodes: { a } });
    expect(t.start().runs()).toEqual(["a queued", "a queued", "a queued"]);
    expect(
      t
        .ok("a")
        .runs()
        .filter((run) => run === "a queued"),
    ).toHaveLength(3);
    t.ok("a").ok("a").ok("a");
    expect([t.marks(), t.ok("a").status]).toEqual([{ a: "waiting" }, "completed"]);
  });

  test("starts as many at once as the default concurrency", () => {
    const t = go({ concurrency: undefined, nodes: { a: { type: "each", times: 99, node: plain } } });
    expect(t.start().runs()).toHaveLength(defaults.concurrency);
  });

  test("what is no list is the definition's fault", () => {
    expect(each().refused(ask.start({ list: "x" }))).toMatchObject({
      code: "invalid_input",
      message: naming("/nodes/a/over"),
    });
  });

  test("may be as long as it may be", () => {
    const t = each();
    t.start({ list: Array.from({ length: EACH_ITEMS_MAX }, () => 1) });
    expect(t.position().nodes["a"]?.each?.of).toBe(EACH_ITEMS_MAX);
  });

  test.each([
    ["too many items", Array.from({ length: 1_001 }, () => 1), [1001, 1000, "EACH_ITEMS_MAX"]],
    ["too many bytes", ["x".repeat(140 * 1024)], [131_072, "EACH_BYTES_MAX"]],
  ])("%s are refused with the limit's name", (_what, list, named) => {
    expect(each().refused(ask.start({ list })).message).toEqual(naming("/nodes/a/over", ...named));
  });

  test("items that are through leave no more behind than their counts", () => {
    const t = each();
    t.start({ list: Array.from({ length: 150 }, (_, n) => n) });
    for (let n = 0; n < 100; n += 1) t.clock(n * 3 * second).ok("a");
    const before = JSON.stringify(t.state).length;
    for (let n = 100; n < 149; n += 1) t.clock(n * 3 * second).ok("a");
    expect(JSON.stringify(t.state).length).toBeLessThan(before * 1.02);
    t.ok("a");
    expect([t.marks(), t.position().nodes["a"]?.each?.done]).toEqual([{ a: "done", b: "waiting" }, 150]);
  });
});

describe("with a time between them", () => {
  test("each next one counts from when the one before was planned", () => {
    const t = each({ over: undefined, node: plain, times: 3, every: "P7D" });
    t.start().clock(hour).ok("a");
    expect(t.timers()).toEqual({ "a/every": 7 * day });
    t.tickAt(7 * day)
      .clock(7 * day + hour)
      .ok("a");
    expect(t.timers()).toEqual({ "a/every": 14 * day });
    t.tickAt(14 * day).ok("a");
    expect(t.marks()).toEqual({ a: "done", b: "waiting" });
  });

  test("one written out may have an anchor of its own", () => {
    const every = { anchor: { var: "execution.variables.date" } };
    const t = each({ over: undefined, node: plain, times: 2, every });
    t.start().ok("a");
    expect(t.timers()).toEqual({ "a/every": null });
  });

  test("one whose time has gone by is made at once", () => {
    const every = { anchor: "2026-01-01T00:00:00Z", ifPast: "skip" };
    const t = each({ over: undefined, node: plain, times: 2, every });
    expect(t.start().ok("a").runs()).toEqual(["a ok", "a queued"]);
  });
});

describe("with a time between them, one that is sent again", () => {
  const every = { node: plain, times: 3, every: "P7D", tolerate: 1 };

  test("does not move when the next one is due", () => {
    const t = each({ over: undefined, ...every });
    t.start().miss("a", final);
    expect(t.timers()).toEqual({ "a/every": 7 * day });
    t.clock(day).retry("a").ok("a");
    expect([t.timers(), t.position().nodes["a"]?.each]).toMatchObject([
      { "a/every": 7 * day },
      { begun: 1, done: 1, failed: [] },
    ]);
  });

  test("nor does one that fails again, or comes while the next is under way", () => {
    const t = go({ concurrency: 2, nodes: { a: { type: "each", ...every } } });
    t.start().miss("a", final);
    const [first] = t.state.runs.map(({ id }) => id);
    t.clock(day).retry("a").miss("a", final);
    expect(t.timers()).toEqual({ "a/every": 7 * day });
    t.tickAt(7 * day).claim("a");
    const { id: second } = t.run("a");
    t.retry(String(first)).ok(String(first));
    expect(t.timers()).toEqual({});
    t.settle(second, success());
    expect(t.timers()).toEqual({ "a/every": 14 * day });
  });

  test("brings on the next where that had to wait for a person", () => {
    const t = each({ over: undefined, ...every, tolerate: 0 });
    t.start().miss("a", final);
    expect([t.marks(), t.timers()]).toEqual([{ a: "failed" }, {}]);
    t.clock(day).retry("a").ok("a");
    expect([t.marks(), t.timers()]).toEqual([{ a: "waiting" }, { "a/every": 8 * day }]);
  });
});

describe("it ends early", () => {
  test("with an event, and takes back what has not gone out", () => {
    const t = each({ over: undefined, node: plain, times: 3, every: "P7D", until: { event: "signed" } });
    t.start().ok("a");
    t.event("signed");
    expect([t.marks(), t.timers(), t.runs()]).toEqual([{ a: "done", b: "waiting" }, {}, ["a ok", "b queued"]]);
  });

  test("with one that came before it was reached", () => {
    const a = { type: "each", times: 3, node: plain, until: { event: "signed" } };
    const t = go({ nodes: { first: act("a"), a } });
    t.start().event("signed");
    expect(t.ok("first").status).toBe("completed");
  });

  test("not with another one that came before, and is kept for others", () => {
    const a = { type: "each", times: 3, node: plain, until: { event: "signed" }, next: "later" };
    const t = go({ nodes: { first: act("a"), a, later: { type: "wait", for: [{ event: "paid" }] } } });
    t.start().event("paid").ok("first");
    expect([t.marks(), t.position().kept.length]).toEqual([{ first: "done", a: "waiting" }, 1]);
    expect(t.event("signed").status).toBe("completed");
  });

  test("not with one that its guard does not want", () => {
    const until = { event: "signed", guard: { var: "message.payload.all" } };
    const t = each({ over: undefined, node: plain, times: 3, until });
    t.start();
    expect(t.refused(ask.event("signed", { all: false })).code).toBe("event_not_accepted");
    t.event("signed", { all: true });
    expect(t.marks()).toEqual({ a: "done", b: "waiting" });
  });

  test("with a rule that comes true, or is true already", () => {
    const until = { when: { var: "execution.variables.enough" } };
    const t = each({ over: undefined, node: plain, times: 3, until });
    t.start().patch({ enough: true });
    expect(t.marks()).toEqual({ a: "done", b: "waiting" });
    const other = each({ over: undefined, node: plain, times: 3, until });
    other.start({ enough: true });
    expect(other.marks()).toEqual({ a: "done", b: "waiting" });
  });

  test("a call that is out ends, is recorded, and moves nothing", () => {
    const t = each({ over: undefined, node: plain, times: 3, until: { event: "signed" } });
    t.start().claim("a").event("signed");
    t.settle("a", success());
    expect(t.marks()).toEqual({ a: "done", b: "waiting" });
    expect(t.run("a").status).toBe("ok");
  });
});

describe("failures among them", () => {
  const open = { ...plain, onExhausted: "deadLetter" };

  test("as many as are tolerated change nothing", () => {
    const t = each({ over: undefined, node: plain, times: 3, tolerate: 1 });
    t.start().miss("a", final).ok("a").ok("a");
    expect([t.marks(), t.position().nodes["a"]?.each?.failed]).toEqual([{ a: "done", b: "waiting" }, [0]]);
  });

  test("one more fails it, and its onFailed is taken", () => {
    const t = each({ over: undefined, node: plain, times: 3, onFailed: "c" }, { c: act() });
    t.start().miss("a", final);
    expect(t.marks()).toEqual({ a: "failed", b: "skipped not_reached", c: "waiting" });
  });

  test("without one it is open until a person decides: sent again it goes on where it was", () => {
    const t = each({ over: undefined, node: open, times: 2 });
    t.start().miss("a", final);
    expect([t.marks(), t.position().counts.failed, t.status]).toEqual([{ a: "failed" }, 1, "waiting"]);
    t.retry("a").ok("a");
    expect([t.marks(), t.position().counts.failed]).toEqual([{ a: "waiting" }, 0]);
    t.ok("a");
    expect(t.marks()).toEqual({ a: "done", b: "waiting" });
  });

  test("archived, nothing follows", () => {
    const t = each({ over: undefined, node: plain, times: 2 });
    t.start().miss("a", final).archive("a");
    expect(t.marks()).toEqual({ a: "failed archived", b: "skipped not_reached" });
  });

  test("a tolerated failure may be archived while other items continue", () => {
    const t = each({ over: undefined, node: plain, times: 3, tolerate: 1 });
    t.start().miss("a", final);
    const [failed] = t.state.runs;
    t.archive(String(failed?.id)).ok("a").ok("a");
    expect(t.marks()).toEqual({ a: "done", b: "waiting" });
  });

  test("several that fail make one node that has failed", () => {
    const t = go({ concurrency: 2, nodes: { a: { type: "each", times: 4, node: open } } });
    const [one, other] = t.start().state.runs.map(({ id }) => String(id));
    t.miss(String(one), final).miss(String(other), final);
    expect([t.marks(), t.position().counts.failed]).toEqual([{ a: "failed" }, 1]);
    t.retry(String(one)).ok(String(one));
    expect(t.marks()).toEqual({ a: "failed" });
    t.retry(String(other)).ok(String(other));
    expect([t.marks(), t.position().counts.failed]).toEqual([{ a: "waiting" }, 0]);
  });

  test("those beside one that fails end and are counted, and none begins", () => {
    const a = { type: "each", times: 4, node: open };
    const t = go({ concurrency: 2, nodes: { a } });
    t.start();
    const [one, other] = t.state.runs.map(({ id }) => id);
    t.miss(String(one), final);
    t.ok(String(other));
    expect([t.marks(), t.runs()]).toEqual([{ a: "failed" }, ["a failed", "a ok"]]);
    t.retry(String(one)).ok(String(one));
    expect(t.runs().filter((run) => run === "a queued")).toHaveLength(2);
  });
});

test("one that is skipped counts, and the next is made", () => {
  const condition = { "!==": [{ var: "item" }, "x"] };
  const t = each({ node: { ...inner, condition } });
  t.start({ list: ["x", "y"] });
  expect([t.runs(), t.position().nodes["a"]?.each?.skipped]).toEqual([["a skipped", "a queued"], 1]);
});
