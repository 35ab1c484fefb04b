// The end notice of a child to its parent: sent, sent again, confirmed, and kept until then.
import { describe, expect, test } from "vitest";
import { action, ask, day, drive, hour, minute, type Drive } from "#test/support/drive.ts";
import { messageOf } from "#test/support/outbox/messages.ts";

const parent = { execution: "exe_parent", run: "2.0", action: "begin", incarnation: 0 };
const send = { kind: "send", messages: [{ kind: "child_ended", key: "exe_parent" }] };

const machine = () =>
  drive({
    retention: "P1D",
    states: {
      a: { on: { go: "done", fall: "broken" } },
      done: { type: "final" },
      broken: { type: "final", outcome: "failed" },
    },
  });
const child = () => machine().take(ask.start({}, { parent }));
const ended = () => child().event("go");

describe("a parent is notified", () => {
  test.each<[string, (t: Drive) => Drive, string]>([
    ["completed", (t) => t.event("go"), "completed"],
    ["failed", (t) => t.event("fall"), "failed"],
    ["canceled", (t) => t.cancel(), "canceled"],
  ])("when the child is %s", (_what, end, status) => {
    const t = end(child());
    expect([t.status, t.effects.filter(({ kind }) => kind === "send")]).toEqual([status, [send]]);
    expect(t.state.outbox).toEqual([{ kind: "child_ended", key: "exe_parent", sentAt: t.state.finishedAt, tries: 1 }]);
  });

  test("of a child that ends as it starts", () => {
    const t = drive({ states: { done: { type: "final" } } }).take(ask.start({}, { parent }));
    expect(t.effects).toContainEqual(send);
  });

  test("of a child that fails", () => {
    const t = drive({
      states: { a: { on: { "action.mail.failed": "a" } } },
      actions: [action("mail", { triggerState: "a", onExhausted: "fail", retryPolicy: { maxAttempts: 1 } })],
    }).take(ask.start({}, { parent }));
    expect(t.miss("mail").effects).toContainEqual(send);
  });

  test("once", () => {
    expect(ended().tickAt(minute - 1).effects).toEqual([]);
  });

  test("not before the end, and not if no parent waits", () => {
    expect(child().effects).not.toContainEqual(send);
    const alone = machine().start().event("go");
    expect(alone.effects).not.toContainEqual(send);
    expect(alone.state).not.toHaveProperty("outbox");
    expect(alone.state).not.toHaveProperty("parent");
  });
});

describe("a parent that has not confirmed", () => {
  test("is notified again, with growing gaps, until it confirms", () => {
    const t = ended();
    const gaps = [minute, 5 * minute, 15 * minute, hour, hour, hour];
    let at = 0;
    for (const [n, gap] of gaps.entries()) {
      at += gap;
      expect(t.wake).toBe(at);
      t.tickAt(at);
      expect([t.effects.filter(({ kind }) => kind === "send"), messageOf(t.state, "child_ended")?.tries]).toEqual([
        [send],
        n + 2,
      ]);
    }
  });

  test("keeps the child: its history goes only when the parent knows", () => {
    const t = ended().tickAt(2 * day);
    expect(t.effects.map(({ kind }) => kind)).not.toContain("purge");
    expect(t.take(ask.parentNotified()).wake).toBe(day);
    expect(t.tickAt(2 * day + 1).effects.map(({ kind }) => kind)).toContain("purge");
  });
});

describe("a confirmation", () => {
  test.each([null, "execution_final"])("is the end of it (refused: %j)", (refused) => {
    const t = ended().take(ask.parentNotified(refused));
    expect(t.state.outbox).toEqual([]);
    expect(t.entries.at(-1)).toMatchObject({ kind: "parent_notified", parent: "exe_parent", refused });
    expect(t.tickAt(hour).effects).toEqual([]);
  });

  test("twice changes nothing", () => {
    const t = ended().take(ask.parentNotified());
    const { seq } = t.state;
    expect(t.take(ask.parentNotified()).state.seq).toBe(seq);
  });

  test("of a message that is not in the outbox changes nothing", () => {
    const t = machine().start();
    expect(t.take(ask.parentNotified()).state.seq).toBe(1);
  });
});
