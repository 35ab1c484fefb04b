// A failure that the machine accepted: it needs no operator and is not retried automatically.
import { describe, expect, test } from "vitest";
import { isHandled } from "#schema/engine/run.ts";
import { action, ask, day, drive, minute, T0 } from "#test/support/drive.ts";
import { naming, notNaming } from "#test/support/matchers/naming.ts";

const once = { retryPolicy: { maxAttempts: 1 } };
const ship = action("ship", { triggerState: "shipping", ...once });
const refund = action("refund", { triggerState: "refunding", ...once });
const states = {
  shipping: { on: { "action.ship.ok": "shipped", "action.ship.failed": "refunding" } },
  refunding: { on: { "action.refund.ok": "refunded" } },
  shipped: { type: "final" as const },
  refunded: { type: "final" as const },
};
const order = (more: object = {}) =>
  drive({ retention: "P2D", initial: "shipping", states: { ...states, ...more }, actions: [ship, refund] }).start();
const failedShipping = (more?: object) => order(more).miss("ship");

describe("a failure that moved the machine", () => {
  test("is handled, and the journal says what was heard and where it went", () => {
    const t = failedShipping();
    const heard = { event: "action.ship.failed", state: "refunding", at: T0 };
    expect(t.run("ship")).toMatchObject({ status: "failed", deadLetter: true, heard, handledAt: T0 });
    expect(t.newLines()).toContain("run_handled 1.0 ship: action.ship.failed → refunding");
  });

  test("keeps nothing waiting: its execution's history goes when its retention is over", () => {
    const t = failedShipping().ok("refund");
    expect([t.status, t.state.retainUntil]).toEqual(["completed", T0 + 2 * day]);
    expect(t.tickAt(2 * day).effects).toContainEqual({ kind: "purge" });
  });

  test("goes with the history of its execution, however long that is kept; while it lives, a dead letter lies a month", () => {
    const ended = drive({ retention: "P60D", states, actions: [ship, refund] })
      .start()
      .miss("ship")
      .ok("refund");
    expect(ended.tickAt(31 * day).run("ship").deadLetter).toBe(true);
    expect(
      failedShipping()
        .tickAt(30 * day)
        .run("ship"),
    ).toMatchObject({ deadLetter: false, handledAt: T0 });
  });

  test("is refused to who sends it again, with what was done since", () => {
    const t = failedShipping().ok("refund");
    expect(t.refused(ask.retry("1.0"))).toMatchObject({
      code: "run_not_startable",
      message: naming("1.0", "2026-01-05T09:00:00.000Z", "action.ship.failed", "refunding", "refunded"),
      hint: naming('"force": true'),
      details: {
        handled: { event: "action.ship.failed", state: "refunding", states: ["refunded"], status: "completed" },
      },
    });
    expect(failedShipping().refused(ask.retry("1.0"))).toMatchObject({ message: notNaming("refunded") });
  });

  test("is sent again by force, says so, and is handled no longer", () => {
    const t = failedShipping()
      .ok("refund")
      .take(ask.retry("1.0", { force: true }));
    const redriven = t.entries.find(({ kind }) => kind === "run_redriven");
    expect(redriven).toMatchObject({ run: "1.0", forced: true });
    expect(t.run("ship")).toMatchObject({ deadLetter: false, heard: null, handledAt: null });
    expect(t.ok("ship").run("ship")).toMatchObject({ status: "ok", deadLetter: false });
  });

  test("waits for an operator if it fails again and no state listens any more", () => {
    const t = failedShipping()
      .ok("refund")
      .take(ask.retry("1.0", { force: true }))
      .miss("ship");
    expect(t.run("ship")).toMatchObject({ deadLetter: true, heard: null, handledAt: null });
    expect(t.retry("ship").run("ship").status).toBe("queued");
  });

  test("forced on what is not handled is as if it were not said", () => {
    const t = drive({ states: { a: { on: { x: "a" } } }, actions: [action("mail", { triggerState: "a", ...once })] });
    t.start()
      .miss("mail")
      .take(ask.retry("1.0", { force: true }));
    expect(t.entries.find(({ kind }) => kind === "run_redriven")).not.toHaveProperty("forced");
  });

  test("turns out to have succeeded after all, late: then it is no failure", () => {
    const t = order();
    t.claim("ship");
    t.tickAt(10 * minute);
    expect(isHandled(t.run("ship"))).toBe(true);
    const done = { ok: true as const, result: null, events: [], startedAt: T0, endedAt: T0 };
    t.take(ask.settle("1.0", 1, done));
    expect(t.run("ship")).toMatchObject({ status: "ok", deadLetter: false, heard: null, handledAt: null });
  });

  test("can be archived like any other", () => {
    expect(failedShipping().archive("ship").run("ship")).toMatchObject({ deadLetter: false, handledAt: T0 });
  });
});

describe("taken is also", () => {
  test("what a state listens for and does nothing about", () => {
    const t = drive({
      states: { a: { on: { "action.mail.failed": {}, x: "a" } } },
      actions: [action("mail", { triggerState: "a", ...once })],
    }).start();
    expect(isHandled(t.miss("mail").run("mail"))).toBe(true);
  });

  test("the event of onExhausted", () => {
    const mail = action("mail", { triggerState: "a", ...once, onExhausted: { event: "give_up" } });
    const t = drive({ states: { a: { on: { give_up: "b" } }, b: { on: { x: "a" } } }, actions: [mail] }).start();
    expect(t.miss("mail").run("mail").heard).toMatchObject({ event: "give_up", state: "b" });
  });

  test("what was heard once a pause was over, and not before", () => {
    const t = order();
    t.claim("ship").pause();
    t.settle("ship", { ok: false, error: { type: "x", message: "no", retryable: false }, startedAt: T0, endedAt: T0 });
    expect(isHandled(t.run("ship"))).toBe(false);
    expect(isHandled(t.resume().run("ship"))).toBe(true);
  });
});

describe("not taken is", () => {
  const mail = (more: object = {}) => action("mail", { triggerState: "a", ...once, ...more });

  test.each<[string, object, object]>([
    ["an event without a listener", { a: { on: { x: "a" } } }, {}],
    ["what a guard says no to", { a: { on: { "action.mail.failed": { guard: false, target: "b" } } }, b: {} }, {}],
    ["what a pause comes before", { a: { on: { "action.mail.failed": "b" } }, b: {} }, { onExhausted: "pause" }],
    ["what fails the whole execution", { a: { on: { "action.mail.failed": "b" } }, b: {} }, { onExhausted: "fail" }],
    [
      "what only an eventless transition went on after",
      { a: { always: { guard: { "==": [{ var: "action.failed" }, true] }, target: "b" } }, b: { on: { x: "a" } } },
      {},
    ],
    [
      "a failed assignment",
      {
        a: { on: { "action.mail.failed": { target: "b", assign: { n: { "+": ["x", { var: "nowhere.at.all" }] } } } } },
        b: {},
      },
      {},
    ],
  ])("%s", (_what, part, more) => {
    const t = drive({ states: part as Parameters<typeof drive>[0]["states"], actions: [mail(more)] }).start();
    t.miss("mail", { retryable: false });
    expect(t.run("mail").deadLetter).toBe(true);
    expect(isHandled(t.run("mail"))).toBe(false);
  });

  test("a failure whose retry the machine awaits, until it has continued without it", () => {
    const t = failedShipping({
      shipping: { on: { "action.ship.failed": "needs_attention" } },
      needs_attention: { on: { "action.ship.ok": "shipped", "order.canceled": "refunding" } },
    });
    expect([t.at, isHandled(t.run("ship"))]).toEqual(["needs_attention", false]);
    const again = t.event("order.canceled");
    expect(again.run("ship")).toMatchObject({ heard: { state: "needs_attention" }, handledAt: T0 });
    expect(again.refused(ask.retry("1.0"))).toMatchObject({ message: naming("needs_attention", "refunding") });
  });

  test("an action on its own, whose machine is the engine's", () => {
    // The engine's own machine goes to a state that listens for a success: see one-action.test.ts.
    const t = failedShipping({
      shipping: { on: { "action.ship.failed": "failed" } },
      failed: { on: { "action.ship.ok": "shipped", "action.ship.archived": "refunded" } },
    });
    expect(isHandled(t.run("ship"))).toBe(false);
    expect(t.retry("ship").ok("ship").at).toBe("shipped");
  });
});
