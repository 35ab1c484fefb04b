// The listeners of a journey in its position, and its partly reached joins.
import { describe, expect, test } from "vitest";
import { ask, type Drive } from "#test/support/drive.ts";
import { act, go } from "./drive-journey.ts";

const rule = { var: "execution.variables.x" };
const listening = (t: Drive) => t.program.listeners(t.state.position);
const joins = (t: Drive) => t.program.nodes?.joins(t.state.position);

describe("what it listens with", () => {
  test("are its goals, its active waits, their timers, and the waits ahead that keep events", () => {
    const t = go({
      initial: ["a", "d", "x"],
      exitWhen: [{ when: rule }, { event: "left", guard: rule }],
      nodes: {
        a: { type: "wait", for: [{ event: "signed", next: "b" }], timeout: { after: "P1D", next: ["b", "c"] } },
        b: { type: "wait", for: [{ event: "paid", guard: rule }, { event: "seen" }] },
        c: { type: "wait", for: [{ event: "paid" }], since: "arrival" },
        d: { type: "delay", for: "P1D", next: "c" },
        x: act("c"),
      },
    }).start();
    expect(listening(t)).toEqual([
      { on: { kind: "always" }, state: "exitWhen/0", guard: rule, at: "/exitWhen/0/when", to: [] },
      { on: { kind: "event", type: "left" }, state: "exitWhen/1", guard: rule, at: "/exitWhen/1/guard", to: [] },
      { on: { kind: "event", type: "signed" }, state: "a", guard: null, at: "/nodes/a/for/0", to: ["b"] },
      { on: { kind: "timer", timer: "a/timeout" }, state: "a", guard: null, at: "/nodes/a", to: ["b", "c"] },
      { on: { kind: "timer", timer: "d/delay" }, state: "d", guard: null, at: "/nodes/d", to: ["c"] },
      { on: { kind: "event", type: "paid" }, state: "b", guard: null, at: "/nodes/b", to: [] },
      { on: { kind: "event", type: "seen" }, state: "b", guard: null, at: "/nodes/b", to: [] },
    ]);
    expect(Object.keys(t.timers())).toEqual(["a/timeout", "d/delay"]); // the names of its timers
    expect(listening(t.cancel())).toEqual([]);
    expect(listening(go({ nodes: { a: { type: "exit" } } }).start())).toEqual([]);
  });
});

test("it waits for the events of its position, and for patches if a rule may become true", () => {
  const task = { type: "task", config: { title: "x" }, await: { for: ["task_completed"] } };
  const each = { type: "each", times: 3, every: "P1D", node: act() };
  const nodes = {
    a: { type: "wait", for: [{ event: "signed" }, { event: "paid" }] },
    b: task,
    c: { type: "journey", definition: "other" },
    d: { ...each, until: { event: "enough" } },
    e: each,
    f: { type: "delay", for: "P1D", next: "ahead" },
    ahead: { type: "wait", for: [{ event: "later" }] },
  };
  const waitsFor = (t: Drive) => t.program.waitsFor(t.state.position);
  const t = go({ initial: ["a", "b", "c", "d", "e", "f"], exitWhen: [{ event: "paid" }, { event: "left" }], nodes });
  expect(waitsFor(t.start())).toEqual(["signed", "paid", "enough", "left"]);
  t.ok("b").ok("c");
  const asked = ["task_completed", "child_completed", "child_failed", "child_canceled"];
  expect(waitsFor(t)).toEqual(["signed", "paid", ...asked, "enough", "left"]);
  expect(waitsFor(t.miss("d", { retryable: false }))).not.toContain("enough"); // an operator decides
  t.retry("d").claim("d").event("left"); // a call is in flight
  expect([t.status, waitsFor(t), t.refused(ask.event("signed")).code]).toEqual(["active", [], "event_too_late"]);

  const rules = { g: { ...each, until: { when: rule } }, h: { type: "wait", for: [{ when: rule }, { event: "x" }] } };
  const other = go({ initial: ["g", "h"], exitWhen: [{ when: rule }], nodes: rules }).start();
  expect(waitsFor(other)).toEqual(["execution.patched", "x"]);
});

test("a wait without a timeout has no timer to listen for", () => {
  const t = go({ nodes: { a: { type: "wait", for: [{ when: rule }] } } }).start();
  expect(listening(t)).toEqual([
    { on: { kind: "always" }, state: "a", guard: rule, at: "/nodes/a/for/0/when", to: [] },
  ]);
});

describe("nodes that wait for an answer, and repeated nodes", () => {
  test("listen for the answer to their own question, once it has been asked, and keep what comes before", () => {
    const task = { type: "task", config: { title: "x" }, await: { for: ["task_completed"], timeout: "P1D" } };
    const t = go({ nodes: { a: { ...task, next: "b", onFailed: "c" }, b: act(), c: act() } }).start();
    const early = { on: { kind: "event", type: "task_completed" }, state: "a", guard: null, at: "/nodes/a", to: [] };
    expect(listening(t)).toEqual([early]);
    expect(listening(t.ok("a"))).toEqual([
      { ...early, at: "/nodes/a/await/for/0", to: ["b"], isOwn: true },
      { on: { kind: "timer", timer: "a/timeout" }, state: "a", guard: null, at: "/nodes/a", to: ["c"] },
    ]);
    expect(Object.keys(t.timers())).toEqual(["a/timeout"]);
  });

  test("a child's end is listened for in three ways", () => {
    const t = go({
      nodes: { a: { type: "journey", definition: "other", next: "b", onFailed: "c" }, b: act(), c: act() },
    });
    t.start().ok("a", { result: { execution: "exe_kid", wait: true } });
    const heard = listening(t).flatMap(({ on, to }) => (on.kind === "event" ? [[on.type, to]] : []));
    expect(heard).toEqual([
      ["child_completed", ["b"]],
      ["child_failed", ["c"]],
      ["child_canceled", ["c"]],
    ]);
  });

  test("what is repeated may be enough, by an event or by a rule", () => {
    const each = { type: "each", times: 3, every: "P1D", node: act(), next: "b" };
    const untils = [{ event: "signed", guard: rule }, { when: rule }, undefined];
    const told = untils.map((until) => {
      const t = go({ nodes: { a: until ? { ...each, until } : each, b: act() } }).start();
      expect(Object.keys(t.ok("a").timers())).toEqual(["a/every"]);
      return listening(t);
    });
    const timer = { on: { kind: "timer", timer: "a/every" }, state: "a", guard: null, at: "/nodes/a", to: [] };
    expect(told).toEqual([
      [
        { on: { kind: "event", type: "signed" }, state: "a", guard: rule, at: "/nodes/a/until/guard", to: ["b"] },
        timer,
      ],
      [{ on: { kind: "always" }, state: "a", guard: rule, at: "/nodes/a/until/when", to: ["b"] }, timer],
      [timer],
    ]);
  });
});

describe("a join", () => {
  test("is half full while some of the ways have come, and not before or after", () => {
    const nodes = { a: act("c"), b: act("c"), c: act("d", { join: { of: 2 } }), d: act() };
    const t = go({ initial: ["a", "b"], nodes }).start();
    expect(joins(t)).toEqual([]);
    expect(joins(t.ok("a"))).toEqual([{ node: "c", needs: 2, taken: 1, dead: 0, from: ["b"] }]);
    expect(joins(t.ok("b"))).toEqual([]);
  });

  test("of all says how many ways are dead", () => {
    const branch = { type: "branch", cases: [{ guard: false, next: "c" }, { next: "b" }] };
    const t = go({ initial: ["a", "x"], nodes: { a: act("c"), x: branch, b: act("c"), c: act() } });
    t.start().ok("a");
    expect(joins(t)).toEqual([{ node: "c", needs: 3, taken: 1, dead: 1, from: ["b"] }]);
    expect(joins(t.become({ ...t.state, position: { ...t.position(), done: true } }))).toEqual([]);
  });
});
