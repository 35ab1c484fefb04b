// A child that failed because of an action, and a parent that accepted the failure: the action is not retried
// afterwards.
import { describe, expect, test } from "vitest";
import { isHandled } from "#schema/engine/run.ts";
import { action, ask, day, drive, minute, T0 } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

const parent = { execution: "exe_parent", run: "2.0", action: "begin", incarnation: 0 };
const took = { took: "refunding" };
const once = { retryPolicy: { maxAttempts: 1 } };
const shipping = (more: object = {}) =>
  drive({
    retention: "P1D",
    states: { packing: { on: { "action.ship.ok": "shipped" } }, shipped: { type: "final" } },
    actions: [
      action("note", { triggerState: "packing", ...once, priority: 90 }),
      action("ship", { triggerState: "packing", ...once, onExhausted: "fail", ...more }),
    ],
  })
    .take(ask.start({}, { parent }))
    .miss("note")
    .miss("ship");

describe("a failure that failed a child", () => {
  test("is handled once its parent has taken the child's, which the journal and refusals say", () => {
    const t = shipping();
    expect([t.status, isHandled(t.run("ship"))]).toEqual(["failed", false]);
    t.newLines();
    t.take(ask.parentNotified(null, took));
    const heard = { event: "child_failed", state: "refunding", at: T0, by: "exe_parent" };
    expect(t.run("ship")).toMatchObject({ deadLetter: true, heard, handledAt: T0 });
    expect(t.newLines()).toContain("run_handled 1.1 ship: child_failed → refunding");
    expect(t.refused(ask.retry("1.1"))).toMatchObject({
      code: "run_not_startable",
      message: naming("1.1", "2026-01-05T09:00:00.000Z", "exe_parent", "child_failed", "refunding"),
    });
    expect(t.retry("ship", { force: true }).run("ship")).toMatchObject({ status: "queued", heard: null });
  });

  test("keeps its history no longer than anything else", () => {
    const t = shipping().archive("note").take(ask.parentNotified(null, took));
    expect(t.tickAt(day).effects).toContainEqual({ kind: "purge" });
  });

  test("waits for a person where its parent did not take it", () => {
    expect(isHandled(shipping().take(ask.parentNotified("event_too_late")).run("ship"))).toBe(false);
    expect(isHandled(shipping().take(ask.parentNotified(null)).run("ship"))).toBe(false);
  });

  test("is not what else failed in the child, nor what was sent again before the parent was heard of", () => {
    expect(isHandled(shipping().take(ask.parentNotified(null, took)).run("note"))).toBe(false);
    const again = shipping().retry("ship").take(ask.parentNotified(null, took));
    expect(again.run("ship")).toMatchObject({ status: "queued", deadLetter: false });
    const failedAgain = shipping().retry("ship").clock(minute).miss("ship").take(ask.parentNotified(null, took));
    expect(isHandled(failedAgain.run("ship"))).toBe(false);
  });

  test("is none in a child that a person canceled", () => {
    const t = shipping({ onExhausted: "deadLetter" }).cancel().take(ask.parentNotified(null, took));
    expect(isHandled(t.run("ship"))).toBe(false);
  });
});
