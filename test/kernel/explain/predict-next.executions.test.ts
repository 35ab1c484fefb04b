// Predictions about the whole execution, people, children and the end: a program that reads only the API's response
// predicts the next journal entry.
import { describe, expect, test } from "vitest";
import { action, ask, day, drive, hour, minute, T0 } from "#test/support/drive.ts";
import { confirmed } from "#test/support/outbox/messages.ts";
import { predict } from "./predictor.ts";
import { answerOf, at, done, holds, mailing } from "./world.ts";

describe("a program that sees only the answer predicts the next entry", () => {
  test("a child that has been started", () => {
    const t = drive({
      states: { open: { on: { child_completed: "done", child_failed: "done" } }, done },
      actions: [
        action("child", { type: "start_execution", triggerState: "open", config: { definition: "x", wait: true } }),
      ],
    }).start();
    t.ok("child", { result: { execution: "exe_kid", definition: "x", wait: true } });
    const answer = holds(t, { does: () => t.event("child_completed", { run: "1.0", execution: "exe_kid" }) });
    expect(answer.waits).toContainEqual(expect.objectContaining({ for: "child", execution: "exe_kid", run: "1.0" }));
    expect(answer.next).toMatchObject({ by: "child", events: ["child_completed", "child_failed"] });
    const offers = answer.waits.flatMap(({ can }) => can.map(({ path }) => path));
    expect(offers).toEqual(["/v1/executions/exe_kid/explain"]);
  });

  test("a task that only a person can end, and a handled dead letter, whose archiving comes last", () => {
    const t = drive({
      concurrency: 2,
      states: { open: { on: { "action.mail.failed": {}, task_completed: "done" } }, done },
      actions: [
        action("mail", { triggerState: "open", retryPolicy: { maxAttempts: 1 } }),
        action("check", { type: "task", triggerState: "open", config: { title: "Check" } }),
      ],
    }).start();
    t.miss("mail").ok("check", { tasks: [{ run: t.run("check").id, id: "tsk_1", isOpen: true }] });
    const answer = answerOf(t, 0);
    expect(answer.next).toMatchObject({ kind: "event_received", by: "person", at: null, events: ["task_completed"] });
    expect(answer.or).toMatchObject([{ kind: "dead_letter_archived", by: "time", at: at(30 * day) }]);
    expect(answer.waits).toContainEqual(expect.objectContaining({ for: "task", title: "Check" }));
    const offers = answer.waits.flatMap(({ can }) => can.map(({ path }) => path));
    expect(offers).toEqual(["/v1/tasks/tsk_1", "/v1/tasks/tsk_1/complete"]);
  });

  test("a timer behind the archiving of a handled dead letter", () => {
    const t = drive({
      states: { open: { on: { "action.mail.failed": {} }, after: { P60D: "done" } }, done },
      actions: [action("mail", { triggerState: "open", retryPolicy: { maxAttempts: 1 } })],
    }).start();
    const { next, or } = answerOf(t.miss("mail"), 0);
    expect(next).toMatchObject({ kind: "timer_fired", at: at(60 * day) });
    expect(or).toMatchObject([{ kind: "dead_letter_archived", at: at(30 * day) }]);
  });

  test("a person who has a task to do", () => {
    const t = drive({
      states: { open: { on: { task_completed: "done" } }, done },
      actions: [action("check", { type: "task", triggerState: "open", config: { title: "Check" } })],
    }).start();
    const watch = { remind: { at: T0 + day, everyMs: null, given: 0, left: 1 }, escalateAt: T0 + 2 * day };
    t.ok("check", { tasks: [{ run: "1.0", id: "tsk_1", isOpen: true, watch }] });
    const answer = holds(t);
    expect(answer.waits[0]).toMatchObject({ for: "task", task: "tsk_1", remindAt: at(day), escalateAt: at(2 * day) });
    expect(predict(answer)).toMatchObject({
      at: at(day),
      entry: { kind: "task_update_due", about: { update: "remind" } },
    });
  });

  test("a dead letter that waits", () => {
    const t = mailing({ retryPolicy: { maxAttempts: 1 } })
      .start()
      .miss("mail");
    const answer = answerOf(t, 0);
    expect(answer.waits[0]).toMatchObject({ for: "person", run: "1.0", until: at(30 * day) });
    expect(answer.or).toContainEqual(expect.objectContaining({ kind: "run_redriven", by: "person" }));
    expect(predict(holds(t))).toMatchObject({ at: at(30 * day), entry: { kind: "dead_letter_archived" } });
  });

  test("paused by what failed", () => {
    const t = mailing({ retryPolicy: { maxAttempts: 1 }, onExhausted: "pause" })
      .start()
      .miss("mail");
    const answer = holds(t, { does: () => t.resume() });
    expect(answer.waits[0]).toMatchObject({ for: "resume", error: { type: "service_unavailable" } });
  });

  test("a tenant that is suspended", () => {
    const t = mailing({ delay: "PT1H" }).start().suspend();
    const answer = holds(t, { suspended: true, does: () => t.suspend(false).tickAt(21 * day) });
    expect(answer.next).toMatchObject({ by: "tenant", kind: "run_dispatched", at: null, earliest: at(hour) });
    expect(answer.waits[0]).toMatchObject({ for: "tenant" });
  });

  test("finished, with a failure that was handled", () => {
    const t = mailing(
      { retryPolicy: { maxAttempts: 1 } },
      { states: { open: { on: { "action.mail.failed": "done" } }, done }, retention: "P7D" },
    );
    const answer = holds(t.start().miss("mail"));
    expect(predict(answer)).toEqual({ brings: "nothing", until: at(7 * day) });
    expect(answer.ended).toMatchObject({ status: "completed", at: at(0), error: null });
    expect(answer.notDone).toMatchObject([
      { status: "failed", reason: "handled", heard: { event: "action.mail.failed", state: "done" } },
    ]);
  });

  test("failed, and why", () => {
    const t = mailing({ retryPolicy: { maxAttempts: 1 }, onExhausted: "fail" })
      .start()
      .miss("mail");
    const answer = holds(t);
    expect(answer.ended).toMatchObject({ status: "failed", error: { type: "service_unavailable" } });
    expect(predict(answer)).toMatchObject({
      brings: "time",
      at: at(30 * day),
      entry: { kind: "dead_letter_archived" },
    });
  });

  test("ended, while its parent has still to hear of it", () => {
    const parent = { execution: "exe_parent", run: "3.0", action: "child", incarnation: 0 };
    const t = drive({ states: { open: { on: { paid: "done" } }, done } });
    t.take(ask.start({}, { parent })).event("paid");
    const answer = holds(t, { does: () => t.take(ask.parentNotified()) });
    expect(answer.waits).toMatchObject([{ for: "parent", execution: "exe_parent", until: at(minute) }]);
  });

  test("a key that the directory has still to confirm", () => {
    const correlation = { key: { var: "execution.variables.order" } };
    const t = drive({ correlation, states: { open: { on: { paid: "done" } }, done } }).start({ order: "o-1" });
    const confirm = confirmed({ kind: "correlation_key", key: "1" });
    const answer = holds(t, { does: () => t.clock(0).take(confirm) });
    expect(answer.waits).toContainEqual(expect.objectContaining({ for: "directory", key: "o-1" }));
  });
});
