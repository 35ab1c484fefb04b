// A success that arrives after the run was given up: it counts, unless a newer attempt has started.
import { describe, expect, test } from "vitest";
import { SETTLE_GRACE_MS } from "#schema/limits/run-attempts.ts";
import { ask, day, drive, failure, hour, second, success, action } from "#test/support/drive.ts";
import { one, type ActionPart } from "#test/support/one-mail.ts";

const overdue = 30 * second + SETTLE_GRACE_MS;
const once: ActionPart = { retryPolicy: { maxAttempts: 1 } };
const stays = { a: { on: { x: "a" } } };
const timedOut = (states?: Parameters<typeof one>[1], part: ActionPart = {}) =>
  one({ ...once, ...part }, states)
    .claim("mail")
    .tickAt(overdue);
const late = ask.settle("1.0", 1, success({ result: { id: 7 } }));

describe("a late success", () => {
  test("resolves a dead letter, and its machine hears of it", () => {
    const t = timedOut({ a: { on: { "action.mail.ok": "sent" } }, sent: { type: "final" } });
    expect(t.run("mail").deadLetter).toBe(true);
    t.take(late);
    expect(t.run("mail")).toMatchObject({
      status: "ok",
      deadLetter: false,
      error: null,
      reason: null,
      result: { id: 7 },
    });
    expect(t.run("mail").attempts).toMatchObject([{ attempt: 1, error: null }]);
    expect([t.at, t.status]).toEqual(["sent", "completed"]);
    expect(t.refused(late).code).toBe("run_stale");
  });

  test("of what paused its execution leaves that to a person", () => {
    const t = timedOut(stays, { onExhausted: "pause" }).take(late);
    expect([t.status, t.runs()]).toEqual(["paused", ["mail ok"]]);
    expect(t.resume().status).toBe("waiting");
  });

  test("of an execution that has ended starts its retention anew", () => {
    const t = timedOut(stays, { onExhausted: "fail" }).clock(day).take(late);
    expect([t.status, t.runs(), t.state.retainUntil]).toEqual([
      "failed",
      ["mail ok"],
      Number(t.state.updatedAt) + 7 * day,
    ]);
  });

  test.each([
    ["was archived", () => timedOut(stays).archive("mail")],
    [
      "was skipped as too late for its retry",
      () =>
        one({ maxLateness: "PT1M" }, stays)
          .claim("mail")
          .tickAt(hour)
          .tickAt(2 * hour),
    ],
    ["was canceled with its state", () => one().claim("mail").tickAt(overdue).event("leave")],
    ["was not wanted any more", () => one().claim("mail").event("leave").tickAt(overdue)],
    ["was canceled with its execution", () => one().claim("mail").cancel().tickAt(overdue)],
    ["was sent again as it was", () => timedOut(stays).retry("mail")],
  ])("is taken though the run %s", (_what, given) => {
    const t = given();
    expect(t.run("mail").status).not.toBe("ok");
    expect(t.take(late).run("mail")).toMatchObject({ status: "ok", reason: null, error: null });
  });

  test("is stale once something newer has begun", () => {
    expect(timedOut(stays).retry("mail").claim("mail").refused(late).code).toBe("run_stale");
  });
});

describe("a late failure", () => {
  test("does not change a dead letter", () => {
    expect(timedOut(stays).refused(ask.settle("1.0", 1, failure())).code).toBe("run_stale");
  });
});

describe("what was changed before it was sent again", () => {
  const config = { to: "{{ execution.variables.to }}" };
  const corrected = () =>
    drive({ states: stays, actions: [action("mail", { triggerState: "a", config, ...once })] })
      .start({ to: "ada" })
      .claim("mail")
      .tickAt(overdue);

  test.each([
    ["its config", { config: { to: "grace" } }],
    ["variables", { variables: { to: "grace" } }],
  ])("%s: the success of what was sent before is not its success, and it goes out all the same", (_what, edit) => {
    const t = corrected().retry("mail", edit);
    expect(t.refused(late).code).toBe("run_stale");
    expect(t.ok("mail").run("mail")).toMatchObject({ status: "ok", attempt: 2, config: { to: "grace" } });
  });

  test("nor after it was retried as edited", () => {
    const t = corrected().retry("mail", { config: { to: "grace" } });
    t.take(ask.undeliverable("1.0", 2)).retry("mail");
    expect(t.run("mail").redriven).toMatchObject({ times: 2, attemptsBefore: 2, attemptsBeforeEdit: 1 });
    expect(t.refused(late).code).toBe("run_stale");
  });

  test("its own late success is one", () => {
    const t = corrected()
      .retry("mail", { config: { to: "grace" } })
      .claim("mail")
      .tickAt(2 * overdue + second);
    expect(t.run("mail").deadLetter).toBe(true);
    expect(t.take(ask.settle("1.0", 2, success())).runs()).toEqual(["mail ok"]);
  });
});
