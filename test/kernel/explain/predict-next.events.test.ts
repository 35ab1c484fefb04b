// Predictions about events, timers and variables: a program that reads only the API's response predicts the next
// journal entry.
import { describe, expect, test } from "vitest";
import { ask, day, drive, hour, minute } from "#test/support/drive.ts";
import { fateOf, predict } from "./predictor.ts";
import { answerOf, at, done, firstOf, holds, mailing } from "./world.ts";

describe("a program that sees only the answer predicts the next entry", () => {
  test("a date that is missing, for a timer", () => {
    const delays = { later: { anchor: { var: "execution.variables.wedding" }, offset: "-P1D" } };
    const t = drive({ delays, states: { open: { after: { later: "done" } }, done } }).start();
    const answer = holds(t, { does: () => t.patch({ wedding: "2026-03-01T09:00:00Z" }) });
    expect(answer.waits).toMatchObject([
      { for: "anchor", timer: "open/after/later", values: { "execution.variables.wedding": null }, until: null },
    ]);
  });

  test("a guard that says no", () => {
    const guard = { ">": [{ var: "execution.variables.total" }, 50] };
    const t = drive({ variables: { total: 40 }, states: { open: { on: { paid: { guard, target: "done" } } }, done } });
    const answer = answerOf(t.start(), 0);
    expect(fateOf(answer, "paid")).toBe("refused");
    expect(answer.waits).toMatchObject([{ guards: [{ result: false, values: { "execution.variables.total": 40 } }] }]);
    expect(t.refused(ask.event("paid")).code).toBe("event_not_accepted");
    holds(t, { does: () => t.patch({ total: 60 }) });
    expect(fateOf(holds(t), "paid")).toBe("accepted");
  });

  test("a guard that only the event decides", () => {
    const guard = { ">": [{ var: "message.payload.amount" }, { var: "execution.variables.total" }] };
    const t = drive({ variables: { total: 40 }, states: { open: { on: { paid: { guard, target: "done" } } }, done } });
    const answer = answerOf(t.start(), 0);
    expect(fateOf(answer, "paid")).toBe("depends");
    expect(predict(answer)).toMatchObject({ brings: "event", types: ["paid"] });
    expect(t.refused(ask.event("paid", { amount: 30 })).code).toBe("event_not_accepted");
    expect(firstOf(t, () => t.event("paid", { amount: 50 }))).toMatchObject({ kind: "event_received" });
  });

  test("a guard on an automatic event", () => {
    const guard = { var: "execution.variables.ready" };
    const t = drive({ states: { open: { always: { guard, target: "done" } }, done } }).start();
    const answer = holds(t, { does: () => t.patch({ ready: true }) });
    expect(answer.waits).toMatchObject([{ for: "variables", guards: [{ result: false }] }]);
  });

  test("paused by a person, with a timer that comes due meanwhile", () => {
    const t = drive({ states: { open: { after: { PT1H: "done" }, on: { paid: "done" } }, done } })
      .start()
      .pause();
    const answer = holds(t, { clock: 2 * hour, does: () => t.clock(2 * hour).resume() });
    expect(answer.next.with.map(({ kind }) => kind)).toEqual(["timer_fired", "moved", "completed"]);
    expect(fateOf(answer, "paid")).toBe("kept");
  });

  test("the first of two events, or a timer before both", () => {
    const states = { open: { on: { paid: "done", canceled: "done" }, after: { P7D: "done" } }, done };
    const [one, other] = [drive({ states }).start(), drive({ states }).start()];
    const answer = holds(one);
    expect(predict(answer)).toMatchObject({ brings: "time", at: at(7 * day), entry: { kind: "timer_fired" } });
    expect(["paid", "canceled"].map((type) => fateOf(answer, type))).toEqual(["accepted", "accepted"]);
    expect(firstOf(other, () => other.event("canceled"))).toMatchObject({ kind: "event_received" });
  });

  test("the first of two events, and nothing else", () => {
    const t = drive({ states: { open: { on: { paid: "done", canceled: "done" } }, done } }).start();
    expect(predict(holds(t))).toMatchObject({ brings: "event", types: ["paid", "canceled"] });
  });

  test("an event that comes too early, and one that comes too late", () => {
    const states = { a: { on: { go: "b" } }, b: { on: { end: "done" } }, done };
    const t = drive({ states }).start();
    const early = answerOf(t, 0);
    expect([fateOf(early, "end"), fateOf(early, "nonsense")]).toEqual(["kept", "event_unknown"]);
    expect(firstOf(t, () => t.event("end"))).toMatchObject({ kind: "event_buffered" });
    const late = drive({ states, earlyEvents: "refuse" }).start();
    expect(fateOf(answerOf(late, 0), "end")).toBe("event_not_accepted");
    late.event("go");
    expect(fateOf(answerOf(late, 0), "go")).toBe(late.refused(ask.event("go")).code);
  });

  test("a timer that is armed", () => {
    const t = drive({ states: { open: { after: { P3D: "late" } }, late: { on: { paid: "done" } }, done } }).start();
    expect(holds(t).next.with).toMatchObject([{ kind: "moved", from: "open", to: "late" }]);
  });

  test("a timer that is due before the attempt under way ends", () => {
    const t = mailing({}, { states: { open: { after: { PT1M: "late" } }, late: { on: { paid: "done" } }, done } });
    t.start().claim("mail");
    const answer = holds(t, { clock: 2 * minute });
    expect(predict(answer)).toMatchObject({ brings: "time", at: at(2 * minute), entry: { kind: "run_retry" } });
    expect(answer.next.with).toMatchObject([{ kind: "timer_fired" }, { kind: "moved", to: "late" }, {}]);
  });

  test("a timer whose guard says no", () => {
    const guard = { var: "execution.variables.ready" };
    const t = drive({
      states: { open: { after: { P3D: { guard, target: "done" } }, on: { go: "done" } }, done },
    }).start();
    const answer = holds(t);
    expect(answer.next.with).toMatchObject([{ kind: "event_ignored" }]);
    expect(answer.waits[0]).toMatchObject({
      guards: [{ result: false, values: { "execution.variables.ready": null } }],
    });
    expect(answerOf(t, 3 * day).notDone).toMatchObject([
      { what: "timer", timer: "open/after/P3D", reason: "no_transition" },
    ]);
  });
});
