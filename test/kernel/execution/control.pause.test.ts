// Pausing, resuming and canceling an execution.
import { describe, expect, test } from "vitest";
import { action, ask, day, drive, failure, hour, minute, second, success, T0 } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

const variable = (name: string) => ({ var: `execution.variables.${name}` });

const line = {
  states: { a: { on: { go: "b" } }, b: { on: { pay: "c" } }, c: { on: { end: "d" } }, d: { type: "final" } },
} as const;

describe("pause", () => {
  const working = (more: Parameters<typeof action>[1] = {}) =>
    drive({
      states: {
        a: { on: { "action.mail.ok": "b", "action.mail.failed": "b", go: "b" }, after: { PT1H: "b" } },
        b: { on: { pay: "a" } },
      },
      actions: [action("mail", { triggerState: "a", ...more })],
    }).start();

  test("takes back what was sent and not claimed; on resume the same attempt goes out again", () => {
    const t = working().pause();
    expect(t.run("mail")).toMatchObject({ status: "scheduled", attempt: 0, sentAt: null });
    expect(t.refused(ask.claim("1.0", 1)).code).toBe("run_stale");
    t.resume();
    expect(t.effects).toContainEqual({ kind: "dispatch", run: "1.0", attempt: 1, priority: 0, lane: "queue" });
  });

  test("of a second attempt: it is the second that goes out again, from its slot", () => {
    const t = working().miss("mail").tickAt(second).pause();
    expect(t.run("mail")).toMatchObject({ status: "retry", attempt: 1 });
    expect(t.resume().run("mail")).toMatchObject({ status: "queued", attempt: 2 });
  });

  test.each([
    ["a first attempt that was sent again", ask.orphaned("1.0"), 0],
    ["an attempt after one that was never claimed", ask.undeliverable("1.0", 1), second],
  ])("of %s: it keeps its slot", (_, input, at) => {
    const t = drive({
      concurrency: 1,
      states: { a: { on: { x: "a" } } },
      actions: [
        action("mail", { triggerState: "a" }),
        action("urgent", { triggerState: "a", priority: 90, delay: 2_000 }),
      ],
    }).start();
    if (input.kind === "orphaned") t.claim("mail");
    t.take(input).tickAt(at).pause();
    expect(t.runs()).toEqual(["mail retry", "urgent scheduled"]);
    expect(
      t
        .clock(2 * second)
        .resume()
        .runs(),
    ).toEqual(["mail queued", "urgent scheduled"]);
  });

  test("of an attempt that may have taken effect: its condition is not asked again", () => {
    const t = working({ condition: variable("wanted") });
    expect(t.runs()).toEqual(["mail skipped"]);
    const sent = drive({
      variables: { wanted: true },
      states: { a: { on: { x: "a" } } },
      actions: [action("mail", { triggerState: "a", condition: variable("wanted") })],
    })
      .start()
      .claim("mail")
      .take(ask.orphaned("1.0"))
      .pause()
      .patch({ wanted: false })
      .resume();
    expect(sent.run("mail")).toMatchObject({ status: "queued", attempt: 1 });
  });

  test("lets attempts in flight finish; their results wait with the events, in order", () => {
    const t = working().claim("mail").pause();
    t.event("go").settle("mail", success({ events: [{ type: "sent", payload: null }] }));
    expect([t.at, t.runs()]).toEqual(["a", ["mail ok"]]);
    expect(t.state.buffer.map(({ message, origin }) => [message.type, origin])).toEqual([
      ["go", "outside"],
      ["sent", "run"],
      ["action.mail.ok", "run"],
    ]);
    t.newLines();
    expect(t.resume().newLines()).toEqual([
      "resumed",
      "event_replayed go",
      "moved a > b by go",
      "event_replayed sent",
      "event_ignored sent",
      "event_replayed action.mail.ok",
      "event_ignored action.mail.ok",
    ]);
  });

  test("lets a failed attempt wait for its retry until resume", () => {
    const t = working().claim("mail").pause().settle("mail", failure());
    expect([t.runs(), t.wake]).toEqual([["mail retry"], null]);
    expect(t.tickAt(minute).runs()).toEqual(["mail retry"]);
    expect(t.resume().runs()).toEqual(["mail queued"]);
  });

  test("keeps timers at their instants, and fires them on resume", () => {
    const t = working()
      .pause()
      .tickAt(2 * hour);
    expect([t.at, t.timers(), t.wake]).toEqual(["a", { "a/after/PT1H": hour }, null]);
    expect(t.resume().at).toBe("b");
  });

  test("still refuses unknown and late events", () => {
    const t = drive(line).start().event("go").pause();
    expect(t.refused(ask.event("go")).code).toBe("event_too_late");
    expect(t.refused(ask.event("nonsense")).code).toBe("event_unknown");
    expect(t.event("end").newLines().at(-1)).toBe("event_buffered end: paused");
  });

  test("on resume, an unaccepted kept event is ignored, and the journal records the refusal", () => {
    const t = drive({
      states: { a: { on: { go: "b", ask: { target: "b", guard: variable("open") } } }, b: { on: { end: "c" } }, c: {} },
    }).start();
    t.pause()
      .event("ask")
      .event("go")
      .take(ask.event("go", null, "go-2"))
      .resume();
    const ignored = t.entries.filter(({ kind }) => kind === "event_ignored");
    expect(ignored).toMatchObject([
      { type: "ask", reason: "event_not_accepted" },
      { type: "go", event: "go-2", reason: "event_too_late" },
    ]);
    expect(t.at).toBe("b");
  });

  test("comes after what was due: a timer that fell due fires first", () => {
    expect(working().clock(hour).pause().at).toBe("b");
  });

  test("twice, or resuming what is not paused, is refused", () => {
    expect(working().pause().refused(ask.pause()).code).toBe("execution_paused");
    expect(working().refused(ask.resume())).toMatchObject({ code: "execution_not_paused", message: naming("active") });
  });

  test("stops a machine that is done as well", () => {
    const t = drive({
      states: { a: { on: { go: "z" } }, z: { type: "final" } },
      actions: [action("mail", { triggerState: "z" })],
    });
    t.start().event("go").claim("mail").pause().settle("mail", success());
    expect(t.status).toBe("paused");
    expect(t.resume().status).toBe("completed");
  });

  test("says who, when and why", () => {
    const t = working().clock(second).take(ask.pause("customer asked"));
    expect(t.state).toMatchObject({ pausedAt: T0 + second, reason: "customer asked" });
    expect(t.entries.at(-1)).toMatchObject({
      kind: "paused",
      actor: { kind: "key", id: "key_1" },
      reason: "customer asked",
    });
    expect(t.resume().state).toMatchObject({ pausedAt: null, reason: null });
  });
});

describe("cancel", () => {
  const t = () =>
    drive({
      states: { a: { on: { go: "b" }, after: { PT1H: "b" } }, b: { on: { x: "a" } } },
      actions: [action("flies", { triggerState: "a" }), action("waits", { triggerState: "a", cancelOnExit: false })],
    })
      .start()
      .claim("flies");

  test("ends everything that has not started", () => {
    const canceled = t().take(ask.cancel("duplicate"));
    expect(canceled.runs()).toEqual(["flies running", "waits canceled"]);
    expect(canceled.run("waits").reason).toBe("execution_canceled");
    expect(canceled.timers()).toEqual({});
    expect(canceled.state).toMatchObject({
      status: "canceled",
      reason: "duplicate",
      finishedAt: T0,
      retainUntil: T0 + 7 * day,
    });
  });

  test("succeeds on a paused execution", () => {
    expect(t().pause().cancel().status).toBe("canceled");
  });

  test.each([ask.cancel(), ask.pause(), ask.resume(), ask.event("go"), ask.patch({}), ask.runNow({ run: "1.1" })])(
    "after it, $kind is refused with when it ended",
    (command) => {
      expect(t().cancel().refused(command)).toMatchObject({
        code: "execution_final",
        message: naming("canceled", new Date(T0).toISOString()),
      });
    },
  );
});

const charge = action("charge", { triggerState: "paid", lane: "queue", retryPolicy: { maxAttempts: 2 } });
const paying: Parameters<typeof drive>[0] = {
  states: {
    open: { on: { pay: "paid" }, after: { PT1H: "late" } },
    paid: { on: { "action.charge.ok": "done" } },
    late: { type: "final", outcome: "failed" },
    done: { type: "final" },
  },
  actions: [charge],
};

describe("while its tenant is suspended", () => {
  test("a timer keeps its instant and fires when the tenant goes on", () => {
    const t = drive(paying)
      .start()
      .suspend()
      .tickAt(2 * hour);
    expect([t.at, t.status, t.timers()]).toEqual(["open", "waiting", { "open/after/PT1H": hour }]);
    t.suspend(false).tickAt(3 * hour);
    expect([t.at, t.status]).toEqual(["late", "failed"]);
  });

  test("an event is taken and its action waits, without an attempt, until the tenant goes on", () => {
    const t = drive(paying).start().suspend().event("pay");
    expect([t.at, t.runs(), t.run("charge").attempt]).toEqual(["paid", ["charge scheduled"], 0]);
    expect(t.effects.filter(({ kind }) => kind === "dispatch")).toEqual([]);
    // The run is due and no run has its slot, so its cell wakes as soon as possible.
    expect(t.clock(minute).wake).toBe(0);
    t.suspend(false).tickAt(minute).claim("charge").settle("charge", success());
    expect([t.status, t.run("charge").attempts.length]).toEqual(["completed", 1]);
  });

  test("what is in flight finishes, and is recorded; its retry waits", () => {
    const t = drive(paying).start().event("pay").claim("charge").suspend().settle("charge", failure());
    expect(t.runs()).toEqual(["charge retry"]);
    t.tickAt(hour);
    expect([t.runs(), t.run("charge").attempts.length]).toEqual([["charge retry"], 1]);
    expect(t.suspend(false).tickAt(hour).runs()).toEqual(["charge queued"]);
  });

  test("runs that retry within a moment are projected at once, and once", () => {
    const retryPolicy = { maxAttempts: 9, backoffStrategy: "fixed", baseDelay: 100, jitter: "none" } as const;
    const trying = () =>
      drive({ ...paying, actions: [{ ...charge, retryPolicy }] })
        .start()
        .event("pay")
        .claim("charge");
    const tells = ({ effects }: ReturnType<typeof trying>) => effects.some(({ kind }) => kind === "project");
    expect(tells(trying().suspend().settle("charge", failure()))).toBe(true);
    const soon = trying().settle("charge", failure());
    expect([tells(soon), tells(soon.suspend().tickAt(1)), tells(soon.tickAt(minute))]).toEqual([false, true, false]);
  });

  test("a run that comes back held keeps its attempt and goes when the tenant does", () => {
    const held = { reason: "suspended", until: T0 + 15 * second, connection: null } as const;
    const t = drive(paying).start().event("pay").claim("charge").suspend();
    t.settle("charge", { ...failure(), held } as ReturnType<typeof failure>);
    expect([t.runs(), t.run("charge").attempt, t.run("charge").held]).toEqual([["charge scheduled"], 0, held]);
    t.tickAt(minute);
    expect(t.runs()).toEqual(["charge scheduled"]);
    expect(
      t
        .suspend(false)
        .tickAt(2 * minute)
        .runs(),
    ).toEqual(["charge queued"]);
    expect(t.run("charge").attempt).toBe(1);
  });

  test("an unclaimed message is not sent again, and a dead letter does not expire", () => {
    const t = drive(paying).start().event("pay").suspend().tickAt(hour);
    expect([t.runs(), t.run("charge").resends]).toEqual([["charge queued"], 0]);
    expect(t.suspend(false).tickAt(hour).run("charge").resends).toBe(1);
    const dead = drive({ ...paying, actions: [{ ...charge, retryPolicy: { maxAttempts: 1 } }] });
    dead
      .start()
      .event("pay")
      .claim("charge")
      .settle("charge", failure())
      .suspend()
      .tickAt(1_000 * hour);
    expect(dead.run("charge").deadLetter).toBe(true);
    expect(
      dead
        .suspend(false)
        .tickAt(1_001 * hour)
        .run("charge").deadLetter,
    ).toBe(false);
  });
});
