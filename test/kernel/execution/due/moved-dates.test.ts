// Moved dates: waiting work is rescheduled, started and ended work stays, and work that was past or is to be repeated
// is reactivated.
import { describe, expect, test } from "vitest";
import { action, ask, day, drive, hour, T0, type Drive } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

const variable = (name: string) => ({ var: `execution.variables.${name}` });
type Delay = { anchor: { var: string }; ifPast?: "run" | "skip"; onMove?: "recompute" | "keep" | "redo" };

const stays = { a: { on: { go: "b" } }, b: { on: { back: "a" } } } as const;

/** One mail in state a, whose delay depends on a date. */
function dated(more: Partial<Delay> = {}, of: Parameters<typeof action>[1] = {}) {
  const delay = { anchor: variable("date"), ...more };
  return drive({ states: stays, actions: [action("mail", { triggerState: "a", delay, ...of })] });
}

const told = (t: Drive) => t.beside.notMoved.map(({ kind, id, reason }) => `${kind} ${id} ${reason}`);
const back = (t: Drive) =>
  t.beside.cameBack.map(({ run, dueAt, because }) => `${run} ${(dueAt - T0) / hour}h ${because}`);

describe("24 date past, ahead, removed", () => {
  const skipping = () => dated({ ifPast: "skip" });

  test("ahead and then past: skipped; ahead again: there is another run, and what followed stays as it was", () => {
    const t = skipping().start({ date: T0 + day });
    t.patch({ date: T0 - day });
    expect([t.moves, t.runs()]).toEqual([[{ timer: "1.0", from: T0 + day, to: null }], ["mail skipped"]]);
    t.newLines();
    t.patch({ date: T0 + 2 * day });
    expect([back(t), t.moves, told(t)]).toEqual([["3.0 48h already_past"], [], []]);
    expect(t.runs()).toEqual(["mail skipped", "mail scheduled"]);
    expect(t.newLines()).toContain("run_created 3.0 mail: already_past");
    expect(
      t
        .tickAt(2 * day)
        .ok("mail")
        .runs(),
    ).toEqual(["mail skipped", "mail ok"]);
  });

  test("past from the start, and ahead later", () => {
    const t = skipping()
      .start({ date: T0 - day })
      .clock(hour)
      .patch({ date: T0 + day });
    expect([back(t), t.run("mail").dueAt]).toEqual([["2.0 24h already_past"], T0 + day]);
  });

  test("past, and still past: it stays skipped", () => {
    const t = skipping()
      .start({ date: T0 - day })
      .patch({ date: T0 - 2 * day });
    expect([back(t), told(t), t.runs()]).toEqual([[], ["run 1.0 skipped"], ["mail skipped"]]);
  });

  test("once and again: each time it comes back from the last", () => {
    const t = skipping().start({ date: T0 - day });
    t.patch({ date: T0 + day })
      .patch({ date: T0 - day })
      .patch({ date: T0 + 2 * day });
    expect([back(t), t.runs()]).toEqual([["4.0 48h already_past"], ["mail skipped", "mail skipped", "mail scheduled"]]);
    // A patch of another variable reactivates nothing again.
    expect(back(t.patch({ other: 1 }))).toEqual([]);
  });

  test("removed: it waits, and goes when there is one again", () => {
    const t = skipping()
      .start({ date: T0 + day })
      .patch({ date: null });
    expect([t.run("mail").dueAt, t.wake, t.moves]).toEqual([null, null, [{ timer: "1.0", from: T0 + day, to: null }]]);
    expect(
      t
        .patch({ date: T0 + 3 * day })
        .tickAt(3 * day)
        .runs(),
    ).toEqual(["mail queued"]);
  });

  test("removed from what is skipped: nothing comes back", () => {
    const t = skipping()
      .start({ date: T0 - day })
      .patch({ date: null });
    expect([back(t), told(t)]).toEqual([[], ["run 1.0 skipped"]]);
    expect(back(t.patch({ date: T0 + day }))).toEqual(["3.0 24h already_past"]);
  });

  test("past, where it is run: at once", () => {
    expect(
      dated()
        .start({ date: T0 + day })
        .patch({ date: T0 - day })
        .runs(),
    ).toEqual(["mail queued"]);
  });

  test("what an assignment sets brings back as well", () => {
    const states = { a: { on: { set: { assign: { date: { var: "message.payload" } } } } } };
    const delay = { anchor: variable("date"), ifPast: "skip" as const };
    const t = drive({ states, actions: [action("mail", { triggerState: "a", delay })] }).start({ date: T0 - day });
    expect(back(t.event("set", T0 + day))).toEqual(["2.0 24h already_past"]);
  });

  test("of a state that was left nothing comes back, nor of one that is left by what sets it", () => {
    const left = skipping()
      .start({ date: T0 - day })
      .event("go")
      .patch({ date: T0 + day });
    expect([back(left), told(left)]).toEqual([[], ["run 1.0 skipped"]]);
    const delay = { anchor: variable("date"), ifPast: "skip" as const };
    const leaving = { a: { on: { set: { target: "b", assign: { date: T0 + day } } } }, b: { on: { x: "a" } } };
    const t = drive({ states: leaving, actions: [action("mail", { triggerState: "a", delay })] }).start({
      date: T0 - day,
    });
    expect([back(t.event("set")), t.at]).toEqual([[], "b"]);
  });

  test("a run without a state is reactivated in any state", () => {
    const delay = { anchor: variable("date"), ifPast: "skip" as const };
    const states = { a: { entry: ["mail"], on: { go: "b" } }, b: { on: { x: "a" } } };
    const t = drive({ states, actions: [action("mail", { delay })] })
      .start({ date: T0 - day })
      .event("go");
    expect(back(t.patch({ date: T0 + day }))).toEqual(["3.0 24h already_past"]);
  });
});

describe("onMove: redo", () => {
  const redoing = () => dated({ onMove: "redo" }).start({ date: T0 + hour });

  test("what is done is done again at the new date, and what followed stays", () => {
    const t = redoing()
      .tickAt(hour)
      .ok("mail")
      .patch({ date: T0 + day });
    expect([back(t), t.runs()]).toEqual([["5.0 24h redo"], ["mail ok", "mail scheduled"]]);
    expect(
      t
        .tickAt(day)
        .ok("mail")
        .patch({ date: T0 + 2 * day })
        .runs(),
    ).toEqual(["mail ok", "mail ok", "mail scheduled"]);
  });

  test("but not into the past, nor where it failed", () => {
    const past = redoing().tickAt(hour).ok("mail").patch({ date: T0 });
    expect([back(past), told(past)]).toEqual([[], ["run 1.0 done"]]);
    const failed = redoing()
      .tickAt(hour)
      .miss("mail", { retryable: false })
      .patch({ date: T0 + day });
    expect([back(failed), told(failed)]).toEqual([[], ["run 1.0 failed"]]);
  });

  test("what waits is moved", () => {
    expect(redoing().patch({ date: T0 + day }).moves).toEqual([{ timer: "1.0", from: T0 + hour, to: T0 + day }]);
  });
});

describe("what does not move is listed, with why", () => {
  const far = { date: T0 + 9 * day };
  const due = () =>
    dated()
      .start({ date: T0 + hour })
      .tickAt(hour);

  test.each<[string, () => Drive, string]>([
    ["sent", () => due(), "run 1.0 in_progress"],
    ["claimed by a consumer", () => due().claim("mail"), "run 1.0 in_progress"],
    ["to be tried again", () => due().miss("mail"), "run 1.0 in_progress"],
    ["done", () => due().ok("mail"), "run 1.0 done"],
    ["failed", () => due().miss("mail", { retryable: false }), "run 1.0 failed"],
    ["not wanted", () => dated({}, { condition: false }).start({ date: T0 }), "run 1.0 skipped"],
    [
      "brought forward, and held since",
      () =>
        dated()
          .start({ date: T0 + day })
          .suspend()
          .runNow({ run: "1.0" }),
      "run 1.0 brought_forward",
    ],
    ["told to keep its instant", () => dated({ onMove: "keep" }).start({ date: T0 + day }), "run 1.0 keeps"],
  ])("%s", (_, begin, line) => {
    const t = begin();
    const { runs } = t.state;
    t.patch(far);
    expect([told(t), t.moves, back(t)]).toEqual([[line], [], []]);
    expect(t.state.runs.map(({ id, dueAt }) => [id, dueAt])).toEqual(runs.map(({ id, dueAt }) => [id, dueAt]));
  });

  test("a timer that keeps its instant", () => {
    const delays = { due: { anchor: variable("date"), onMove: "keep" as const } };
    const t = drive({ delays, states: { a: { after: { due: "b", PT1H: "b" } }, b: {} } }).start({ date: T0 + day });
    expect(told(t.patch(far))).toEqual(["timer a/after/due keeps"]);
    expect(told(t.patch({ other: 1 }))).toEqual([]);
  });

  test("not if the change does not affect it, if its instant is unknown, or if it was canceled", () => {
    expect(told(due().ok("mail").patch({ other: 1 }))).toEqual([]);
    expect(told(due().ok("mail").patch({ date: "soon" }))).toEqual([]);
    expect(
      told(
        dated()
          .start({ date: T0 + day })
          .event("go")
          .patch(far),
      ),
    ).toEqual([]);
    expect(told(dated({ onMove: "keep" }).start().patch({ other: 1 }))).toEqual([]);
  });

  test("of several runs of an action the newest, and all that are under way", () => {
    const delay = { anchor: variable("date") };
    const actions = [action("mail", { triggerState: "a", delay, cancelOnExit: false })];
    const t = drive({ states: stays, concurrency: 3, actions }).start({ date: T0 });
    t.ok("mail").event("go").event("back").claim("mail").event("go").event("back").patch(far);
    expect(told(t).toSorted()).toEqual(["run 5.0 in_progress", "run 8.0 in_progress"]);
  });
});

test("more than an execution may hold cannot come back: the patch is refused", () => {
  const names = Array.from({ length: 99 }, (_, n) => `n${n}`);
  const delay = { anchor: variable("date"), ifPast: "skip" as const };
  const actions = names.flatMap((name) => [
    action(name, { triggerState: "a", delay }),
    action(`more_${name}`, { delay: day }),
  ]);
  const states = { a: { on: { more: { actions: names.map((name) => `more_${name}`) } } } };
  const t = drive({ states, actions }).start({ date: T0 - day });
  for (let n = 0; n < 10; n += 1) t.event("more");
  expect(t.refused(ask.patch({ date: T0 + day }))).toMatchObject({
    code: "invalid_input",
    message: naming(1000, "UNFINISHED_RUNS_MAX"),
  });
  expect(t.state.runs.filter(({ status }) => status === "scheduled")).toHaveLength(990);
});
