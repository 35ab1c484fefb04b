// The lists of an explanation: waits, and work that was not done.
import { describe, expect, test } from "vitest";
import { explain } from "#kernel/explain/explain.ts";
import { oneActionProgram } from "#kernel/programs/one-action.ts";
import type { Explanation } from "#schema/engine/explanation.ts";
import { EVENTS_BUFFERED_MAX } from "#schema/limits/executions.ts";
import { action, ask, day, drive, driveProgram, hour, minute, success, T0, type Drive } from "#test/support/drive.ts";

const done = { type: "final" } as const;
type EventCommand = Extract<ReturnType<typeof ask.event>, { kind: "event" }>;

function of(t: Drive, more: Partial<Parameters<typeof explain>[0]> = {}): Explanation {
  const { program, state, entries: recent } = t;
  return explain({ program, state, now: T0, suspended: false, recent, quarantined: null, ...more });
}

describe("what was not done", () => {
  test("is listed newest first: skipped, canceled, ignored, dropped, failed and archived", () => {
    const states = {
      a: { on: { go: "b" }, after: { P9D: "done" } },
      b: { on: { end: "done", never: { guard: false, target: "done" } } },
      done,
    };
    const actions = [
      action("off", { triggerState: "a", enabled: false }),
      action("slow", { triggerState: "a", delay: "PT5H" }),
      action("bad", { triggerState: "a", retryPolicy: { maxAttempts: 1 } }),
    ];
    const t = drive({ states, actions }).start().event("never");
    t.clock(minute).miss("bad").archive("bad").clock(hour).event("go");
    const told = of(t).notDone;
    expect(told.map((each) => [each.what, "reason" in each ? each.reason : null])).toEqual([
      ["run", "state_left"],
      ["event", "event_not_accepted"],
      ["run", "archived"],
      ["run", "disabled"],
    ]);
    t.clock(2 * hour)
      .pause()
      .event("end")
      .cancel();
    expect(of(t).notDone[0]).toMatchObject({
      what: "event",
      event: "end",
      outcome: "dropped",
      reason: "execution_canceled",
    });
    expect(of(t).notNow[0]).toMatchObject({ would: "refused", code: "execution_final" });
  });

  test("an event that waits says why; one whose entry is far back is taken to be early", () => {
    const states = { a: { on: { go: "b" } }, b: { on: { end: "done" } }, done };
    const t = drive({ states }).start().event("end").pause().event("go");
    expect(of(t).notDone).toMatchObject([
      { what: "event", event: "end", outcome: "kept", reason: "early" },
      { what: "event", event: "go", outcome: "kept", reason: "paused" },
    ]);
    expect(of(t, { recent: [] }).notDone).toMatchObject([{ reason: "early" }, { reason: "early" }]);
    const patched = t.patch({ a: 1 }); // the engine's own event waits too, and is not reported as not done
    expect(of(patched).notDone.length).toBe(2);
  });

  test("events beyond what is kept would be refused", () => {
    const states = { a: { on: { go: "b" } }, b: { on: { end: "done" } }, done };
    const t = drive({ states }).start();
    for (let n = 0; n < EVENTS_BUFFERED_MAX; n += 1) t.event("end");
    expect(of(t).notNow).toEqual([{ event: "end", would: "refused", code: "event_buffer_full" }]);
    expect(t.refused(ask.event("end")).code).toBe("event_buffer_full");
  });

  test("an occurrence that found the one before under way, a timer whose day had passed", () => {
    const past = { anchor: { var: "execution.variables.day" }, ifPast: "skip" as const };
    const t = drive({
      delays: { past },
      states: { a: { after: { past: "done" }, on: { end: "done" } }, done },
      actions: [action("tick", { triggerState: "a", schedule: "0 * * * *", maxLateness: "P1D" })],
    }).start({ day: "2020-01-01" });
    t.tickAt(hour).tickAt(2 * hour);
    const occurrence = { run: "a/schedule/tick", reason: "previous_in_progress" };
    expect(of(t).notDone).toMatchObject([occurrence, { what: "timer", timer: "a/after/past", reason: "already_past" }]);
  });

  test("an unaccepted result event of a run is not listed", () => {
    const t = drive({ states: { a: { on: { end: "done" } }, done }, actions: [action("mail", { triggerState: "a" })] });
    expect(of(t.start().ok("mail")).notDone).toEqual([]);
  });

  test("a run that was skipped long ago is listed once", () => {
    const t = drive({
      states: { a: { on: { end: "done" } }, done },
      actions: [action("off", { triggerState: "a", enabled: false })],
    });
    expect(of(t.start()).notDone).toMatchObject([{ what: "run", run: "1.0" }]);
    t.become({ ...t.state, runs: [] });
    expect(of(t).notDone).toMatchObject([{ what: "run", run: "1.0", conditions: [], deadLetter: null }]);
  });
});

describe("what waits", () => {
  test("for an event alone is not held up by its tenant's suspension", () => {
    const t = drive({ states: { a: { on: { end: "done" } }, done } }).start();
    expect(of(t, { suspended: true }).next).toMatchObject({ kind: "event_received", by: "event", events: ["end"] });
  });

  test("on its way has a lane, or had none noted", () => {
    const t = drive({
      states: { a: { on: { end: "done" } }, done },
      actions: [action("mail", { triggerState: "a" })],
    }).start();
    t.become({ ...t.state, runs: t.state.runs.map((run) => ({ ...run, lane: null })) });
    expect(of(t).next).toMatchObject({ kind: "run_claimed", by: "runner" });
  });

  test("in line for a slot knows how many stand before it", () => {
    const urgent = { triggerState: "a", priority: 9 };
    const actions = [action("one", { triggerState: "a" }), action("two", { triggerState: "a" }), action("now", urgent)];
    const t = drive({ states: { a: { on: { end: "done" } }, done }, actions }).start();
    const line = of(t).waits.flatMap((wait) => (wait.for === "slot" ? [[wait.action, wait.ahead, wait.takenBy]] : []));
    expect(line).toEqual([
      ["one", 0, ["1.2"]],
      ["two", 1, ["1.2"]],
    ]);
    const [held] = of(t.suspend(), { suspended: true }).waits;
    expect(held).toEqual({ for: "tenant", until: null });
    expect(of(t, { suspended: true }).waits.filter((wait) => wait.for === "slot")).toEqual([]);
  });

  test("that an operator holds waits for its release", () => {
    const t = drive({
      states: { a: { on: { end: "done" } }, done },
      actions: [action("mail", { triggerState: "a", delay: "PT1H" })],
    }).start();
    const { waits, or, next } = of(t.verb({ kind: "hold", run: "1.0" }));
    const by = { since: T0, by: "key:key_1", reason: null, dueAt: T0 + hour };
    expect(waits[0]).toEqual({
      for: "release",
      run: "1.0",
      action: "mail",
      ...by,
      until: null,
      meets: [],
      account: { type: "webhook", config: {} },
    });
    expect([next, ...or].map(({ kind, by: who }) => [kind, who])).toEqual([
      ["released", "person"],
      ["event_received", "event"],
    ]);
  });

  test("that a person has brought forward is held no more", () => {
    const hold = { reason: "suspended", until: T0 + hour, connection: null } as const;
    const t = drive({
      states: { a: { on: { end: "done" } }, done },
      actions: [action("mail", { triggerState: "a" })],
    }).start();
    const scheduled = { status: "scheduled" as const, attempt: 0, dueAt: T0 + hour, sentAt: null, lane: null };
    const runs = t.state.runs.map((run) => ({ ...run, ...scheduled, held: hold }));
    t.become({ ...t.state, status: "waiting", runs });
    expect(of(t).waits[0]).toMatchObject({ for: "run", until: T0 + hour });
    t.become({ ...t.state, runs: runs.map((run) => ({ ...run, dueAt: T0 + minute })) });
    expect(of(t).waits[0]).toMatchObject({ for: "run", until: T0 + minute });
  });

  test("for a child is listed only if the execution waits for it", () => {
    const started = (id: string) =>
      action(id, { type: "start_execution", triggerState: "a", config: { definition: "x" } });
    const t = drive({
      concurrency: 5,
      states: { a: { on: { child_completed: "done" } }, done },
      actions: [started("one"), started("two"), started("three"), started("four")],
    }).start();
    t.ok("one", { result: { execution: "exe_kid", wait: false } }).ok("two", { result: null });
    t.ok("three", { result: { execution: 7, wait: true } });
    expect(of(t).waits.filter((wait) => wait.for === "child")).toEqual([]);
  });

  test("for a child is listed until the child has ended", () => {
    const begin = { type: "start_execution", triggerState: "a", config: { definition: "x", wait: true } };
    const t = drive({ states: { a: { on: { child_completed: {} } } }, actions: [action("begin", begin)] }).start();
    const children = () => of(t).waits.filter((wait) => wait.for === "child");
    t.claim("begin");
    expect(children()).toEqual([]);
    t.settle("begin", success({ result: { execution: "exe_kid", wait: true } }));
    expect(children()).toMatchObject([{ run: "1.0", execution: "exe_kid" }]);
    const end = ask.event("child_completed", { run: "1.0", execution: "exe_kid" }) as EventCommand;
    t.take({ ...end, event: { ...end.event, source: "execution" } });
    expect(children()).toEqual([]);
    expect(of(t).next.by).not.toBe("child");
  });

  test("for a child at the end is listed, and for one that is being canceled", () => {
    const begins = (onCancel: string) =>
      action("begin", {
        type: "start_execution",
        triggerState: "a",
        config: { definition: "x", wait: true, onCancel },
      });
    const stopped = (onCancel: string) =>
      drive({ states: { a: { on: { child_completed: "done" } }, done }, actions: [begins(onCancel)] })
        .start()
        .ok("begin", { result: { execution: "exe_kid", wait: true } })
        .cancel();
    const child = { for: "children", run: "1.0", action: "begin", execution: "exe_kid", until: T0 + minute };
    const ending = of(stopped("wait"));
    expect(ending.waits).toEqual([{ ...child, how: "awaited" }]);
    expect(ending.next).toMatchObject({ kind: null });
    const canceled = of(stopped("cancel"));
    expect(canceled.waits).toEqual([{ ...child, how: "canceling" }]);
    expect(canceled.next).toMatchObject({ kind: "child_settled", by: "child", about: { run: "1.0" } });
    expect(of(stopped("leave")).waits).toEqual([]);
  });

  test("for a task is listed once it is created, and until it is withdrawn", () => {
    const tasks = (on: object) =>
      drive({
        states: { a: { on: { end: "b", ...on } }, b: { on: { end: "done" } }, done },
        actions: [asking],
      }).start();
    const asking = action("ask", { type: "task", triggerState: "a", config: { title: "Check" } });
    const t = tasks({}).claim("ask");
    expect(of(t).waits.filter((wait) => wait.for === "task")).toEqual([]);
    t.settle("ask", success({ tasks: [{ run: "1.0", id: "tsk_1", isOpen: true }] }));
    expect(of(t).waits[0]).toMatchObject({
      for: "task",
      title: "Check",
      remindAt: null,
      escalateAt: null,
      until: null,
    });
    const { runs } = t.state;
    t.become({ ...t.state, runs: [] });
    expect(of(t).waits[0]).toMatchObject({ for: "task", title: null });
    t.become({ ...t.state, runs });
    expect(of(t.event("end")).waits.filter((wait) => wait.for === "task")).toEqual([]);
    expect(of(t).next).toMatchObject({ kind: "task_updated", by: "lists", about: { run: "1.0", update: "withdraw" } });
  });

  test("on any event listens for one that it does not name", () => {
    const t = drive({ states: { a: { on: { "*": "done" } }, done } }).start();
    expect(of(t).waits).toMatchObject([{ for: "event", event: "*", would: "accepted" }]);
  });

  test("on any event hears those that are named elsewhere, too", () => {
    const t = drive({ states: { a: { on: { "*": "b" } }, b: { on: { end: "done" } }, done } }).start();
    expect(of(t).notNow).toEqual([]);
  });

  test("for a change of variables may listen for it", () => {
    const t = drive({ states: { a: { on: { "execution.patched": "done" } }, done } }).start();
    expect(of(t).waits).toEqual([{ for: "variables", states: ["a"], guards: [], until: null }]);
  });

  test("an action alone waits like all others", () => {
    const standalone = { action: action("mail", { retryPolicy: { maxAttempts: 3 } }), dedup: null };
    const program = oneActionProgram(standalone);
    const t = driveProgram([program, program], 0, { standalone, pooled: true }).start().miss("mail");
    expect(of(t).waits).toMatchObject([{ for: "run", status: "retry", attempt: 1, attemptsMax: 3 }]);
  });

  test("a dead letter that was sent again has its earlier tries counted", () => {
    const t = drive({
      states: { a: { on: { end: "done" } }, done },
      actions: [action("mail", { triggerState: "a", retryPolicy: { maxAttempts: 2 } })],
    }).start();
    t.miss("mail").tickAt(day).miss("mail").retry("mail");
    expect(of(t).waits[0]).toMatchObject({ for: "run", status: "queued", attempt: 3, attemptsMax: 4 });
  });
});
