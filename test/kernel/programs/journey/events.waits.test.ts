// Waits for the first of several events or rules, or until a time limit; and branches and splits, which do not wait.
import { describe, expect, test } from "vitest";
import { ask, day } from "#test/support/drive.ts";
import { act, go } from "./drive-journey.ts";

const wait = (...alternatives: readonly object[]) => ({ type: "wait", for: alternatives }) as never;

describe("an event", () => {
  const nodes = {
    w: {
      type: "wait",
      for: [
        { event: "a", next: "x" },
        { event: "b", next: "y" },
      ],
      timeout: { after: "P7D", next: "z" },
    },
    x: act(),
    y: act(),
    z: act(),
  };

  test("takes its way; the others and the timeout go with it", () => {
    const t = go({ nodes });
    t.start();
    expect([t.status, t.timers()]).toEqual(["waiting", { "w/timeout": 7 * day }]);
    t.event("b");
    expect([t.at, t.timers()]).toEqual(["y", {}]);
    expect(t.marks()).toEqual({ w: "done", x: "skipped not_reached", y: "waiting", z: "skipped not_reached" });
    expect(t.newLines()).toContain("edge_taken w: for/1");
  });

  test("that never comes is not waited for longer than the timeout", () => {
    const t = go({ nodes });
    t.start().tickAt(7 * day);
    expect(t.marks()).toMatchObject({ w: "done", z: "waiting" });
    expect(t.refused(ask.event("a")).code).toBe("event_too_late");
  });

  test("without a listener is refused, with a similar type", () => {
    const t = go({ nodes });
    t.start();
    expect(t.refused(ask.event("c")).code).toBe("event_unknown");
  });

  test("whose guard is false is refused unless another wait accepts it", () => {
    const t = go({ nodes: { w: wait({ event: "a", guard: { var: "message.payload.yes" } }) } });
    t.start();
    expect(t.refused(ask.event("a", { yes: false })).code).toBe("event_not_accepted");
    expect(t.event("a", { yes: true }).status).toBe("completed");
  });

  test("sets variables from what it brings", () => {
    const t = go({
      nodes: { w: wait({ event: "a", assign: { size: { var: "message.payload.size" } }, next: "x" }), x: act() },
    });
    expect(t.start().event("a", { size: 3 }).state.variables).toEqual({ size: 3 });
  });

  test("without a way of its own goes the node's", () => {
    const w = { type: "wait", for: [{ event: "a" }, { event: "b", next: "y" }], timeout: { after: "P1D" }, next: "x" };
    const t = go({ nodes: { w, x: act(), y: act() } });
    expect(t.start().tickAt(day).at).toBe("x");
  });
});

describe("an event is not used up", () => {
  test("it may satisfy several waits that stand", () => {
    const nodes = { v: wait({ event: "a", next: "x" }), w: wait({ event: "a", next: "y" }), x: act(), y: act() };
    const t = go({ initial: ["v", "w"], nodes });
    expect(t.start().event("a").at).toBe("x, y");
  });

  test("and those that come later: events since enrolment count", () => {
    const nodes = { v: wait({ event: "a", next: "w" }), w: wait({ event: "a", next: "x" }), x: act() };
    const t = go({ nodes });
    t.start().event("a");
    expect([t.at, t.newLines().at(-1)]).toEqual(["x", "run_dispatched 2.0 #1"]);
    expect(t.position().kept).toEqual([]);
  });

  test("in the order in which they came, whatever the order of the alternatives", () => {
    const w = wait({ event: "b", next: "y" }, { event: "a", next: "x" });
    const t = go({ nodes: { first: act("w"), w, x: act(), y: act() } });
    t.start().event("a").event("b").ok("first");
    expect(t.at).toBe("x");
  });

  test("one that came before is known again by what it brought", () => {
    const w = wait({
      event: "a",
      guard: { ">": [{ var: "message.payload" }, 1] },
      assign: { n: { var: "message.payload" } },
    });
    const t = go({ nodes: { first: act("w"), w } });
    t.start().event("a", 1).event("a", 2).event("a", 3).ok("first");
    expect([t.status, t.state.variables]).toEqual(["completed", { n: 2 }]);
  });

  test('since: "arrival" wants to hear it itself', () => {
    const w = { type: "wait", for: [{ event: "a" }], since: "arrival" };
    const t = go({ initial: ["first"], nodes: { first: wait({ event: "a", next: "w" }), w } });
    t.start().event("a");
    expect(t.at).toBe("w");
    expect(t.event("a").status).toBe("completed");
  });

  test("kept events that no wait ahead can accept are dropped", () => {
    const nodes = { first: act("w"), w: wait({ event: "a" }, { event: "b" }) };
    const t = go({ nodes });
    t.start().event("a").event("a");
    expect(t.position().kept.map(({ type }) => type)).toEqual(["a"]);
    t.ok("first");
    expect(t.position().kept).toEqual([]);
  });

  test("there is a limit to what is kept, and the journal says what was not", () => {
    const w = wait({ event: "a", guard: { "==": [{ var: "message.payload" }, "last"] } });
    const t = go({ nodes: { first: act("w"), w } });
    t.start();
    for (let n = 0; n < 101; n += 1) t.event("a", n);
    expect([t.position().kept.length, t.newLines().at(-1)]).toEqual([100, "event_dropped a: too_many_kept"]);
  });
});

describe("a rule", () => {
  const ready = { var: "execution.variables.ready" };

  test("that is true already ends the wait at once", () => {
    const t = go({ variables: { ready: true }, nodes: { w: wait({ when: ready, next: "x" }), x: act() } });
    expect(t.start().at).toBe("x");
  });

  test("that comes true does so later", () => {
    const t = go({ nodes: { w: wait({ when: ready, next: "x" }), x: act() } });
    t.start();
    expect([t.status, t.at, t.program.waitsFor(t.state.position)]).toEqual(["waiting", "w", ["execution.patched"]]);
    expect(t.patch({ other: 1 }).at).toBe("w");
    expect(t.patch({ ready: true }).at).toBe("x");
  });

  test("that another node's assignment makes true ends the wait in the same step", () => {
    const a = { ...act("b"), assign: { ready: { var: "message.payload.result" } } };
    const nodes = { a, b: act(), w: wait({ when: ready, next: "x" }), x: act() };
    const t = go({ initial: ["a", "w"], nodes });
    expect(t.start().ok("a", { result: true }).at).toBe("b, x");
  });

  test("that cannot be worked out fails the execution with its place", () => {
    const t = go({ nodes: { w: wait({ when: { "+": [{ var: "execution.variables.x" }, "a"] } }) } });
    const refusal = t.refused(ask.start({}));
    expect(refusal.message).toContain("/nodes/w/for/0/when");
  });
});

describe("a branch", () => {
  const cases = [
    { guard: { "==": [{ var: "execution.variables.size" }, "s"] }, next: "small" },
    { guard: { "==": [{ var: "execution.variables.size" }, "l"] }, next: "large" },
  ];
  const nodes = { first: act("b"), b: { type: "branch", cases }, small: act(), large: act() };

  test("is asked on arrival, and goes the first way that holds", () => {
    const t = go({ nodes });
    t.start({ size: "s" }).patch({ size: "l" }).ok("first");
    expect(t.marks()).toEqual({ first: "done", b: "done", small: "skipped not_reached", large: "waiting" });
  });

  test("goes nowhere where none holds, and says so", () => {
    const t = go({ nodes });
    t.start().ok("first");
    expect([t.status, t.newLines()]).toEqual(["completed", expect.arrayContaining(["edge_taken b: none"])]);
  });
});

const broken = { "+": [{ var: "execution.variables.x" }, "a"] };

test.each([
  ["/nodes/s/by", { s: { type: "split", by: broken, ways: [{ weight: 1 }] } }],
  ["/nodes/b/cases/0/guard", { b: { type: "branch", cases: [{ guard: broken }] } }],
  ["/nodes/d/condition", { d: { type: "delay", for: "P1D", condition: broken } }],
  ["/nodes/w/for/0/assign/y", { w: { type: "wait", for: [{ when: true, assign: { y: broken } }] } }],
])("what cannot be worked out is named by its place: %s", (place, nodes) => {
  const t = go({ nodes: nodes as never });
  expect(t.refused(ask.start({})).message).toContain(place);
});

test("a rule over the step budget is reported as such", () => {
  const list = Array.from({ length: 10_000 }, (_, n) => n);
  const guard = { some: [{ var: "execution.variables.list" }, { "==": [{ var: "" }, -1] }] };
  const cases = Array.from({ length: 60 }, () => ({ guard, next: "x" }));
  const t = go({ nodes: { a: act("b"), b: { type: "branch", cases }, x: act() } as never });
  t.start({ list }).ok("a");
  expect([t.status, t.state.error?.type]).toEqual(["failed", "rule_too_costly"]);
});

describe("a split", () => {
  const split = (by?: object) => ({
    type: "split",
    ways: [
      { name: "a", weight: 1, next: "x" },
      { weight: 3, next: "y" },
    ],
    ...(by === undefined ? {} : { by }),
  });
  const nodes = (by?: object) => ({ s: split(by) as never, x: act(), y: act() });

  test("draws the same way for the same execution", () => {
    const drawn = [1, 2, 3].map(() =>
      go({ nodes: nodes() })
        .start()
        .newLines()
        .find((line) => line.startsWith("way")),
    );
    expect(new Set(drawn).size).toBe(1);
  });

  test("by the value of its rule, in about the given shares", () => {
    const by = { var: "execution.variables.id" };
    const ways = Array.from({ length: 400 }, (_, id) => go({ nodes: nodes(by) }).start({ id }).at);
    const x = ways.filter((at) => at === "x").length;
    expect(x).toBeGreaterThan(70);
    expect(x).toBeLessThan(130);
    expect(ways.slice(0, 20)).toContain("y");
  });

  test("the way is stored with its mark", () => {
    const t = go({ nodes: { s: { type: "split", ways: [{ name: "only", weight: 1, next: "x" }] }, x: act() } });
    t.start();
    expect(t.position().nodes["s"]?.way).toBe("ways/only");
  });
});
