// Transitions to history states: which of several is taken, which states are left and entered, and when the machine is
// stable.
import { describe, expect, test } from "vitest";
import { verify } from "#test/kernel/verify/at-once.ts";
import { action, drive, machine } from "#test/support/drive.ts";

const past = { type: "history" } as const;
const deepPast = { type: "history", history: "deep" } as const;
const flat = { initial: "x", states: { x: { on: { step: "y" } }, y: {} } } as const;

describe("of two regions that take one event", () => {
  const back = { initial: "x", states: { x: { on: { step: "y", both: "#p.past" } }, y: { on: { both: "#p.past" } } } };
  const on = { initial: "x", states: { x: { on: { step: "y", both: "y" } }, y: { on: { both: "x" } } } };
  const around = (first: object, second: object) => ({
    states: {
      p: {
        initial: "q",
        states: { q: { type: "parallel", states: { r: first, s: second } }, past: deepPast },
        on: { leave: "o" },
      },
      o: { on: { back: "#p.past" } },
    },
  });
  const left = (first: object, second: object) =>
    drive(around(first, second) as never)
      .start()
      .event("leave")
      .event("back");

  test("the first one goes to the deep history of the state around both", () => {
    expect(left(back, on).event("both").at).toBe("p.q.r.x, p.q.s.x");
  });

  test("the second one would", () => {
    expect(left(on, back).event("both").at).toBe("p.q.r.y, p.q.s.x");
  });

  test("one goes back where it is, the other one into the first region: the first one is taken", () => {
    const r = { initial: "x", states: { x: { on: { go: "past" } }, y: {}, past } };
    const t = drive({
      type: "parallel",
      states: { r, q: { on: { go: "#r.y" } } },
      actions: [action("a", { triggerState: "r.y" })],
    });
    const after = t.start().event("go");
    expect([after.at, after.runs()]).toEqual(["r.x, q", []]);
  });
});

describe("a transition to history alone", () => {
  const b = { initial: "x", states: { x: { always: "#p.past" }, own: past } } as const;
  const p = { initial: "b", states: { b, past: { ...deepPast, target: "#p.b.x" } } } as const;

  test("is stable if it leads to the active state, although a state on the path has a history", () => {
    expect(verify(machine({ states: { p } }))).toEqual([]);
    expect(drive({ states: { p } }).start().at).toBe("p.b.x");
  });

  test("goes round without end where leaving a state on the way changes a variable", () => {
    const counting = { ...b, exit: [{ assign: { n: { "+": [{ var: "execution.variables.n" }, 1] } } }] };
    const states = { p: { ...p, states: { ...p.states, b: counting } } };
    expect(verify(machine({ states, variables: { n: 0 } })).map(({ code }) => code)).toEqual(["endless_loop"]);
  });

  test("goes round without end where what XState leaves has a history of its own", () => {
    const states = { p: { initial: "b", states: { b, past: deepPast } } } as const;
    expect(verify(machine({ states })).map(({ code }) => code)).toEqual(["endless_loop"]);
  });
});

test("what a way back only passes through keeps its own history", () => {
  const b = { initial: "x", states: { x: { on: { step: "y" } }, y: { on: { again: "#p.past" } }, own: past } } as const;
  const states = {
    p: { initial: "b", states: { b, past: { ...deepPast, target: "#p.b.y" } }, on: { leave: "o" } },
    o: { on: { back: "#p.b.own" } },
  } as const;
  const t = drive({ states, actions: [action("in", { triggerState: "p.b" })], concurrency: 9 }).start();
  expect(t.event("step").event("again").state.position).toMatchObject({ history: {}, states: ["p.b.y"] });
  expect(t.runs()).toEqual(["in canceled", "in queued"]);
  expect(t.event("leave").state.position).toMatchObject({ history: { "m.p.b.own": ["m.p.b.y"] } });
});

test("a default in one region, beside a region that moves: each state is left before it is entered again", () => {
  const r = { ...flat, on: { go: "r" } } as const;
  const s = { initial: "x", states: { x: { on: { step: "y" } }, y: { on: { go: "#past" } } } } as const;
  const states = { q: { type: "parallel", states: { r, s } }, past: { ...deepPast, target: "#q.s.x" } } as const;
  const t = drive({ states }).start().event("step").event("go");
  expect(t.at).toBe("q.r.x, q.s.y");
});

test("states are left from the inside out; the state itself only if the transition enters it again", () => {
  const noting = (name: string) => [{ assign: { left: { cat: [{ var: "execution.variables.left" }, name] } } }];
  const c = { ...flat, exit: noting("c"), states: { x: { exit: noting("x"), on: { again: "#p.past" } }, y: {} } };
  const b = { initial: "c", exit: noting("b"), states: { c } };
  const p = { initial: "b", exit: noting("p"), states: { b, past: { ...deepPast, target: "#p.b.c.x" } } } as const;
  const states = { p: { ...p, on: { anew: { target: ".past", reenter: true } } } };
  const t = drive({ states, variables: { left: "" } }).start();
  expect(t.event("again").state.variables).toEqual({ left: "xcb" });
  expect(t.event("anew").state.variables).toEqual({ left: "xcbxcbp" });
});
