// Nested and parallel states, history, and the end of a machine.
import { describe, expect, test } from "vitest";
import { action, ask, drive } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

describe("nested and parallel states", () => {
  const order = {
    states: {
      work: {
        type: "parallel",
        states: {
          pay: { initial: "open", states: { open: { on: { paid: "done" } }, done: { type: "final" } } },
          ship: { initial: "open", states: { open: { on: { shipped: "done" } }, done: { type: "final" } } },
        },
        onDone: {
          target: "end",
          guard: { "==": [{ var: "message.type" }, "shipped"] },
          assign: { by: { var: "message.type" } },
        },
      },
      end: { type: "final" },
    },
  } as const;

  test("regions move on their own, and onDone is taken when all are done", () => {
    const t = drive(order).start();
    expect(t.at).toBe("work.pay.open, work.ship.open");
    expect(t.event("paid").at).toBe("work.pay.done, work.ship.open");
    expect(t.event("shipped").state).toMatchObject({ status: "completed", variables: { by: "shipped" } });
  });

  test("an action's triggerState is a path", () => {
    const t = drive({ ...order, actions: [action("label", { triggerState: "work.ship.done" })] }).start();
    expect(t.runs()).toEqual([]);
    expect(t.event("shipped").runs()).toEqual(["label queued"]);
  });

  test("a region without states of its own counts as standing in itself", () => {
    const t = drive({
      type: "parallel",
      states: { a: { on: { x: {} } }, b: { initial: "c", states: { c: {} } } },
    }).start();
    expect(t.at).toBe("a, b.c");
  });

  test.each([
    ["shallow", "work.two.x"],
    ["deep", "work.two.y"],
  ] as const)("%s history comes back to %s", (history, back) => {
    const t = drive({
      states: {
        work: {
          initial: "one",
          states: {
            one: { on: { next: "two" } },
            two: { initial: "x", states: { x: { on: { next: "y" } }, y: {} } },
            last: { type: "history", history, target: "two" },
          },
          on: { stop: "rest" },
        },
        rest: { on: { go: "#work.last" } },
      },
    }).start();
    t.event("next").event("next").event("stop");
    expect(t.state.position).toHaveProperty("history", {
      "m.work.last": [history === "deep" ? "m.work.two.y" : "m.work.two"],
    });
    expect(t.event("go").at).toBe(back);
  });

  test("history without a past goes to its default", () => {
    const work = {
      initial: "one",
      states: { one: {}, two: { on: { x: "one" } }, last: { type: "history", target: "two" } },
    } as const;
    expect(
      drive({ states: { rest: { on: { go: "#work.last" } }, work } })
        .start()
        .event("go").at,
    ).toBe("work.two");
  });
});

describe("the end", () => {
  test("a final state's own actions still run before it completes", () => {
    const t = drive({
      after: { PT1H: ".b" },
      exit: ["bye"],
      states: { a: { on: { go: "b" } }, b: { type: "final" } },
      actions: [
        action("thanks", { triggerState: "b" }),
        action("bye"),
        action("daily", { triggerState: "b", schedule: "0 9 * * *" }),
      ],
    }).start();
    expect(t.event("go").runs()).toEqual(["thanks queued", "bye scheduled"]);
    expect(t.timers()).toEqual({});
    expect(t.status).toBe("active");
    expect(t.ok("thanks").status).toBe("active");
    expect(t.ok("bye").status).toBe("completed");
    expect(t.newLines().at(-1)).toBe("completed");
  });

  test("a machine that is done listens no more", () => {
    const t = drive({
      on: { again: ".a", "*": ".a", "action.thanks.ok": ".a" },
      states: { a: { on: { go: "b" } }, b: { type: "final" } },
      actions: [action("thanks", { triggerState: "b" })],
    })
      .start()
      .event("go");
    expect(t.refused(ask.event("again")).code).toBe("event_too_late");
    expect(t.program.waitsFor(t.state.position)).toEqual([]);
    expect(t.ok("thanks").state).toMatchObject({ status: "completed", position: { states: ["b"] } });
  });

  test("a region that is left and entered again on the way to the end starts its actions anew", () => {
    const t = drive({
      type: "parallel",
      states: {
        one: { initial: "a", states: { a: {}, z: { type: "final" } }, on: { end: { target: ".z", reenter: true } } },
        two: { initial: "z", states: { z: { type: "final" } } },
      },
      actions: [action("mail", { triggerState: "one" })],
    }).start();
    expect(t.event("end").runs()).toEqual(["mail canceled", "mail queued"]);
    expect(t.ok("mail").status).toBe("completed");
  });

  test("outcome: failed makes the execution failed, with the state in its error", () => {
    const t = drive({ states: { a: { on: { go: "b" } }, b: { type: "final", outcome: "failed" } } })
      .start()
      .event("go");
    expect(t.state).toMatchObject({ status: "failed", error: { type: "machine_failed", message: naming("b") } });
    expect(t.newLines().at(-1)).toBe("failed: machine_failed");
  });

  test("a machine may be done as soon as it starts", () => {
    expect(drive({ states: { a: { type: "final" } } }).start().status).toBe("completed");
  });

  test("nothing left to wait for is a failure, not a silence", () => {
    const t = drive({ states: { a: { on: { go: "b" } }, b: {} } })
      .start()
      .event("go");
    expect(t.state).toMatchObject({ status: "failed", error: { type: "stuck" } });
  });

  test("a state that only listens for a finished run's result is stuck", () => {
    const t = drive({
      states: { a: { on: { "action.mail.failed": "b" } }, b: { type: "final" } },
      actions: [action("mail", { triggerState: "a" })],
    }).start();
    expect(t.ok("mail").state.error?.type).toBe("stuck");
  });
});
