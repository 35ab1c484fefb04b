// Patches of variables, and the timers and runs that they reschedule.
import { describe, expect, test } from "vitest";
import { VARIABLES_BYTES_MAX } from "#schema/limits/executions.ts";
import { action, ask, day, drive, T0 } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

const variable = (name: string) => ({ var: `execution.variables.${name}` });

const listens = { states: { a: { on: { go: "b" } }, b: { on: { back: "a" } } } };

describe("a patch", () => {
  test("is merged, and null removes", () => {
    const t = drive(listens).start({ keep: 1, gone: 2, deep: { keep: [1], gone: 2 }, list: [1] });
    t.patch({ gone: null, deep: { gone: null, new: { x: 1, y: null } }, list: { a: 1 }, added: { b: { c: null } } });
    expect(t.state.variables).toEqual({
      keep: 1,
      deep: { keep: [1], new: { x: 1 } },
      list: { a: 1 },
      added: { b: {} },
    });
    expect(t.patch({ deep: 3 }).state.variables["deep"]).toBe(3);
  });

  test("may name a field anything: no name reaches what is not data", () => {
    const t = drive(listens).start().patch(JSON.parse('{"__proto__":{"x":1},"constructor":{"y":2}}'));
    expect(JSON.stringify(t.state.variables)).toBe('{"__proto__":{"x":1},"constructor":{"y":2}}');
  });

  test("lets `always` see the new variables", () => {
    const t = drive({
      states: { a: { always: { guard: variable("ready"), target: "b" }, on: { x: "b" } }, b: { on: { x: "a" } } },
    }).start();
    expect(t.patch({ ready: true }).at).toBe("b");
  });

  test("is an event that a state may listen for", () => {
    const t = drive({
      states: { a: { on: { "execution.patched": "b" } }, b: { on: { x: "a" } } },
      actions: [action("mail", { triggerState: "b", config: { why: "{{ message.type }}" } })],
    });
    expect(t.start().status).toBe("waiting");
    expect(t.patch({}).at).toBe("b");
    expect(t.claim("mail").run("mail").config).toEqual({ why: "execution.patched" });
  });

  test("while paused is seen on resume, once however many there were", () => {
    const t = drive({
      states: { a: { on: { "execution.patched": { assign: { n: { "+": [variable("n"), 1] } } } } } },
    }).start({ n: 0 });
    t.pause().patch({ x: 1 }).patch({ y: 1 });
    expect(t.state.variables).toEqual({ n: 0, x: 1, y: 1 });
    expect(t.resume().state.variables).toEqual({ n: 1, x: 1, y: 1 });
  });

  test("that makes the variables too large is refused", () => {
    const refusal = drive(listens)
      .start()
      .refused(ask.patch({ text: "ä".repeat(VARIABLES_BYTES_MAX / 2) }));
    expect(refusal.code).toBe("limit_exceeded");
    expect(refusal.message).toEqual(naming(262155, 262144, "VARIABLES_BYTES_MAX"));
    const around = JSON.stringify({ text: "" }).length;
    const t = drive(listens)
      .start()
      .patch({ text: "a".repeat(VARIABLES_BYTES_MAX - around) });
    expect(JSON.stringify(t.state.variables).length).toBe(VARIABLES_BYTES_MAX);
  });
});

describe("a patch moves what hangs on a variable", () => {
  const dated = (more: { ifPast?: "skip"; onMove?: "keep" } = {}) => ({
    delays: { reminder: { anchor: variable("date"), offset: "-P1D", ...more } },
    states: { a: { after: { reminder: "b", P30D: "b" }, on: { go: "b" } }, b: { on: { x: "a" } } },
    actions: [
      action("mail", { triggerState: "a", delay: "reminder" }),
      action("own", { triggerState: "a", delay: { anchor: variable("date"), ...more } }),
      action("plain", { triggerState: "a", delay: "P9D" }),
      action("now", { triggerState: "a" }),
    ],
  });
  const id = "a/after/reminder";

  test("timers and delayed runs alike, and reports every move", () => {
    const t = drive(dated())
      .start({ date: T0 + 3 * day })
      .patch({ date: T0 + 5 * day });
    expect(t.moves).toEqual([
      { timer: id, from: T0 + 2 * day, to: T0 + 4 * day },
      { timer: "1.0", from: T0 + 2 * day, to: T0 + 4 * day },
      { timer: "1.1", from: T0 + 3 * day, to: T0 + 5 * day },
    ]);
    expect(t.timers()).toEqual({ "a/after/P30D": 30 * day, [id]: 4 * day });
    expect(t.entries.at(-1)).toMatchObject({ kind: "patched", moves: t.moves });
  });

  test("not a timer with onMove: keep, unless it has no instant yet", () => {
    const t = drive(dated({ onMove: "keep" }))
      .start({ date: T0 + 3 * day })
      .patch({ date: T0 + 5 * day });
    expect(t.moves).toEqual([]);
    const first = drive(dated({ onMove: "keep" }))
      .start()
      .patch({ date: T0 + 3 * day });
    expect(first.timers()).toMatchObject({ [id]: 2 * day });
    expect(first.moves.length).toBe(3);
  });

  test("never a schedule, which hangs on none", () => {
    const t = drive({
      states: { a: { on: { go: {} } } },
      actions: [action("daily", { triggerState: "a", schedule: "0 8 * * *" })],
    });
    expect(t.start().patch({ date: 1 }).moves).toEqual([]);
  });

  test("to nowhere while the variable is gone", () => {
    const t = drive(dated())
      .start({ date: T0 + 3 * day })
      .patch({ date: null });
    expect([t.timers()[id], t.run("mail").dueAt]).toEqual([null, null]);
  });

  test("into the past: at once", () => {
    expect(
      drive(dated())
        .start({ date: T0 + 3 * day })
        .patch({ date: T0 }).at,
    ).toBe("b");
  });

  test("into the past, where that means not at all", () => {
    const t = drive(dated({ ifPast: "skip" }))
      .start({ date: T0 + 3 * day })
      .patch({ date: T0 - day });
    expect(t.timers()).toEqual({ "a/after/P30D": 30 * day });
    expect(t.newLines()).toEqual(
      expect.arrayContaining([`timer_disarmed ${id}: already_past`, "run_skipped 1.0 mail: already_past"]),
    );
    expect(t.moves).toEqual([
      { timer: id, from: T0 + 2 * day, to: null },
      { timer: "1.0", from: T0 + 2 * day, to: null },
      { timer: "1.1", from: T0 + 3 * day, to: null },
    ]);
  });

  test("only if that variable changed: what fell due while paused, or was brought forward, stays", () => {
    const skip = dated({ ifPast: "skip" });
    const t = drive(skip)
      .start({ date: T0 + 3 * day })
      .runNow({ run: "1.0" })
      .pause()
      .clock(4 * day)
      .patch({ other: 1 });
    expect(t.moves).toEqual([]);
    expect(t.timers()[id]).toBe(2 * day);
    expect(t.run("mail")).toMatchObject({ status: "scheduled", dueAt: T0 });
    expect(t.resume().at).toBe("b");
  });

  test.each([
    ["a timer's", { states: { a: { after: { reminder: "b" }, on: { go: "b" } }, b: { on: { x: "a" } } } }],
    [
      "a run's",
      {
        actions: [action("mail", { triggerState: "a", delay: "reminder" })],
        states: { a: { on: { go: "b" } }, b: { on: { x: "a" } } },
      },
    ],
  ] as const)("a date that is none (%s) is refused, and nothing has changed", (_whose, part) => {
    const t = drive({ delays: dated().delays, ...part, actions: [...("actions" in part ? part.actions : [])] }).start({
      date: T0 + day * 3,
    });
    const refusal = t.refused(ask.patch({ date: "soon" }));
    expect(refusal.code).toBe("invalid_input");
    expect(refusal.errors).toMatchObject([{ pointer: "/variables", code: "invalid_anchor" }]);
    expect(t.state.variables).toEqual({ date: T0 + 3 * day });
  });
});
