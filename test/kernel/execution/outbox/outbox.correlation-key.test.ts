// The correlation key of an execution: when it changes, when it is sent to the directory, sent again and confirmed.
import { describe, expect, test } from "vitest";
import type { Command } from "#schema/engine/input.ts";
import { CORRELATION_KEY_CHARS_MAX, EARLIER_KEYS_MAX } from "#schema/limits/executions.ts";
import { action, ask, drive, hour, minute, T0, type Drive } from "#test/support/drive.ts";
import { naming, notNaming } from "#test/support/matchers/naming.ts";
import { messageOf, sendsOf } from "#test/support/outbox/messages.ts";

const key = { var: "execution.variables.order" };
const states = {
  a: { on: { go: "b", name: { assign: { order: { var: "message.payload" } } }, late: "b" } },
  b: { on: { last: "done" } },
  done: { type: "final" as const },
};
const begun = (order: string | number | boolean | null = "o-1") =>
  drive({ states, correlation: { key } }).start({ order });
const registered = (since: number, incarnation = T0): Command => ({
  kind: "confirmed",
  incarnation,
  items: [{ kind: "correlation_key", key: String(since) }],
});
const owed = (t: Drive) => messageOf(t.state, "correlation_key");
const sent = (t: Drive) => sendsOf(t, "correlation_key");
const confirm = (t: Drive) => t.take(registered(t.state.correlation?.since ?? 0));

describe("the key", () => {
  test.each([
    ["a text", "o-1", "o-1"],
    ["a number, as it is written", 17, "17"],
    ["none, where it is no text", true, null],
    ["none, where it is not there yet", null, null],
    ["none, where it is empty", "", null],
  ])("is %s", (_what, order, expected) => {
    const t = begun(order);
    expect([t.state.correlation?.key ?? null, sent(t)]).toEqual([expected, expected === null ? 0 : 1]);
  });

  test("that is too long is none, and the journal says why", () => {
    const t = begun("x".repeat(CORRELATION_KEY_CHARS_MAX + 1));
    expect(t.state.correlation).toBeUndefined();
    expect(t.entries.at(-1)).toMatchObject({ kind: "correlation_failed" });
  });

  test("whose rule breaks is none, and the journal says why", () => {
    const t = drive({ states, correlation: { key: { "+": [{ var: "execution.variables.order" }, 1] } } });
    t.start({ order: { a: 1 } });
    expect(t.state.correlation).toBeUndefined();
    expect(t.entries.some(({ kind }) => kind === "correlation_failed")).toBe(true);
  });

  test("is not looked for where the definition names none", () => {
    const t = drive({ states }).start({ order: "o-1" });
    expect([t.state.correlation, sent(t)]).toEqual([undefined, 0]);
  });
});

describe("the directory", () => {
  test("is notified at the start, and not again after it has confirmed", () => {
    const t = begun();
    expect(t.state.correlation).toEqual({ key: "o-1", since: 1, registered: ["o-1"] });
    expect(owed(t)).toEqual({ kind: "correlation_key", key: "1", sentAt: T0, tries: 1 });
    expect(t.wake).toBe(minute);
    confirm(t);
    expect([t.state.correlation?.registered, owed(t)]).toEqual([["o-1"], undefined]);
    expect(t.wake).toBeNull();
  });

  test("is notified again with growing gaps until it confirms", () => {
    const t = begun();
    t.tickAt(minute);
    expect([sent(t), owed(t)?.tries, t.wake]).toEqual([1, 2, minute + 5 * minute]);
    t.tickAt(2 * minute);
    expect(sent(t)).toBe(0);
    t.tickAt(6 * minute).tickAt(6 * minute + hour);
    expect(owed(t)?.tries).toBe(4);
  });

  test.each(["event", "patch"])("hears of a key that a %s changes, and of all it was known under", (by) => {
    const t = begun();
    t.take(by === "event" ? ask.event("name", "o-2") : ask.patch({ order: "o-2" }));
    expect(t.state.correlation).toMatchObject({ key: "o-2", registered: ["o-1", "o-2"] });
    expect([sent(t), t.entries.at(-1)?.kind]).toEqual([1, "correlated"]);
    confirm(t);
    expect(t.state.correlation?.registered).toEqual(["o-2"]);
  });

  test("is not told of other changes", () => {
    const t = begun();
    confirm(t);
    t.take(ask.patch({ other: 1 }));
    expect(sent(t)).toBe(0);
    t.take(ask.event("go"));
    expect(sent(t)).toBe(0);
  });

  test("that confirms an earlier key late has confirmed nothing", () => {
    const t = begun();
    const first = registered(t.state.correlation?.since ?? 0);
    t.take(ask.patch({ order: "o-2" })).take(ask.patch({ order: "o-1" }));
    t.take(first);
    expect(t.state.correlation).toMatchObject({ key: "o-1", registered: ["o-1", "o-2"] });
    expect(owed(t)).toBeDefined();
    confirm(t);
    expect([t.state.correlation?.registered, owed(t)]).toEqual([["o-1"], undefined]);
    t.take(first);
    expect(t.state.correlation?.registered).toEqual(["o-1"]);
  });

  test("that confirms an earlier life's has confirmed nothing", () => {
    const t = begun();
    t.take(registered(1, T0 - 1));
    expect(owed(t)).toBeDefined();
  });

  test("that is unavailable for long receives the last of many keys afterwards", () => {
    const t = begun("k0");
    for (let n = 1; n < EARLIER_KEYS_MAX + 5; n++) t.take(ask.patch({ order: `k${n}` }));
    expect(t.state.correlation).toMatchObject({ key: `k${EARLIER_KEYS_MAX - 1}` });
    expect(t.state.correlation?.registered).toHaveLength(EARLIER_KEYS_MAX);
    confirm(t);
    t.take(ask.patch({ other: 1 }));
    expect(t.state.correlation).toMatchObject({ key: `k${EARLIER_KEYS_MAX + 4}` });
  });

  test("learns of the end, and history waits for that", () => {
    const t = begun();
    confirm(t);
    t.take(ask.cancel());
    expect(t.state.correlation).toMatchObject({ key: null, registered: ["o-1"] });
    expect(sent(t)).toBe(1);
    expect(t.refused(ask.erase())).toMatchObject({ code: "execution_live" });
    const over = Number(t.state.retainUntil) - T0 + hour;
    t.tickAt(over);
    expect(t.effects.some(({ kind }) => kind === "purge")).toBe(false);
    confirm(t);
    t.tickAt(over + hour);
    expect(t.effects.some(({ kind }) => kind === "purge")).toBe(true);
  });

  test("is notified for a paused execution too, and while its tenant is suspended", () => {
    const t = begun();
    t.take(ask.pause());
    t.tickAt(minute);
    expect(sent(t)).toBe(1);
  });
});

describe("an early event", () => {
  const late = { a: { on: { go: "b" } }, b: { on: { last: "done" } }, done: { type: "final" as const } };

  test("is kept until a state listens for it", () => {
    const t = drive({ states: late, earlyEvents: "keep" }).start();
    t.take(ask.event("last")).take(ask.event("go"));
    expect(t.state.status).toBe("completed");
  });

  test("is refused where its definition says so, with what is taken now", () => {
    const t = drive({ states: late, earlyEvents: "refuse", actions: [action("x")] }).start();
    const refusal = t.refused(ask.event("last"));
    expect(refusal).toMatchObject({ code: "event_not_accepted", hint: expect.stringContaining("go") });
    t.take(ask.pause()).take(ask.event("last"));
    expect(t.state.buffer).toHaveLength(1);
  });

  test("is refused also where nothing but time moves it on", () => {
    const timed = { a: { after: { PT1H: "b" } }, b: { on: { last: "done" } }, done: { type: "final" as const } };
    const refusal = drive({ states: timed, earlyEvents: "refuse" }).start().refused(ask.event("last"));
    expect(refusal).toMatchObject({ code: "event_not_accepted", message: naming("last"), hint: notNaming("last") });
  });
});
