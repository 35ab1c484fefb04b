// Journeys as traces, one line for each input.
import { describe, expect, test } from "vitest";
import { openWork } from "#kernel/computing/work.ts";
import { ask, day, hour, T0 } from "#test/support/drive.ts";
import { act, go } from "./drive-journey.ts";
import { naming } from "#test/support/matchers/naming.ts";

describe("a line of nodes", () => {
  test("goes on as each is done, and is completed after the last", () => {
    const t = go({ nodes: { a: act("b"), b: act("c"), c: act() } });
    t.start();
    expect([t.at, t.runs()]).toEqual(["a", ["a queued"]]);
    t.ok("a");
    expect([t.at, t.marks()]).toEqual(["b", { a: "done", b: "waiting" }]);
    t.ok("b").ok("c");
    expect([t.status, t.at, t.marks()]).toEqual(["completed", "", { a: "done", b: "done", c: "done" }]);
  });

  test("a fork begins all that it names, and ends when the last is through", () => {
    const t = go({ nodes: { a: act(["b", "c"]), b: act(), c: act() } });
    t.start().ok("a");
    expect(t.at).toBe("b, c");
    expect(t.ok("c").status).toBe("active");
    expect(t.ok("b").status).toBe("completed");
  });

  test("of hundreds of active nodes, rules and the journal get the first names", () => {
    const names = Array.from({ length: 30 }, (_, n) => `n${n}`);
    const t = go({ nodes: { a: act(names), ...Object.fromEntries(names.map((name) => [name, act()])) } });
    t.start().ok("a");
    expect(t.newLines()).toContainEqual(naming("moved a >", names.slice(0, 20).join(", "), 10, "by action.a.ok"));
    expect(t.state.position.states).toEqual(names);
  });

  test("several nodes may be the first", () => {
    const t = go({ initial: ["a", "b"], nodes: { a: act(), b: act() } });
    expect(t.start().runs()).toEqual(["a queued", "b queued"]);
  });

  test("one run at a time is the rule, the more urgent first", () => {
    const nodes = { a: act(["b", "c"]), b: act(), c: act(undefined, { priority: 90 }) };
    const t = go({ concurrency: 1, nodes });
    expect(t.start().ok("a").runs()).toEqual(["a ok", "b scheduled", "c queued"]);
  });
});

describe("counting", () => {
  test("says how many nodes but exits have ended, and how", () => {
    const t = go({ nodes: { a: act(["b", "c"]), b: act("end"), c: act(), end: { type: "exit" } } });
    t.start().ok("a");
    expect(t.position().counts).toEqual({ done: 1, skipped: 0, failed: 0, of: 3 });
    t.ok("b");
    expect(t.position().counts).toEqual({ done: 2, skipped: 1, failed: 0, of: 3 });
  });
});

describe("delays", () => {
  test("a delay node waits its time", () => {
    const t = go({ nodes: { a: { type: "delay", for: "P3D", next: "b" }, b: act() } });
    t.start();
    expect([t.status, t.timers()]).toEqual(["waiting", { "a/delay": 3 * day }]);
    expect(t.tickAt(3 * day).runs()).toEqual(["b queued"]);
  });

  test("a delay of a node is when its action is due", () => {
    const delays = { later: { anchor: { var: "execution.variables.date" }, offset: "-P2D" } };
    const t = go({ delays, nodes: { a: act("b", { delay: "later" }), b: act() } });
    t.start();
    expect([t.status, t.run("a").dueAt]).toEqual(["waiting", null]);
    t.patch({ date: new Date(T0 + 5 * day).toISOString() });
    expect(t.run("a").dueAt).toBe(T0 + 3 * day);
    expect(
      t
        .tickAt(3 * day)
        .ok("a")
        .runs(),
    ).toEqual(["a ok", "b queued"]);
  });

  test("a delay counts from when what came before was planned, and not from when it got through", () => {
    const nodes = { a: act("b", { delay: "P1D" }), b: { type: "delay", for: "P1D", next: "c" }, c: act() };
    const t = go({ nodes });
    t.start()
      .tickAt(day)
      .clock(day + 5 * hour)
      .ok("a");
    expect(t.timers()).toEqual({ "b/delay": 2 * day });
  });

  test("or from when it was done, where it says so", () => {
    const b = { type: "delay", for: "P1D", from: "done", next: "c" };
    const t = go({ nodes: { a: act("b", { delay: "P1D" }), b, c: act() } });
    t.start()
      .tickAt(day)
      .clock(day + 5 * hour)
      .ok("a");
    expect(t.timers()).toEqual({ "b/delay": 2 * day + 5 * hour });
  });

  test("one whose time has gone by is passed over, and so is what follows at the same instant", () => {
    const until = { anchor: "2026-01-01T00:00:00Z", ifPast: "skip" };
    const t = go({ nodes: { a: { type: "delay", until, next: "b" }, b: act() } });
    t.start();
    expect([t.marks(), t.runs()]).toEqual([{ a: "skipped already_past", b: "skipped past" }, ["b skipped"]]);
  });
});

describe("what is not wanted is skipped, and what follows it goes on all the same", () => {
  const condition = { var: "execution.variables.wanted" };

  test("an action whose condition is false when it is due", () => {
    const t = go({ nodes: { a: act("b", { condition }), b: act() } });
    t.start();
    expect(t.marks()).toEqual({ a: "skipped condition_false", b: "waiting" });
  });

  test("any other node, asked on arrival", () => {
    const t = go({ nodes: { a: { type: "delay", for: "P1D", condition, next: "b" }, b: act() } });
    t.start();
    expect(t.marks()).toEqual({ a: "skipped condition_false", b: "waiting" });
  });

  test("an action whose time has gone by", () => {
    const delay = { anchor: "2026-01-01T00:00:00Z", ifPast: "skip" };
    const t = go({ nodes: { a: act("b", { delay }), b: act() } });
    t.start();
    expect(t.marks()).toEqual({ a: "skipped already_past", b: "skipped past" });
  });
});

test("a cancellation takes back what has not gone out", () => {
  const t = go({ nodes: { a: act(undefined, { delay: "P1D" }) } });
  t.start().cancel();
  expect([t.status, t.runs(), t.timers()]).toEqual(["canceled", ["a canceled"], {}]);
  expect(t.refused(ask.event("x")).code).toBe("execution_final");
});

describe("what a program is asked", () => {
  const w = { type: "wait", for: [{ event: "x", next: "b" }], timeout: { after: "P1D" } };
  const at = { now: 0, planned: 0 };

  test("a timer of a node that has ended says nothing", () => {
    const t = go({ initial: ["w", "a"], nodes: { w, a: act(), b: act() } });
    t.start().event("x");
    const scope = { execution: { variables: {} }, message: null };
    expect(t.program.react(t.state.position, {}, "w/timeout", scope, openWork(), at)).toBeNull();
  });

  test("a position of another kind is a mistake of ours", () => {
    const t = go({ nodes: { w, b: act() } });
    const other = { kind: "machine", value: "a", history: {}, states: ["a"], done: false } as const;
    expect(() => t.program.react(other, {}, "x", {}, openWork(), at)).toThrow(
      expect.objectContaining({ name: "Error" }),
    );
  });

  test("what it hears of later is refused as that, once it is over", () => {
    const t = go({ nodes: { w, b: act() } });
    t.start().event("x").ok("b");
    expect([t.program.eventTiming(t.state.position, "x"), t.program.eventTiming(t.state.position, "y")]).toEqual([
      "late",
      "unknown",
    ]);
    expect(t.program.waitsFor(t.state.position)).toEqual([]);
  });
});
