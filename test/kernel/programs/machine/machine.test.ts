// The meaning of a machine definition: transitions, guards, assignments, eventless transitions.
import { describe, expect, test } from "vitest";
import { MICROSTEPS_MAX, VARIABLES_BYTES_MAX } from "#schema/limits/executions.ts";
import { action, ask, drive, hour, T0 } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

const variable = (name: string) => ({ var: `execution.variables.${name}` });

describe("moving", () => {
  test("an event takes a transition, and says so", () => {
    const t = drive({ states: { a: { on: { go: "b" } }, b: { on: { back: "a" } } } }).start();
    expect(t.event("go").at).toBe("b");
    expect(t.newLines()).toEqual(["started", "moved - > a by start", "event_received go", "moved a > b by go"]);
  });

  test("the first transition whose guard passes is taken", () => {
    const go = [
      { guard: { ">": [{ var: "message.payload.amount" }, 100] }, target: "large" },
      { guard: '{"==": [{"var": "message.payload.amount"}, 0]}', target: "none" },
      { target: "small" },
    ];
    const states = {
      a: { on: { go } },
      large: { type: "final" },
      none: { type: "final" },
      small: { type: "final" },
    } as const;
    expect(drive({ states }).start().event("go", { amount: 500 }).at).toBe("large");
    expect(drive({ states }).start().event("go", { amount: 0 }).at).toBe("none");
    expect(drive({ states }).start().event("go", { amount: 5 }).at).toBe("small");
  });

  test("assignments see the message, and each other's result one after the other", () => {
    const t = drive({
      variables: { total: 1 },
      states: {
        a: {
          entry: [{ assign: { total: { "+": [variable("total"), 1] } } }],
          exit: [{ assign: { total: { "*": [variable("total"), 10] } } }],
          on: { add: { target: "b", assign: { total: { "+": [variable("total"), { var: "message.payload" }] } } } },
        },
        b: { on: { end: "a" } },
      },
    }).start();
    expect(t.state.variables).toEqual({ total: 2 });
    expect(t.event("add", 5).state.variables).toEqual({ total: 25 });
    expect(t.newLines()).toContain('assigned {"total":25}');
  });

  test("an assignment that changes nothing is not told", () => {
    const t = drive({ variables: { n: 1 }, states: { a: { on: { set: { assign: { n: 1 } } } } } }).start();
    t.newLines();
    expect(t.event("set").newLines()).toEqual(["event_received set"]);
  });

  test("guards read the current state and the time", () => {
    const guard = {
      and: [{ "==": [{ var: "currentState" }, "a"] }, { "==": [{ var: "now" }, new Date(T0).toISOString()] }],
    };
    expect(
      drive({ states: { a: { on: { go: { guard, target: "b" } } }, b: { on: { x: "a" } } } })
        .start()
        .event("go").at,
    ).toBe("b");
  });

  test("targets are siblings, children, or paths from the top", () => {
    const t = drive({
      states: {
        a: { initial: "x", states: { x: { on: { sibling: "y", top: "#b.z" } }, y: {} }, on: { child: ".x" } },
        b: { initial: "w", states: { w: { on: { go: "#a" } }, z: { on: { go: "#a" } } } },
      },
    }).start();
    expect([t.at, t.event("sibling").at, t.event("child").at, t.event("top").at]).toEqual(["a.x", "a.y", "a.x", "b.z"]);
  });

  test("for the root a sibling is one of its own states", () => {
    const t = drive({ on: { go: "b" }, states: { a: {}, b: {} } }).start();
    expect(t.event("go").at).toBe("b");
  });

  test("reenter leaves and enters the state again; without it the state stays", () => {
    const t = drive({
      states: { a: { on: { stay: { target: "a" }, again: { target: "a", reenter: true } } } },
      actions: [action("mail", { triggerState: "a" })],
    }).start();
    expect(t.event("stay").runs()).toEqual(["mail queued"]);
    expect(t.event("again").runs()).toEqual(["mail canceled", "mail queued"]);
  });

  test("a state with an empty transition keeps an event from the states above it", () => {
    const t = drive({ on: { go: ".b" }, states: { a: { on: { go: {} } }, b: { on: { back: "a" } } } }).start();
    expect(t.event("go").at).toBe("a");
  });

  test("an event whose transition does nothing is taken: nothing guards it", () => {
    const t = drive({ states: { a: { on: { ping: {} } } } })
      .start()
      .event("ping");
    expect([t.at, t.newLines().at(-1)]).toEqual(["a", "event_received ping"]);
  });
});

describe("always", () => {
  test("eventless transitions are taken on the way", () => {
    const t = drive({
      states: {
        a: { always: "b" },
        b: { always: [{ guard: variable("far"), target: "c" }], on: { x: "a" } },
        c: { on: { x: "a" } },
      },
    });
    expect(t.start({ far: false }).at).toBe("b");
    expect(t.newLines()).toEqual(["started", "moved - > b by start"]);
  });

  test("a run's result rechecks them, although no state listens for it", () => {
    const t = drive({
      states: { a: { always: { guard: { var: "action.succeeded" }, target: "b" } }, b: { type: "final" } },
      actions: [action("mail", { triggerState: "a" })],
    }).start();
    expect(t.ok("mail").status).toBe("completed");
  });

  test("an endless loop is refused to the client that would cause it, and fails an execution that reaches it automatically", () => {
    const a = { on: { go: "b" }, after: { PT1H: "b" } };
    const t = drive({ states: { a, b: { always: "c" }, c: { always: "b" } } }).start();
    expect(t.refused(ask.event("go")).code).toBe("event_not_accepted");
    t.tickAt(hour);
    expect(t.state).toMatchObject({ status: "failed", error: { type: "invalid_configuration" } });
    expect(t.state.error?.message).toEqual(naming(MICROSTEPS_MAX, "MICROSTEPS_MAX"));
  });

  test("a loop without end at the start lets nothing start", () => {
    const refusal = drive({ states: { a: { always: "b" }, b: { always: "a" } } }).refused(ask.start());
    expect(refusal).toMatchObject({ code: "invalid_input", message: naming(MICROSTEPS_MAX, "MICROSTEPS_MAX") });
  });

  test.each([
    ["a guard", { guard: { "+": ["x"] }, target: "b" }, naming()],
    ["an assignment", { assign: { n: { "+": ["x"] } } }, naming("n")],
  ] as const)("%s that cannot be evaluated refuses an event, and fails an automatic step", (_what, go, message) => {
    const t = drive({ states: { a: { on: { go }, after: { PT1H: go } }, b: {} } }).start();
    expect(t.refused(ask.event("go"))).toMatchObject({ code: "event_not_accepted", message: naming("go") });
    expect(t.status).toBe("waiting");
    t.tickAt(hour);
    expect(t.status).toBe("failed");
    expect(t.state.error).toMatchObject({ type: "invalid_configuration", message });
  });

  test("a patch that makes a rule fall is refused", () => {
    const always = { guard: { ">": [{ "+": [variable("amount")] }, 10] }, target: "b" };
    const t = drive({ states: { a: { always, on: { x: "b" } }, b: { type: "final" } } }).start({ amount: 1 });
    expect(t.refused(ask.patch({ amount: "many" }))).toMatchObject({ code: "invalid_input" });
    expect(t.patch({ amount: 11 }).status).toBe("completed");
  });

  test("variables that would outgrow their limit are refused, and not kept", () => {
    const grow = { assign: { text: { cat: [variable("text"), variable("text")] } } };
    const text = "ä".repeat(VARIABLES_BYTES_MAX / 4);
    const t = drive({ states: { a: { on: { grow } } } }).start({ text });
    expect(t.refused(ask.event("grow")).message).toEqual(naming(262_144, "VARIABLES_BYTES_MAX"));
    expect(t.state.variables).toEqual({ text });
  });
});

describe("broken", () => {
  test("a definition that was never verified is our own bug, and loud", () => {
    const astray = drive({ states: { a: { on: { go: "nowhere" } } } });
    expect(() => astray.start()).toThrow("nowhere");
    expect(() => drive({ states: { a: { entry: ["nobody"] } } }).start()).toThrow("nobody");
  });
});
