// The event types that a position accepts: the wildcard, and events that are early or late.
import { describe, expect, test } from "vitest";
import { openWork } from "#kernel/computing/work.ts";
import { compile } from "#kernel/programs/compile.ts";
import { action, drive, machine, minute } from "#test/support/drive.ts";

describe("the wildcard", () => {
  const t = () =>
    drive({
      after: { PT1M: { assign: { waited: true } } },
      states: { a: { on: { "*": "b", go: "c" } }, b: { on: { x: "a" } }, c: { on: { x: "a" } } },
      actions: [action("mail", { triggerState: "a" })],
    }).start();

  test("takes what nothing else takes", () => {
    expect(t().event("anything").at).toBe("b");
    expect(t().event("go").at).toBe("c");
  });

  test("takes results of runs", () => {
    expect(t().ok("mail").at).toBe("b");
  });

  test("takes neither timers nor patches: they are no messages", () => {
    expect(t().tickAt(minute).at).toBe("a");
    expect(t().patch({ n: 1 }).at).toBe("a");
  });
});

describe("the timing of an event", () => {
  const definition = machine({
    states: {
      a: { on: { now: "b" } },
      b: { on: { go: { target: "#p.one.x" } } },
      p: {
        type: "parallel",
        states: {
          one: { initial: "w", states: { w: {}, x: { on: { inOne: "#c.last" } } } },
          two: { initial: "y", states: { y: { on: { inTwo: {} } } } },
        },
      },
      n: { initial: "m", states: { m: { on: { inside: "f" } }, f: { type: "final" } }, onDone: "o" },
      o: { on: { afterDone: "z" } },
      c: { initial: "d", states: { d: {}, e: { on: { inHistory: "#z" } }, last: { type: "history" } } },
      z: {},
    },
  });
  test.each([
    // type          in a       in p                in c.e   in z      in n.m
    ["now", "now", "late", "late", "late", "late"],
    ["go", "later", "late", "late", "late", "late"],
    ["inOne", "later", "now", "late", "late", "late"],
    ["inTwo", "later", "now", "late", "late", "late"],
    ["inHistory", "later", "later", "now", "late", "late"],
    ["afterDone", "late", "late", "late", "late", "later"],
    ["nowhere", "unknown", "unknown", "unknown", "unknown", "unknown"],
    ["toString", "unknown", "unknown", "unknown", "unknown", "unknown"],
  ])("%s", (type, ...expected) => {
    const { program, state } = drive(definition).start();
    const places = [["a"], ["p.one.x", "p.two.y"], ["c.e"], ["z"], ["n.m"]];
    expect(places.map((states) => program.eventTiming({ ...state.position, states }, type))).toEqual(expected);
  });
});

test("the accepted events follow from the definition: the machine is compiled at the first move", () => {
  let made = 0;
  const open = {
    on: { go: "done" },
    // Evaluated by the machine only.
    get entry() {
      made += 1;
      return [];
    },
  };
  const states = { open, done: { type: "final" as const } };
  const program = compile({ ...machine({ initial: "open", states: { open: {} } }), states });
  const position = { kind: "machine", value: "open", history: {}, states: ["open"], done: false } as const;
  expect(program.waitsFor(position)).toEqual(["go"]);
  expect(program.eventTiming(position, "go")).toBe("now");
  expect(made).toBe(0);
  for (const _ of [1, 2, 3]) program.begin({}, {}, openWork(), { now: 0, planned: 0 });
  expect(made).toBe(1);
});

test("an event for where a history state leads without a history is early", () => {
  const p = { initial: "x", states: { x: {}, past: { type: "history" as const, target: "#b" } } };
  const { program, state } = drive({ states: { a: { on: { go: "#p.past" } }, b: { on: { later: "a" } }, p } }).start();
  expect(program.eventTiming(state.position, "later")).toBe("later");
});
