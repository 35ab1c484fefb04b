// Runs before their first attempt: created, waiting, dispatched, canceled and removed.
import { describe, expect, test } from "vitest";
import { DEFINITION_ACTIONS_MAX } from "#schema/limits/definition-sizes.ts";
import { RESEND_GAPS_MS, SLOW_ABOVE_MS, UNFINISHED_RUNS_MAX } from "#schema/limits/run-attempts.ts";
import { action, ask, drive, hour, minute, second, success, T0 } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

const listens = { a: { on: { go: "b" } }, b: { on: { back: "a" } } };

const variable = (name: string) => ({ var: `execution.variables.${name}` });

describe("a run", () => {
  test("is made when its state is entered, and sent at once", () => {
    const t = drive({ states: listens, actions: [action("mail", { triggerState: "a" })] }).start();
    expect(t.newLines()).toEqual(["started", "moved - > a by start", "run_created 1.0 mail", "run_dispatched 1.0 #1"]);
    expect(t.effects).toEqual([{ kind: "dispatch", run: "1.0", attempt: 1, priority: 0, lane: "queue" }]);
    expect([t.status, t.run("mail").sentAt, t.run("mail").boundTo]).toEqual(["active", T0, "a"]);
  });

  test("may be named by entry, exit and transitions as well; then no state takes it back", () => {
    const t = drive({
      states: {
        a: { entry: ["one"], exit: ["two"], on: { go: { target: "b", actions: ["three"] } } },
        b: { on: { x: "a" } },
      },
      actions: [action("one"), action("two"), action("three")],
    }).start();
    expect(t.event("go").runs()).toEqual(["one queued", "two scheduled", "three scheduled"]);
    expect(t.run("one").boundTo).toBe(null);
  });

  test("that is disabled is skipped, and the machine hears of it", () => {
    const t = drive({
      states: { a: { on: { "action.mail.skipped": "b" } }, b: { on: { x: "a" } } },
      actions: [action("mail", { triggerState: "a", enabled: false })],
    }).start();
    expect(t.at).toBe("b");
    expect(t.newLines()).toContain("run_skipped 1.0 mail: disabled");
  });

  test("is taken back with its state if it has not started", () => {
    const t = drive({
      states: listens,
      actions: [
        action("flies", { triggerState: "a" }),
        action("waits", { triggerState: "a" }),
        action("stays", { triggerState: "a", cancelOnExit: false }),
      ],
    })
      .start()
      .claim("flies");
    expect(t.event("go").runs()).toEqual(["flies running", "waits canceled", "stays scheduled"]);
    expect(t.run("waits").reason).toBe("state_left");
    expect(t.settle("flies", success()).runs()[0]).toBe("flies ok");
  });

  test("that was never sent leaves no message behind when its state is only passed through", () => {
    const t = drive({
      states: { a: { always: "b" }, b: { on: { x: "a" } } },
      actions: [action("mail", { triggerState: "a" })],
    }).start();
    expect(t.runs()).toEqual(["mail canceled"]);
    expect(t.effects).toEqual([{ kind: "project" }]);
  });

  test("more than an execution may hold are refused, and the limit is named", () => {
    const entry = Array.from({ length: DEFINITION_ACTIONS_MAX }, () => "mail");
    const again = { target: "a", reenter: true, actions: [] };
    const t = drive({ states: { a: { entry, on: { again } } }, actions: [action("mail")] }).start();
    for (let n = 0; n < 4; n++) t.event("again");
    expect([t.status, t.state.runs.length]).toEqual(["active", UNFINISHED_RUNS_MAX]);
    expect(t.refused(ask.event("again"))).toMatchObject({
      code: "event_not_accepted",
      message: naming("again", 1000, "UNFINISHED_RUNS_MAX"),
    });
  });

  test("more of a state's own runs than it may hold are refused as well", () => {
    const own = { triggerState: "a", cancelOnExit: false };
    const actions = Array.from({ length: DEFINITION_ACTIONS_MAX }, (_, n) => action(`own${n}`, own));
    const t = drive({ states: { a: { on: { again: { target: "a", reenter: true } } } }, actions }).start();
    for (let n = 0; n < 4; n++) t.event("again");
    expect(t.refused(ask.event("again")).message).toEqual(naming(1000, "UNFINISHED_RUNS_MAX"));
  });
});

describe("slots", () => {
  const three = [
    action("low", { triggerState: "a", priority: 1 }),
    action("high", { triggerState: "a", priority: 90 }),
    action("mid", { triggerState: "a", priority: 50 }),
  ];

  test("are filled by priority, one at a time", () => {
    const t = drive({ states: listens, actions: three }).start();
    const order: string[] = [];
    for (let n = 0; n < 3; n++) {
      const next = t.state.runs.find(({ status }) => status === "queued")?.action ?? "none";
      order.push(next);
      t.ok(next);
    }
    expect(order).toEqual(["high", "mid", "low"]);
  });

  test("equal in priority: the one due earlier, then the older", () => {
    const t = drive({
      states: listens,
      actions: [
        action("first", { triggerState: "a" }),
        action("late", { triggerState: "a", delay: 2_000 }),
        action("early", { triggerState: "a", delay: 1_000 }),
        action("same", { triggerState: "a", delay: 1_000 }),
      ],
    }).start();
    const order = ["first", "early", "same", "late"];
    t.clock(5_000);
    for (const name of order) {
      expect(t.run(name).status).toBe("queued");
      t.ok(name);
    }
  });

  test("concurrency opens more of them", () => {
    const t = drive({ states: listens, concurrency: 2, actions: three }).start();
    expect(t.runs()).toEqual(["low scheduled", "high queued", "mid queued"]);
    expect(t.ok("high").runs()).toEqual(["low queued", "high ok", "mid queued"]);
  });

  test("a run in backoff keeps its slot", () => {
    const t = drive({ states: listens, actions: three }).start().miss("high");
    expect(t.runs()).toEqual(["low scheduled", "high retry", "mid scheduled"]);
    expect(t.tickAt(1 * second).runs()).toEqual(["low scheduled", "high queued", "mid scheduled"]);
  });
});

describe("lanes", () => {
  test.each([
    // lane       timeout  room  attempt one goes
    [undefined, undefined, 6, "direct"],
    [undefined, undefined, 0, "queue"],
    [undefined, 30_000, 6, "direct"],
    [undefined, 30_001, 6, "queue"],
    ["queue", undefined, 6, "queue"],
    ["direct", 60_000, 6, "direct"],
    ["direct", 60_000, 0, "queue"],
  ] as const)("lane %s, timeout %s, room %s: %s", (lane, timeout, room, expected) => {
    const t = drive({ states: listens, actions: [action("mail", { triggerState: "a", lane, timeout })] }, room).start();
    expect(t.run("mail").lane).toBe(expected);
  });

  test("room is used up within one step", () => {
    const actions = [action("one", { triggerState: "a" }), action("two", { triggerState: "a" })];
    const t = drive({ states: listens, concurrency: 2, actions }, 1).start();
    expect([t.run("one").lane, t.run("two").lane]).toEqual(["direct", "queue"]);
  });

  test.each([
    // the attempt before it     the retry
    ["service_unavailable", "direct"],
    ["timeout", "queue"],
    ["network_error", "queue"],
  ] as const)("after %s a retry goes %s: a missing answer may be the engine's fault", (type, lane) => {
    const t = drive({ states: listens, actions: [action("one", { triggerState: "a" })] }, 1).start();
    expect(t.miss("one", { type }).tickAt(second).run("one").lane).toBe(lane);
    expect(t.run("one").attempt).toBe(2);
  });

  test("the definition's lane is the default of its actions", () => {
    expect(
      drive({ states: listens, lane: "queue", actions: [action("mail", { triggerState: "a" })] }, 6)
        .start()
        .run("mail").lane,
    ).toBe("queue");
  });

  test.each([
    // timeout            what its messages say
    [undefined, {}],
    [1_000, {}],
    [SLOW_ABOVE_MS, {}],
    [SLOW_ABOVE_MS + 1, { timeoutMs: SLOW_ABOVE_MS + 1 }],
    [14 * 60_000, { timeoutMs: 14 * 60_000 }],
  ])("with a timeout of %s a message says %o", (timeout, says) => {
    const message = { kind: "dispatch", run: "1.0", attempt: 1, priority: 0, lane: "queue", ...says };
    const t = drive({ states: listens, actions: [action("mail", { triggerState: "a", timeout })] }).start();
    expect(t.effects).toEqual([message]);
    expect(t.tickAt(RESEND_GAPS_MS[0]).effects).toContainEqual(message);
  });

  test("a slow action with lane direct uses no queue, until it is resent", () => {
    const slow = action("mail", { triggerState: "a", timeout: 60_000, lane: "direct" });
    const t = drive({ states: listens, actions: [slow] }, 1).start();
    expect(t.effects).toEqual([{ kind: "dispatch", run: "1.0", attempt: 1, priority: 0, lane: "direct" }]);
    t.claim("mail").take(ask.orphaned("1.0"));
    expect(t.effects).toMatchObject([{ lane: "queue", timeoutMs: 60_000 }]);
  });
});

describe("delays", () => {
  const delayed = (delay: Parameters<typeof action>[1]) =>
    drive({ states: listens, actions: [action("mail", { triggerState: "a", ...delay })] });

  test("let a run wait for its time", () => {
    const t = delayed({ delay: "PT10M" }).start();
    expect([t.status, t.wake, t.run("mail").dueAt]).toEqual(["waiting", 10 * minute, T0 + 10 * minute]);
    expect(t.tickAt(10 * minute - 1).runs()).toEqual(["mail scheduled"]);
    expect(t.tickAt(10 * minute).runs()).toEqual(["mail queued"]);
  });

  test("that hang on a variable wait for it", () => {
    const t = delayed({ delay: { anchor: variable("date") } }).start();
    expect([t.wake, t.run("mail").dueAt]).toEqual([null, null]);
    t.patch({ date: T0 + hour });
    expect(t.moves).toEqual([{ timer: "1.0", from: null, to: T0 + hour }]);
    expect(t.wake).toBe(hour);
  });

  test("that have passed are skipped where the delay says so", () => {
    const t = delayed({ delay: { anchor: T0 - hour, ifPast: "skip" } }).start();
    expect(t.newLines()).toContain("run_skipped 1.0 mail: already_past");
  });

  test("that have passed run if they are no older than the delay says", () => {
    const within = { runWithin: "PT1H" };
    expect(
      delayed({ delay: { anchor: T0 - hour, ifPast: within } })
        .start()
        .runs(),
    ).toEqual(["mail queued"]);
    const t = delayed({ delay: { anchor: T0 - hour - 1, ifPast: within } }).start();
    expect(t.run("mail")).toMatchObject({ status: "skipped", reason: "already_past" });
  });

  test("that make no sense end the run as a dead letter", () => {
    const t = delayed({ delay: { anchor: "soon" } }).start();
    expect(t.run("mail")).toMatchObject({
      status: "failed",
      deadLetter: true,
      error: { type: "invalid_configuration" },
    });
  });
});

test("an unclaimed run cannot be settled, and an unknown run is stale", () => {
  const t = drive({ states: listens, actions: [action("mail", { triggerState: "a" })] }).start();
  expect(t.refused(ask.claim("9.9", 1)).code).toBe("run_stale");
  expect(t.refused(ask.claim("1.0", 2)).code).toBe("run_stale");
  expect(t.refused(ask.settle("1.0", 1, success())).code).toBe("run_stale");
});
