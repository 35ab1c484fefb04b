// Which region accepted a failure, and which waits for the action's success: parallel regions, and the same action
// started again.
import { describe, expect, test } from "vitest";
import { isHandled } from "#schema/engine/run.ts";
import { action, ask, drive, hour, T0 } from "#test/support/drive.ts";

const once = { retryPolicy: { maxAttempts: 1 } };
const ship = action("ship", { triggerState: "parcel.shipping", ...once });
const refund = action("refund", { triggerState: "parcel.refunding", ...once });
type Part = Parameters<typeof drive>[0];
type Node = Part["states"][string];

const parcel: Node = {
  initial: "shipping",
  states: {
    shipping: { on: { "action.ship.ok": "shipped", "action.ship.failed": "refunding" } },
    refunding: { on: { "action.refund.ok": "refunded" } },
    needs_attention: { on: { "action.ship.ok": "shipped", "order.canceled": "refunding" } },
    shipped: { type: "final" },
    refunded: { type: "final" },
  },
};
const mails: Node = {
  initial: "silent",
  states: { silent: { on: { "action.ship.ok": "told", "action.ship.failed": {} } }, told: { type: "final" } },
};
const without = (node: Node, state: string, type: string): Node => {
  const { [type]: _gone, ...on } = node.states?.[state]?.on ?? {};
  return { ...node, states: { ...node.states, [state]: { ...node.states?.[state], on } } };
};
const withOn = (node: Node, state: string, on: NonNullable<Node["on"]>): Node => ({
  ...node,
  states: { ...node.states, [state]: { ...node.states?.[state], on: { ...node.states?.[state]?.on, ...on } } },
});
const beside = (regions: Part["states"], more: Partial<Part> = {}) =>
  drive({ type: "parallel", states: regions, actions: [ship, refund], ...more })
    .start()
    .miss("ship");

describe("in regions beside each other", () => {
  test("a listener for the success in another region does not wait for a retry", () => {
    const t = beside({ parcel, mails: without(mails, "silent", "action.ship.failed") });
    expect(t.run("ship")).toMatchObject({ heard: { took: ["parcel.refunding"] }, handledAt: T0 });
    expect(t.refused(ask.retry("1.0"))).toMatchObject({
      code: "run_not_startable",
      details: { handled: { event: "action.ship.failed" } },
    });
  });

  test("who takes note of a failure elsewhere has not taken care of it where it happened", () => {
    const t = beside({
      parcel: without(parcel, "shipping", "action.ship.failed"),
      mails: withOn(mails, "silent", { "action.ship.failed": { assign: { missed: true } } }),
    });
    expect(t.run("ship").heard).toMatchObject({ took: ["mails.silent"] });
    expect(isHandled(t.run("ship"))).toBe(false);
    expect(t.retry("ship").ok("ship").state.position.states).toEqual(["mails.told", "parcel.shipped"]);
  });

  test("it waits where one of those that took it waits, until that one has gone on as well", () => {
    const t = beside({
      parcel,
      mails: {
        initial: "silent",
        states: {
          silent: { on: { "action.ship.failed": "asking" } },
          asking: { on: { "action.ship.ok": "told", "answer.received": "told" } },
          told: { type: "final" },
        },
      },
    });
    expect(isHandled(t.run("ship"))).toBe(false);
    expect(isHandled(t.event("answer.received").run("ship"))).toBe(true);
  });

  test("it waits in the region that it happened in, whatever the others listen for", () => {
    const t = beside({
      parcel: withOn(parcel, "shipping", { "action.ship.failed": "needs_attention" }),
      mails: without(mails, "silent", "action.ship.failed"),
    });
    expect(isHandled(t.run("ship"))).toBe(false);
    expect(isHandled(t.event("order.canceled").run("ship"))).toBe(true);
  });

  test("a handler above all regions has taken it to where it leads", () => {
    const t = beside(
      {
        parcel: without(parcel, "shipping", "action.ship.failed"),
        mails: without(mails, "silent", "action.ship.failed"),
      },
      { on: { "action.ship.failed": "#parcel.refunding" } },
    );
    expect(t.run("ship").heard).toMatchObject({ took: ["parcel.refunding"] });
    expect(isHandled(t.run("ship"))).toBe(true);
  });

  test("one recorded without its regions waits while a region listens", () => {
    const t = beside({
      parcel: withOn(parcel, "shipping", { "action.ship.failed": "needs_attention" }),
      mails: without(mails, "silent", "action.ship.failed"),
    });
    const heard = { event: "action.ship.failed", state: "parcel.needs_attention, mails.silent", at: T0 };
    t.become({ ...t.state, runs: t.state.runs.map((run) => ({ ...run, heard })) });
    expect(isHandled(t.event("order.canceled").run("ship"))).toBe(false);
  });
});

describe("waiting for the success is not", () => {
  test("listening for everything", () => {
    const t = drive({
      on: { "*": { assign: { seen: true } } },
      states: { shipping: { on: { "action.ship.failed": "refunding" } }, refunding: { on: { x: "refunding" } } },
      actions: [action("ship", { triggerState: "shipping", ...once })],
    });
    expect(isHandled(t.start().miss("ship").run("ship"))).toBe(true);
  });

  test("listening for the success of the same action, begun anew", () => {
    const t = drive({
      states: {
        shipping: { on: { "action.ship.ok": "shipped", "action.ship.failed": { target: "shipping", reenter: true } } },
        shipped: { type: "final" },
      },
      actions: [action("ship", { triggerState: "shipping", ...once })],
    }).start();
    t.miss("ship");
    const [first, second] = t.state.runs;
    expect([first && isHandled(first), second?.status]).toEqual([true, "queued"]);
    expect(t.refused(ask.retry("1.0"))).toMatchObject({ code: "run_not_startable" });
    expect(t.ok("ship").status).toBe("completed");
  });

  test("having been canceled", () => {
    const t = drive({
      states: {
        shipping: { on: { "action.ship.failed": "needs_attention" } },
        needs_attention: { on: { "action.ship.ok": "shipped" } },
        shipped: { type: "final" },
      },
      actions: [action("ship", { triggerState: "shipping", ...once })],
    }).start();
    expect(isHandled(t.miss("ship").run("ship"))).toBe(false);
    expect(isHandled(t.cancel().run("ship"))).toBe(true);
  });
});

test("a failure after which only an eventless transition followed is not handled, although a handler refused it", () => {
  const t = drive({
    states: {
      shipping: {
        on: { "action.ship.failed": { guard: false, target: "refunding" } },
        always: { guard: { "==": [{ var: "action.failed" }, true] }, target: "refunding" },
      },
      refunding: { on: { x: "refunding" } },
    },
    actions: [action("ship", { triggerState: "shipping", ...once })],
  }).start();
  expect(t.miss("ship").at).toBe("refunding");
  expect(t.run("ship")).not.toHaveProperty("heard");
});

describe("a handled failure is nothing to wait for", () => {
  const dead = {
    states: {
      shipping: { on: { "action.ship.ok": "shipped", "action.ship.failed": "given_up" } },
      given_up: {},
      shipped: { type: "final" as const },
    },
    actions: [action("ship", { triggerState: "shipping", ...once })],
  };

  test("so its machine is stuck where nothing else can move it, and says so", () => {
    const t = drive(dead).start().miss("ship");
    expect([t.status, t.state.error?.type]).toEqual(["failed", "stuck"]);
    expect(t.newLines()).toContain("run_handled 1.0 ship: action.ship.failed → given_up");
  });

  test("and not, where a timer still moves it", () => {
    const t = drive({ ...dead, states: { ...dead.states, given_up: { after: { PT1H: "shipped" } } } }).start();
    expect(t.miss("ship").status).toBe("waiting");
    expect(t.tickAt(hour).status).toBe("completed");
  });
});
