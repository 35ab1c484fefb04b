// Eventless transitions that act without leaving their state, whatever made XState recheck them; and history.
import { describe, expect, test } from "vitest";
import { action, ask, drive, hour } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

const ready = { "==": [{ var: "execution.variables.ready" }, true] };
const acting = { guard: ready, actions: ["mail"] };
const actions = [action("mail")];

describe("what an always does without going anywhere is done", () => {
  test("when a patch makes it true", () => {
    const t = drive({ actions, states: { a: { always: acting, on: { x: "a" } } } }).start();
    expect(t.runs()).toEqual([]);
    expect(t.patch({ ready: true }).runs()).toEqual(["mail queued"]);
  });

  test("when a timer comes whose guard says no", () => {
    const late = { guard: { "==": [1, 2] }, target: "b" };
    const states = { a: { always: { actions: ["mail"] }, after: { PT1H: late } }, b: {} };
    expect(drive({ actions, states }).start().tickAt(hour).runs()).toEqual(["mail queued", "mail scheduled"]);
  });

  test("when an event comes whose guard says no", () => {
    const no = { guard: { "==": [1, 2] }, target: "b" };
    const t = drive({ actions, states: { a: { always: { actions: ["mail"] }, on: { go: no } }, b: {} } }).start();
    expect(t.event("go").runs()).toEqual(["mail queued", "mail scheduled"]);
  });
});

test("a state with nothing but a guarded always waits for a patch, and says so", () => {
  const t = drive({ states: { a: { always: { guard: ready, target: "b" } }, b: { type: "final" } } }).start();
  expect([t.status, t.program.waitsFor(t.state.position)]).toEqual(["waiting", ["execution.patched"]]);
  expect(t.patch({ ready: true }).status).toBe("completed");
});

describe("history", () => {
  test("a target inside its own parent leaves the state before it enters it again", () => {
    const a = { on: { again: "past" }, exit: ["out"], entry: ["in"] };
    const p = { initial: "a", states: { a, past: { type: "history" as const } } };
    const t = drive({ actions: [action("in"), action("out")], concurrency: 9, states: { p } })
      .start()
      .event("again");
    expect(t.runs()).toEqual(["in queued", "out queued", "in queued"]);
  });

  test("a target further inside leaves all that is inside, and enters each state once", () => {
    const inner = { x: { on: { again: "#p.past" } }, y: { on: { z: "x" } } };
    const b = { initial: "x", states: inner, entry: ["in"], exit: ["out"] };
    const p = { initial: "b", states: { b, past: { type: "history" as const, history: "deep" as const } } };
    const states = { p: { ...p, on: { leave: "o" } }, o: { on: { back: "#p.past" } } };
    const t = drive({ actions: [action("in"), action("out")], concurrency: 9, states }).start();
    expect(t.event("leave").event("back").event("again").at).toBe("p.b.x");
    expect(t.runs()).toEqual(["in", "out", "in", "out", "in"].map((name) => `${name} queued`));
  });

  test("directly inside a parallel state it brings each region back", () => {
    const region = { initial: "x", states: { x: { on: { go: "y" } }, y: {} } };
    const p = {
      type: "parallel",
      states: { r: region, q: region, past: { type: "history", history: "deep" } },
    } as const;
    const t = drive({ states: { p: { ...p, on: { leave: "out" } }, out: { on: { back: "#p.past" } } } }).start();
    expect(t.event("go").event("leave").event("back").at).toBe("p.r.y, p.q.y");
  });
});

describe("a loop without end", () => {
  test("through the end of a nested state is detected by its steps", () => {
    const a = { initial: "x", states: { x: { type: "final" } }, onDone: "b" } as const;
    const b = { initial: "x", states: { x: { type: "final" } }, onDone: "a" } as const;
    const t = drive({ states: { w: { on: { go: "a" } }, a, b } }).start();
    expect(t.refused(ask.event("go")).message).toEqual(naming("go", 1000, "MICROSTEPS_MAX"));
  });

  test("is not what many regions do in one step", () => {
    const region = { initial: "x", states: { x: { always: { guard: ready, target: "y" } }, y: {} } };
    const states = Object.fromEntries(Array.from({ length: 32 }, (_, n) => [`r${n}`, region]));
    const t = drive({ type: "parallel", states }).start().patch({ ready: true });
    expect(t.state.position.states).toHaveLength(32);
    expect(t.state.position.states.every((path) => path.endsWith(".y"))).toBe(true);
  });
});
