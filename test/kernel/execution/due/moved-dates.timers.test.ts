// Timers that were skipped as past, after their date is moved.
import { describe, expect, test } from "vitest";
import { day, drive, hour, T0 } from "#test/support/drive.ts";

const variable = (name: string) => ({ var: `execution.variables.${name}` });

describe("a timer that was past, and not wanted then", () => {
  const due = { anchor: variable("date"), ifPast: "skip" as const };
  const timed = () =>
    drive({
      delays: { due },
      states: {
        a: { after: { due: "b" }, on: { go: "c", again: { target: "a", reenter: true } } },
        b: { on: { x: {} } },
        c: { on: { back: "a" } },
      },
    });

  test("is armed after all when its date lies ahead", () => {
    const t = timed().start({ date: T0 - day });
    expect([t.timers(), t.state.passed]).toEqual([{}, [{ id: "a/after/due", state: "a", expression: "due" }]]);
    t.newLines();
    t.patch({ date: T0 + day });
    expect([t.timers(), t.moves, t.state.passed]).toEqual([
      { "a/after/due": day },
      [{ timer: "a/after/due", from: null, to: T0 + day }],
      [],
    ]);
    expect(t.newLines()).toContain("timer_armed a/after/due");
    expect(t.tickAt(day).at).toBe("b");
  });

  test("goes past and ahead again as often as its date does", () => {
    const t = timed()
      .start({ date: T0 + hour })
      .patch({ date: T0 - hour });
    expect([t.timers(), t.state.passed?.length]).toEqual([{}, 1]);
    expect(
      t
        .patch({ date: T0 - day })
        .patch({ date: null })
        .timers(),
    ).toEqual({});
    expect(t.patch({ date: T0 + day }).timers()).toEqual({ "a/after/due": day });
  });

  test("is dropped with its state, and evaluated again when that is entered again", () => {
    const t = timed()
      .start({ date: T0 - day })
      .event("go");
    expect([t.state.passed, t.patch({ date: T0 + day }).timers()]).toEqual([[], {}]);
    expect(t.event("back").timers()).toEqual({ "a/after/due": day });
    const again = timed()
      .start({ date: T0 - day })
      .event("again");
    expect(again.state.passed).toHaveLength(1);
    expect(
      timed()
        .start({ date: T0 - day })
        .cancel().state.passed,
    ).toEqual([]);
  });

  test("is stored beside others, and once however often its state is entered again", () => {
    const soon = { anchor: variable("other"), ifPast: "skip" as const };
    const again = { target: "a", reenter: true };
    const t = drive({
      delays: { due, soon },
      states: { a: { after: { due: "b", soon: "c" }, on: { again } }, b: {}, c: {} },
    });
    t.start({ date: T0 - day, other: T0 - hour }).event("again");
    expect(t.state.passed?.map(({ id }) => id)).toEqual(["a/after/due", "a/after/soon"]);
    t.patch({ other: T0 + day });
    expect([t.timers(), t.state.passed?.map(({ id }) => id)]).toEqual([{ "a/after/soon": day }, ["a/after/due"]]);
  });

  test("of a state that is left by what sets its date is not armed", () => {
    const states = {
      a: { after: { due: "b" }, on: { set: { target: "b", assign: { date: T0 + day } } } },
      b: { on: { x: {} } },
    };
    const t = drive({ delays: { due }, states })
      .start({ date: T0 - day })
      .event("set");
    expect([t.at, t.timers(), t.state.passed]).toEqual(["b", {}, []]);
  });

  test("keeps no execution alive", () => {
    const t = drive({ delays: { due }, states: { a: { after: { due: "b" } }, b: {} } }).start({ date: T0 - day });
    expect([t.status, t.state.error?.type]).toEqual(["failed", "stuck"]);
  });
});
