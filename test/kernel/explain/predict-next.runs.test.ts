// Predictions about runs: a program that reads only the API's response predicts the next journal entry.
import { describe, expect, test } from "vitest";
import { action, drive, failure, hour, minute, success, T0 } from "#test/support/drive.ts";
import { predict } from "./predictor.ts";
import { answerOf, at, done, firstOf, held, holds, mailing } from "./world.ts";

describe("a program that sees only the answer predicts the next entry", () => {
  test("held by a rate", () => {
    const answer = holds(held("rate_limited", minute));
    expect(answer.waits[0]).toMatchObject({
      for: "connection",
      connection: "mail",
      reason: "rate_limited",
      until: at(minute),
    });
  });

  test("held by an open breaker", () => {
    expect(holds(held("circuit_open", hour)).waits[0]).toMatchObject({ for: "connection", reason: "circuit_open" });
  });

  test("a connection that needs attention", () => {
    const [wait] = holds(held("needs_attention", hour)).waits;
    expect(wait).toMatchObject({
      for: "connection",
      can: [{ verb: "read" }, { verb: "test", path: "/v1/connections/mail/test" }],
    });
  });

  test("a token that cannot be renewed just now", () => {
    expect(holds(held("unavailable", minute)).waits[0]).toMatchObject({ for: "connection", reason: "unavailable" });
  });

  test("a quota that is used up", () => {
    expect(holds(held("quota", hour, null)).waits[0]).toMatchObject({ for: "quota", run: "1.0", until: at(hour) });
  });

  test("a share of the queues that is taken", () => {
    const [wait] = holds(held("queue_share", minute, null)).waits;
    expect(wait).toMatchObject({ for: "queue_share", run: "1.0", until: at(minute) });
  });

  test.each([
    ["of a policy", "late"],
    ["of an unknown policy", null],
  ])("quiet hours %s", (_what, policy) => {
    const t = held("quiet_hours", hour, null);
    const hold = { reason: "quiet_hours", until: T0 + hour, connection: null, ...(policy ? { policy } : {}) } as const;
    const [wait] = holds(t.become({ ...t.state, runs: t.state.runs.map((run) => ({ ...run, held: hold })) })).waits;
    expect(wait).toMatchObject({ for: "quiet_hours", run: "1.0", policy, until: at(hour) });
  });

  test("a receipt that is waited for", () => {
    expect(holds(held("awaiting_receipt", minute)).waits[0]).toMatchObject({ for: "receipt" });
  });

  test("a date that is missing, for a run", () => {
    const delay = { anchor: { var: "execution.variables.wedding" } };
    const t = mailing({ delay }, { states: { open: { on: { "action.mail.ok": "done" } }, done } }).start();
    const answer = holds(t, { does: () => t.patch({ wedding: "2026-03-01T09:00:00Z" }) });
    expect(answer.waits).toMatchObject([{ for: "anchor", run: "1.0", anchor: { var: "execution.variables.wedding" } }]);
  });

  test("a run that waits for its delay", () => {
    const answer = holds(mailing({ delay: "PT2H" }).start());
    expect(answer.waits[0]).toMatchObject({ for: "run", status: "scheduled", until: at(2 * hour) });
  });

  test("a run whose condition does not hold", () => {
    const t = mailing({ delay: "PT2H", condition: { var: "execution.variables.wanted" } }).start();
    const answer = holds(t);
    expect(answer.waits[0]).toMatchObject({
      conditions: [{ result: false, values: { "execution.variables.wanted": null } }],
    });
    expect(predict(answer)).toMatchObject({ entry: { kind: "run_skipped", about: { reason: "condition_false" } } });
    expect(answerOf(t, 2 * hour).notDone).toMatchObject([
      { reason: "condition_false", conditions: [{ result: false }] },
    ]);
  });

  test("a run whose validity ends before its turn", () => {
    const answer = holds(mailing({ delay: "PT2H", validUntil: at(hour) }).start());
    expect(answer.waits[0]).toMatchObject({ expiresAt: at(hour) });
    expect(predict(answer)).toMatchObject({ entry: { kind: "run_skipped", about: { reason: "no_longer_valid" } } });
  });

  test("a run that is on its way", () => {
    const answer = holds(mailing().start());
    expect(predict(answer)).toMatchObject({ brings: "runner", entry: { kind: "run_claimed" } });
    expect(answer.or).toMatchObject([{ kind: "run_resent", by: "time", at: at(minute) }, { by: "event" }]);
  });

  test("a run that is being carried out, however it ends", () => {
    for (const outcome of [success(), failure()]) {
      const answer = holds(mailing().start().claim("mail"), { outcome });
      expect(predict(answer)).toMatchObject({ brings: "runner", entry: { kind: "run_settled" } });
      const ends = [answer.next, ...answer.or].filter(({ assumes }) => assumes !== null);
      expect(ends.map(({ assumes, with: [first] }) => [assumes, first?.kind])).toEqual([
        ["ok", "run_ok"],
        ["failed", "run_retry"],
      ]);
    }
  });

  test("a run without a response", () => {
    const t = mailing().start().claim("mail");
    const { or } = answerOf(t, 0);
    const byTime = or.find(({ by }) => by === "time");
    const due = Date.parse(byTime?.at ?? "") - T0;
    expect(firstOf(t, () => t.tickAt(due - 1))).toBeNull();
    expect(firstOf(t, () => t.tickAt(due))).toMatchObject({ kind: byTime?.kind, run: "1.0" });
  });

  test("a run in backoff", () => {
    const answer = holds(mailing().start().miss("mail"));
    expect(answer.waits[0]).toMatchObject({
      for: "run",
      status: "retry",
      attempt: 1,
      error: { type: "service_unavailable" },
    });
  });

  test("all slots taken", () => {
    const actions = [action("first", { triggerState: "open" }), action("second", { triggerState: "open" })];
    const t = drive({ states: { open: { on: { paid: "done" } }, done }, actions })
      .start()
      .claim("first");
    const answer = holds(t);
    expect(answer.waits).toMatchObject([{ run: "1.0" }, { for: "slot", run: "1.1", takenBy: ["1.0"], ahead: 0 }, {}]);
    expect(answer.next).toMatchObject({
      assumes: "ok",
      with: [{ kind: "run_ok" }, {}, { kind: "run_dispatched", run: "1.1" }],
    });
  });

  test("several at once: each may be the next", () => {
    const actions = [action("first", { triggerState: "open" }), action("second", { triggerState: "open" })];
    const t = drive({ concurrency: 2, states: { open: { on: { paid: "done" } }, done }, actions }).start();
    const { next, or } = answerOf(t.claim("first").claim("second"), 0);
    const candidates = [next, ...or].filter(({ by }) => by === "runner").map(({ about }) => about["run"]);
    expect(new Set(candidates)).toEqual(new Set(["1.0", "1.1"]));
    expect(firstOf(t, () => t.settle("second", success()))).toMatchObject({ kind: "run_settled", run: "1.1" });
  });
});
