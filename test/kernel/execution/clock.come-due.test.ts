// Work that came due during a pause or an outage is processed in the order of time.
import { describe, expect, test } from "vitest";
import {
  action,
  ask,
  day,
  drive,
  failure,
  hour,
  minute,
  second,
  success,
  T0,
  type Drive,
} from "#test/support/drive.ts";

/** The first event or timer leaves a. */
const race = {
  states: {
    a: { after: { PT1H: "late" }, on: { go: "gone", "action.mail.ok": "mailed", "action.mail.skipped": "skipped" } },
    late: { on: { x: {} } },
    gone: { on: { x: {} } },
    mailed: { on: { x: {} } },
    skipped: { on: { x: {} } },
  },
} as const;

describe("20 event and timeout in a pause", () => {
  test.each<[string, number, string]>([
    ["the event came before the timer fell due", hour - 1, "gone"],
    ["the timer fell due before the event came", hour + 1, "late"],
    ["both at one instant: the timer is first", hour, "late"],
  ])("%s", (_, came, at) => {
    const t = drive(race).start().pause().clock(came).event("go").clock(day).resume();
    expect(t.at).toBe(at);
  });

  test("the loser is heard of, in the order in which they came", () => {
    const t = drive(race)
      .start()
      .pause()
      .clock(2 * hour)
      .event("go")
      .clock(day);
    t.newLines();
    expect(t.resume().newLines()).toEqual([
      "resumed",
      "timer_fired a/after/PT1H",
      "moved a > late by a/after/PT1H",
      "event_replayed go",
      "event_ignored go",
    ]);
  });

  test("one after the other they lead on: a timer, what it was that came next, and the timer after that", () => {
    const t = drive({
      states: {
        a: { after: { PT1H: "b" }, on: { go: "x" } },
        b: { on: { go: "c" }, after: { P2D: "x" } },
        c: { after: { [4 * hour]: "x" }, on: { end: "d" } },
        d: { on: { x: "x" } },
        x: { on: { x: "a" } },
      },
    });
    t.start()
      .pause()
      .clock(2 * hour)
      .event("go")
      .clock(3 * hour)
      .event("end");
    // In c its timer starts at the resume, so it is later than the waiting event.
    expect(t.clock(day).resume().at).toBe("d");
  });

  test("an event that comes early waits for the timer that brings it its state", () => {
    const t = drive({ states: { a: { after: { PT1H: "b" } }, b: { on: { go: "c" } }, c: { on: { x: "a" } } } });
    expect(t.start().pause().clock(minute).event("go").clock(day).resume().at).toBe("c");
  });

  test("what a run had to say counts from when it said it", () => {
    const mail = { ...race, actions: [action("mail", { triggerState: "a", timeout: 600_000 })] };
    const said = (at: number) =>
      drive(mail).start().claim("mail").pause().clock(at).settle("mail", success()).clock(day).resume().at;
    expect([said(minute), said(5 * minute)]).toEqual(["mailed", "mailed"]);
    const slow = { ...race, states: { ...race.states, a: { ...race.states.a, after: { PT5M: "late" } } } };
    const t = drive({ ...slow, actions: mail.actions })
      .start()
      .claim("mail")
      .pause();
    expect(
      t
        .clock(6 * minute)
        .settle("mail", success())
        .clock(day)
        .resume().at,
    ).toBe("late");
  });

  test("a patch is heard of where it was made", () => {
    const part = {
      states: {
        a: { after: { PT1H: "late" }, on: { "execution.patched": "patched" } },
        late: { on: { x: "a" } },
        patched: { on: { x: "a" } },
      },
    } as const;
    expect(drive(part).start().pause().clock(minute).patch({ n: 1 }).clock(day).resume().at).toBe("patched");
    expect(
      drive(part)
        .start()
        .pause()
        .clock(2 * hour)
        .patch({ n: 1 })
        .clock(day)
        .resume().at,
    ).toBe("late");
  });

  test("buffered events without an arrival time come first", () => {
    const t = drive(race)
      .start()
      .pause()
      .clock(2 * hour)
      .event("go");
    const buffer = t.state.buffer.map(({ message, origin }) => ({ message, origin }));
    expect(
      t
        .become({ ...t.state, buffer })
        .clock(day)
        .resume().at,
    ).toBe("gone");
  });
});

describe("a run that fell due", () => {
  const asking = (condition: boolean) =>
    drive({ ...race, actions: [action("mail", { triggerState: "a", delay: 30 * minute, condition })] })
      .start()
      .pause();

  test("before the event: its refusal is recorded first", () => {
    expect(
      asking(false)
        .clock(40 * minute)
        .event("go")
        .clock(day)
        .resume().at,
    ).toBe("skipped");
    expect(
      asking(false)
        .clock(20 * minute)
        .event("go")
        .clock(day)
        .resume().at,
    ).toBe("gone");
  });

  test("and is wanted goes out only if nothing that came later takes it back", () => {
    const t = asking(true)
      .clock(40 * minute)
      .event("go")
      .clock(day);
    t.newLines();
    expect([t.resume().at, t.runs(), t.effects.filter(({ kind }) => kind === "dispatch")]).toEqual([
      "gone",
      ["mail canceled"],
      [],
    ]);
    expect(t.newLines()).not.toContain("run_dispatched 1.0 #1");
  });

  test("without a slot has nothing to say yet", () => {
    const actions = [
      action("first", { triggerState: "a", delay: minute }),
      action("mail", { triggerState: "a", delay: 2 * minute, condition: false }),
    ];
    const t = drive({ ...race, actions })
      .start()
      .pause()
      .clock(5 * minute)
      .event("go")
      .clock(6 * minute)
      .resume();
    expect([t.at, t.runs()]).toEqual(["gone", ["first canceled", "mail canceled"]]);
  });

  test("is asked once, however much comes after it", () => {
    const actions = [action("mail", { triggerState: "a", delay: minute, condition: { "+": [1, 1] } })];
    const events = { states: { a: { on: { tick: {}, go: "b" } }, b: { on: { x: "a" } } }, actions };
    const cost = (count: number) => {
      const t = drive(events).start().pause();
      for (let n = 0; n < count; n += 1) t.clock(2 * minute + n).event("tick");
      return t.clock(day).resume().runs();
    };
    expect(cost(20)).toEqual(["mail queued"]);
  });
});

describe("after an outage", () => {
  const worked = (timeout: number) =>
    drive({
      states: {
        a: { after: { PT1M: "late" }, on: { "action.mail.failed": "failed" } },
        late: { on: { x: "a" } },
        failed: { on: { x: "a" } },
      },
      actions: [action("mail", { triggerState: "a", timeout, retryPolicy: { maxAttempts: 1 } })],
    })
      .start()
      .claim("mail");

  test("a deadline and a timer come in their order", () => {
    expect(worked(10_000).tickAt(day).at).toBe("failed");
    expect(worked(120_000).tickAt(day).at).toBe("late");
  });

  test("a run that is not wanted any more says so before the timer that fell due after it", () => {
    const mail = action("mail", { triggerState: "a", delay: minute, maxLateness: "PT1H" });
    expect(
      drive({ ...race, actions: [mail] })
        .start()
        .tickAt(day).at,
    ).toBe("skipped");
    const after = action("mail", { triggerState: "a", delay: 2 * hour, maxLateness: "PT1H" });
    expect(
      drive({ ...race, actions: [after] })
        .start()
        .tickAt(day).at,
    ).toBe("late");
  });

  test("all deadlines have passed, whatever one of them has stopped", () => {
    const actions = ["one", "two"].map((id) =>
      action(id, { triggerState: "a", timeout: second, retryPolicy: { maxAttempts: 1 }, onExhausted: "pause" }),
    );
    const t = drive({ concurrency: 2, states: { a: { on: { x: "a" }, after: { PT1H: "a" } } }, actions })
      .start()
      .claimAll();
    expect([t.tickAt(day).status, t.runs(), t.wake]).toEqual(["paused", ["one failed", "two failed"], null]);
  });

  test("timers of a suspended tenant wait, and its deadlines pass", () => {
    const t = worked(10_000).suspend().tickAt(day);
    expect(t.at).toBe("failed");
    expect(drive(race).start().suspend().tickAt(day).at).toBe("a");
  });
});

test("events that wait in an automatic pause are replayed as well", () => {
  const actions = [action("mail", { triggerState: "a", onExhausted: "pause" })];
  const stopped = (t: Drive) => t.claim("mail").settle("mail", failure({ retryable: false }));
  const part = {
    ...race,
    states: { ...race.states, a: { after: { PT1H: "late" }, on: { go: "gone" } } },
    actions,
  } as const;
  const t = stopped(drive(part).start());
  expect([
    t.status,
    t
      .clock(2 * hour)
      .event("go")
      .clock(day)
      .resume().at,
  ]).toEqual(["paused", "late"]);
  expect(t.refused(ask.resume()).code).toBe("execution_not_paused");
  expect(T0).toBeLessThan(t.state.updatedAt);
});
