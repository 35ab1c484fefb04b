// Runs whose window is closed: held, released and retried. The traces begin on a Monday at 09:00 UTC.
import { describe, expect, test } from "vitest";
import { action, ask, day, hour, minute, second, T0 } from "#test/support/drive.ts";
import { evening, heldBy, mailing, morning, polite, variable, windowed } from "./windows.ts";

describe("a run whose window is closed", () => {
  test("waits until it opens: records the hold once, and no wake comes before", () => {
    const t = mailing().clock(evening).start();
    expect(t.run("mail")).toMatchObject({
      status: "scheduled",
      attempt: 0,
      dueAt: T0 + morning,
      held: { reason: "window", until: T0 + morning, connection: null },
    });
    expect([t.wake, t.effects.map(({ kind }) => kind)]).toEqual([morning, ["project"]]);
    expect(t.newLines()).toEqual([
      "started",
      "moved - > a by start",
      "run_created 1.0 mail",
      "run_held 1.0 #1: window",
    ]);
    t.tickAt(morning - 1);
    expect(t.newLines()).toEqual([]);
    expect(t.tickAt(morning).run("mail")).toMatchObject({ status: "queued", attempt: 1 });
    expect(t.ok("mail").runs()).toEqual(["mail ok"]);
  });

  test("goes at once while it is open, up to the very end", () => {
    expect(
      mailing()
        .clock(11 * hour - 1)
        .start()
        .runs(),
    ).toEqual(["mail queued"]);
    expect(
      mailing()
        .clock(11 * hour)
        .start()
        .runs(),
    ).toEqual(["mail scheduled"]);
  });

  test("keeps no slot: what has none goes on", () => {
    const actions = [action("mail", { triggerState: "a", priority: 9 }), action("log", { triggerState: "a" })];
    const t = windowed(polite, { states: { a: { on: { x: "a" } } }, actions }, ["log"]);
    expect(t.clock(evening).start().runs()).toEqual(["mail scheduled", "log queued"]);
  });

  test("of runs released together the one with the higher priority starts first", () => {
    const actions = [action("mail", { triggerState: "a" }), action("urgent", { triggerState: "a", priority: 9 })];
    const t = windowed(polite, { states: { a: { on: { x: "a" } } }, actions })
      .clock(evening)
      .start();
    expect(t.runs()).toEqual(["mail scheduled", "urgent scheduled"]);
    expect(t.tickAt(morning).runs()).toEqual(["mail scheduled", "urgent queued"]);
  });

  test("is taken back with its state", () => {
    expect(mailing().clock(evening).start().event("go").runs()).toEqual(["mail canceled"]);
  });

  test("is not woken for while paused, and waits for its window when it is resumed at night", () => {
    const t = mailing().start().pause().clock(evening).resume();
    expect(t.run("mail")).toMatchObject({ status: "scheduled", dueAt: T0 + morning });
    expect(t.pause().wake).toBeNull();
    expect(
      t
        .clock(morning + hour)
        .resume()
        .runs(),
    ).toEqual(["mail queued"]);
  });

  test("finds another instant when the date that it hangs on is moved", () => {
    const t = mailing({ delay: { anchor: variable("date") } });
    t.start({ date: T0 + evening }).tickAt(evening);
    expect(t.run("mail").dueAt).toBe(T0 + morning);
    t.patch({ date: T0 + 5 * day });
    expect(t.moves).toEqual([{ timer: "1.0", from: T0 + morning, to: T0 + 5 * day }]);
    expect(t.run("mail")).toMatchObject({ dueAt: T0 + 5 * day, firstDueAt: T0 + 5 * day, held: null });
  });

  test("goes all the same where a person says so who has seen that it is held", () => {
    const t = mailing({ delay: day + hour })
      .clock(evening)
      .start()
      .runNow({ run: "1.0" });
    expect(t.run("mail")).toMatchObject({ status: "scheduled", held: { reason: "window" } });
    expect(
      t
        .runNow({ run: "1.0" })
        .miss("mail")
        .tickAt(evening + minute)
        .runs(),
    ).toEqual(["mail queued"]);
  });

  test("has no window that ever opens: it is skipped", () => {
    const t = mailing({}, {}).start();
    expect([t.at, t.run("mail")]).toMatchObject(["b", { status: "skipped", reason: "no_window" }]);
  });
});

describe("a retry", () => {
  const late = 11 * hour - second; // a second before closing

  test("waits for the window like a first try, and is the attempt it was", () => {
    const t = mailing({ retryPolicy: { maxAttempts: 3, baseDelay: 2_000 } })
      .clock(late)
      .start()
      .miss("mail");
    t.tickAt(late + 2 * second);
    expect(t.run("mail")).toMatchObject({
      status: "scheduled",
      attempt: 1,
      dueAt: T0 + morning,
      held: { reason: "window" },
    });
    expect(t.newLines().at(-1)).toBe("run_held 1.0 #2: window");
    t.tickAt(morning);
    expect(t.run("mail")).toMatchObject({ status: "queued", attempt: 2 });
    t.miss("mail")
      .tickAt(morning + minute)
      .miss("mail");
    expect(t.run("mail")).toMatchObject({ status: "failed", attempt: 3 });
  });

  test("is still a retry when it is released: its condition is not evaluated", () => {
    const t = mailing({ condition: variable("wanted"), retryPolicy: { baseDelay: 2_000 } }).clock(late);
    t.start({ wanted: true })
      .miss("mail")
      .tickAt(late + 2 * second)
      .patch({ wanted: false });
    expect(t.tickAt(morning).runs()).toEqual(["mail queued"]);
  });
});

describe("a message that is long on its way", () => {
  const late = 11 * hour - second;
  const by = { message: "m1", delivery: 1, arrival: "x" };

  test("is not claimed once the window has closed: the attempt goes out when it opens", () => {
    const t = mailing().clock(late).start().clock(evening).claim("mail");
    expect(t.run("mail")).toMatchObject({
      status: "scheduled",
      attempt: 0,
      attempts: [],
      config: null,
      dueAt: T0 + morning,
    });
    expect(t.tickAt(morning).ok("mail").run("mail")).toMatchObject({ status: "ok", attempt: 1 });
  });

  test("continues if it was started before", () => {
    const t = mailing()
      .clock(late)
      .start()
      .take(ask.claim("1.0", 1, by))
      .clock(11 * hour + second);
    t.take(ask.claim("1.0", 1, { ...by, delivery: 2, arrival: "y" }));
    expect(t.run("mail")).toMatchObject({ status: "running", attempts: [{ possiblyRepeated: true }] });
  });

  test("of an attempt that waits for a receipt is checked at any hour", () => {
    const t = mailing()
      .clock(late)
      .start()
      .claim("mail")
      .settle("mail", heldBy("awaiting_receipt", 11 * hour + minute));
    expect(
      t
        .tickAt(11 * hour + minute)
        .claim("mail")
        .run("mail"),
    ).toMatchObject({ status: "running", attempt: 1 });
  });

  test("is held by its connection and then by its window", () => {
    const t = mailing().clock(late).start().claim("mail").settle("mail", heldBy("rate_limited", evening));
    expect(t.tickAt(evening).run("mail")).toMatchObject({ dueAt: T0 + morning, held: { reason: "window" } });
  });
});

describe("a condition", () => {
  test("is evaluated when the run is due, and again when the window opens", () => {
    const early = mailing({ condition: variable("wanted") })
      .clock(evening)
      .start();
    expect(early.run("mail")).toMatchObject({ status: "skipped", reason: "condition_false" });
    const t = mailing({ condition: variable("wanted") })
      .clock(evening)
      .start({ wanted: true });
    expect(t.patch({ wanted: false }).tickAt(morning).run("mail")).toMatchObject({ reason: "condition_false" });
  });
});
