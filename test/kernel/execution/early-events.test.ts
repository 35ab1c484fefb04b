// Events from outside: applied, kept or refused. No event is dropped silently.
import { describe, expect, test } from "vitest";
import type { Json } from "#schema/json.ts";
import { EVENTS_BUFFERED_MAX } from "#schema/limits/executions.ts";
import { action, ask, drive, hour } from "#test/support/drive.ts";
import { naming, notNaming } from "#test/support/matchers/naming.ts";

const variable = (name: string) => ({ var: `execution.variables.${name}` });

const line = {
  states: {
    a: { on: { go: "b" } },
    b: { on: { pay: { target: "c", guard: { ">": [{ var: "message.payload" }, 0] } } } },
    c: { on: { end: "d" } },
    d: { type: "final" },
  },
} as const;

describe("an event", () => {
  test("that comes early waits for its state", () => {
    const t = drive(line).start().event("end").event("pay", 1);
    expect([t.at, t.state.buffer.length]).toEqual(["a", 2]);
    t.newLines();
    expect(t.event("go").newLines()).toEqual([
      "event_received go",
      "moved a > b by go",
      "event_replayed pay",
      "moved b > c by pay",
      "event_replayed end",
      "moved c > d by end",
      "completed",
    ]);
  });

  test("early ones of one type are delivered in the order of arrival", () => {
    const list: Json = { merge: [variable("seen"), [{ var: "message.payload" }]] };
    const t = drive({
      variables: { seen: [] },
      states: { a: { on: { go: "b" } }, b: { on: { note: { assign: { seen: list } } } } },
    }).start();
    expect(t.event("note", 1).event("note", 2).event("note", 3).event("go").state.variables).toEqual({
      seen: [1, 2, 3],
    });
  });

  test("a kept event that its guard then refuses is recorded, not kept", () => {
    const t = drive(line).start().event("pay", 0).event("go");
    expect([t.at, t.state.buffer]).toEqual(["b", []]);
    expect(t.newLines().at(-1)).toBe("event_ignored pay");
  });

  test("that no state accepts is dropped with a reason when the execution ends", () => {
    const t = drive(line).start().event("end").cancel();
    expect(t.newLines().slice(-2)).toEqual(["canceled", "event_dropped end: execution_canceled"]);
  });

  test("that waits when the machine is done is dropped, not replayed", () => {
    const t = drive({
      states: { a: { on: { skip: "z", go: "b" } }, b: { on: { later: "z" } }, z: { type: "final" } },
      actions: [action("mail", { triggerState: "z" })],
    })
      .start()
      .event("later")
      .event("skip");
    expect(t.state.buffer.length).toBe(1);
    expect(t.ok("mail").newLines().slice(-2)).toEqual(["event_dropped later: execution_ended", "completed"]);
  });

  test("that comes late is refused with the current state", () => {
    expect(drive(line).start().event("go").refused(ask.event("go"))).toMatchObject({
      code: "event_too_late",
      message: naming("go", "b"),
    });
  });

  test("that no guard lets pass is refused, and nothing has changed", () => {
    const t = drive(line).start().event("go");
    expect(t.refused(ask.event("pay", 0))).toMatchObject({ code: "event_not_accepted", message: naming("pay", "b") });
  });

  test.each([
    ["pays", "pay", "end"],
    ["something_else", "go, pay, end", "something_else"],
  ])("%s, which no state knows, is refused: %s", (type, named, unnamed) => {
    const refusal = drive(line).start().refused(ask.event(type));
    expect(refusal).toMatchObject({ code: "event_unknown", message: naming(type), hint: naming(named) });
    expect(refusal).toMatchObject({ hint: notNaming(unnamed) });
  });

  test("where nothing is listened for at all, that is said", () => {
    const t = drive({
      states: { a: { on: { "action.mail.ok": "a" } } },
      actions: [action("mail", { triggerState: "a" })],
    }).start();
    expect(t.refused(ask.event("go"))).toMatchObject({ code: "event_unknown", hint: notNaming("action.mail.ok") });
  });

  test.each(["action.mail.ok", "action.anything", "execution.patched"])(
    "of the engine's own (%s) cannot be forged",
    (type) => {
      const t = drive({
        states: { a: { on: { "action.mail.ok": "b", "execution.patched": "b", "*": "b" } }, b: { on: { x: "a" } } },
        actions: [action("mail", { triggerState: "a" })],
      }).start();
      expect(t.refused(ask.event(type))).toMatchObject({
        code: "event_not_accepted",
        message: naming(type),
        hint: naming("action.", "execution."),
      });
      expect(t.ok("mail").at).toBe("b");
    },
  );

  test("more than may wait are refused", () => {
    const t = drive(line).start();
    for (let n = 0; n < EVENTS_BUFFERED_MAX; n++) t.event("end");
    expect(t.refused(ask.event("end"))).toMatchObject({
      code: "event_buffer_full",
      message: naming(100, "EVENTS_BUFFERED_MAX"),
    });
  });

  test("that has waited comes after what a run had still to say", () => {
    const t = drive({
      states: {
        a: { on: { sent: "b" } },
        b: { on: { go: "gone", "action.mail.ok": "done" } },
        gone: { on: { x: "a" } },
        done: { on: { x: "a" } },
      },
      actions: [action("mail", { triggerState: "a", cancelOnExit: false })],
    })
      .start()
      .event("go");
    expect(t.ok("mail", { events: [{ type: "sent", payload: null }] }).at).toBe("done");
  });

  test("finds a timer that was due before it already fired", () => {
    const t = drive({
      states: { a: { after: { PT1H: "late" }, on: { go: "b" } }, b: { on: { x: "a" } }, late: { on: { go: "b" } } },
    }).start();
    expect(t.clock(hour).event("go").newLines()).toEqual([
      "started",
      "moved - > a by start",
      "timer_armed a/after/PT1H",
      "timer_fired a/after/PT1H",
      "moved a > late by a/after/PT1H",
      "event_received go",
      "moved late > b by go",
    ]);
  });
});
