// Task updates of an execution: when they are due, how often they are sent, and which events the machine receives.
import { describe, expect, test } from "vitest";
import { taskUpdates } from "#kernel/execution/tasks/task-updates.ts";
import type { TaskWatch } from "#schema/engine/own-task.ts";
import { OUTBOX_MESSAGES_PER_DELIVERY_MAX } from "#schema/limits/run-attempts.ts";
import { action, ask, day, drive, failure, hour, minute, success, T0, type Drive } from "#test/support/drive.ts";
import { sendsOf, tasksUpdated, type UpdatedTask } from "#test/support/outbox/messages.ts";

const seen = {
  id: "tsk_1.1.0",
  title: "Approve",
  assignee: "ada",
  priority: null,
  dueAt: T0 + day,
  escalatedFrom: null,
};
const states = {
  a: {
    on: {
      go: "b",
      task_completed: "b",
      task_reminder: { assign: { reminded: { var: "message.payload" } } },
      task_escalated: { assign: { escalated: { var: "message.payload" } } },
    },
  },
  b: { type: "final" as const },
};
const remind = { at: T0 + hour, everyMs: hour, given: 0, left: 3 };
const task = action("ask", { type: "task", triggerState: "a", config: { title: "Approve" } });

function watched(watch: TaskWatch, part: { on?: Record<string, string> } = {}) {
  const t = drive({ states: { ...states, a: { ...states.a, ...part } }, actions: [task] }).start({
    reminded: null,
    escalated: null,
  });
  return t.ok("ask", { tasks: [{ run: "1.0", id: "tsk_1.1.0", isOpen: true, watch }] });
}
const reminded = () => watched({ remind, escalateAt: null });
const escalated = () => watched({ remind: null, escalateAt: T0 + hour });
const sent = (t: Drive) => sendsOf(t, "task_update");
const done = (kind: UpdatedTask["kind"], part: Partial<UpdatedTask> = {}) =>
  tasksUpdated({ run: "1.0", kind, found: "open", task: seen, ...part });
const owed = (t: Drive) => taskUpdates(t.state).map(({ kind }) => kind);

describe("a reminder", () => {
  test("wakes its execution when it is due, and the machine hears of it when the task was found open", () => {
    const t = reminded();
    expect(t.wake).toBe(hour);
    t.tickAt(hour);
    expect([owed(t), sent(t)]).toEqual([["remind"], 1]);
    expect(t.entries.at(-1)).toMatchObject({ kind: "task_update_due", run: "1.0", action: "ask", update: "remind" });
    t.take(done("remind", { number: 1 }));
    const payload = {
      taskId: "tsk_1.1.0",
      actionId: "ask",
      run: "1.0",
      title: "Approve",
      assignee: "ada",
      priority: null,
      dueAt: "2026-01-06T09:00:00.000Z",
      number: 1,
    };
    expect(t.state.variables).toMatchObject({ reminded: payload });
    expect([owed(t), t.wake]).toEqual([[], 2 * hour]);
  });

  test("comes as often as it says, and no more", () => {
    const t = reminded();
    for (const number of [1, 2, 3]) {
      t.tickAt(number * hour).take(done("remind", { number }));
      expect(t.state.variables).toMatchObject({ reminded: { number } });
    }
    expect(t.wake).toBeNull();
  });

  test("comes once where nothing says how often", () => {
    const t = watched({ remind: { ...remind, everyMs: null }, escalateAt: null }).tickAt(hour);
    expect(t.take(done("remind", { number: 1 })).wake).toBeNull();
  });

  test("that was missed is the newest only, and the next one is after now", () => {
    const t = reminded().tickAt(2 * hour + minute);
    expect([owed(t), t.state.tasks?.[0]?.watch?.remind?.at]).toEqual([["remind"], T0 + 3 * hour]);
  });

  test("that is not given yet is not given twice: the later one takes its place", () => {
    const t = reminded()
      .tickAt(hour)
      .tickAt(2 * hour);
    expect(taskUpdates(t.state)).toEqual([{ kind: "remind", key: "remind/1.0/2", run: "1.0", number: 2 }]);
    t.take(done("remind", { number: 1 }));
    expect(t.state.variables).toMatchObject({ reminded: null });
  });

  test("waits out a pause", () => {
    const t = reminded().pause();
    expect(t.wake).toBeNull();
    expect(owed(t.tickAt(hour))).toEqual([]);
    expect(owed(t.resume())).toEqual(["remind"]);
  });

  test("waits while its tenant is suspended", () => {
    expect(owed(reminded().suspend().tickAt(hour))).toEqual([]);
  });

  test("without a listener is recorded, and changes no state", () => {
    const t = watched({ remind, escalateAt: null }, { on: { go: "b" } })
      .tickAt(hour)
      .take(done("remind", { number: 1 }));
    expect(t.entries.at(-1)).toMatchObject({ kind: "event_ignored", type: "task_reminder", source: "task" });
  });

  test.each(["closed", "none"] as const)("of a task that is %s is the last", (found) => {
    const t = reminded()
      .tickAt(hour)
      .take(done("remind", { number: 1, found }));
    expect([t.wake, t.state.variables.reminded, t.state.tasks]).toMatchObject([null, null, [{ run: "1.0" }]]);
  });

  test("found open without its details is done, and sends no event", () => {
    const t = reminded().tickAt(hour);
    t.take(tasksUpdated({ run: "1.0", kind: "remind", number: 1, found: "open" }));
    expect([owed(t), t.state.variables.reminded]).toEqual([[], null]);
  });
});

describe("an escalation", () => {
  test("is sent when it is due, and gives an event", () => {
    const t = escalated().tickAt(hour);
    expect([owed(t), sent(t)]).toEqual([["escalate"], 1]);
    const task = { ...seen, assignee: "grace", priority: 90, dueAt: null, escalatedFrom: "ada" };
    t.take(done("escalate", { task }));
    expect(t.state.variables).toMatchObject({
      escalated: { assignee: "grace", priority: 90, dueAt: null, escalatedFrom: "ada", taskId: "tsk_1.1.0" },
    });
    expect([owed(t), t.wake]).toEqual([[], null]);
  });

  test("leaves the reminders as they are", () => {
    const t = watched({ remind, escalateAt: T0 + minute })
      .tickAt(minute)
      .take(done("escalate"));
    expect(t.wake).toBe(hour);
  });

  test("and a reminder that are due together go out together", () => {
    const t = watched({ remind, escalateAt: T0 + hour }).tickAt(hour);
    expect([owed(t), sent(t)]).toEqual([["escalate", "remind"], 1]);
    t.take(done("escalate"));
    expect([owed(t), sent(t)]).toEqual([["remind"], 0]);
  });

  test("is not sent any more once the task has ended", () => {
    const t = watched({ remind: null, escalateAt: T0 + hour });
    t.take(ask.event("task_completed", null, "task/1.0"));
    expect(t.state.tasks).toEqual([]);
  });
});

describe("updates", () => {
  test("go out again with growing gaps, until they are done", () => {
    const t = reminded().tickAt(hour);
    t.take(ask.event("go"));
    let at = hour;
    for (const gap of [minute, 5 * minute, 15 * minute, hour, hour]) {
      at += gap;
      expect(t.wake).toBe(at);
      expect(sent(t.tickAt(at))).toBe(1);
    }
    t.take(tasksUpdated({ run: "1.0", kind: "withdraw", found: "open" }));
    expect(t.state.tasks).toEqual([]);
  });

  test("keep the history of what has ended until they are done", () => {
    const t = drive({ retention: "PT1H", states, actions: [task] }).start({ reminded: null, escalated: null });
    t.ok("ask").cancel().tickAt(day);
    expect(t.effects.map(({ kind }) => kind)).not.toContain("purge");
    t.take(tasksUpdated({ run: "1.0", kind: "withdraw", found: "open" }));
    expect(t.tickAt(day + 1).effects.map(({ kind }) => kind)).toContain("purge");
  });

  test("go with what is erased", () => {
    const t = reminded().cancel().take(ask.erase());
    expect(t.state.tasks).toEqual([]);
    expect(t.effects.map(({ kind }) => kind)).toContain("purge");
  });

  test.each<[string, UpdatedTask]>([
    ["of a task that is not known", { run: "0.9", kind: "withdraw", found: "open" }],
    ["that is not in the outbox", { run: "1.0", kind: "withdraw", found: "open" }],
    ["of another number", { run: "1.0", kind: "remind", number: 7, found: "open", task: seen }],
  ])("done %s change nothing", (_what, each) => {
    const t = reminded().tickAt(hour);
    const { seq } = t.state;
    expect(t.take(tasksUpdated(each)).state.seq).toBe(seq);
  });

  test("of an execution without tasks change nothing", () => {
    const t = drive({ states }).start({ reminded: null, escalated: null });
    expect(t.take(tasksUpdated({ run: "1.0", kind: "withdraw", found: "none" })).state.seq).toBe(1);
  });

  test("that are new go out at once, beside those that wait", () => {
    const other = { ...task, actionId: "other" };
    const t = drive({ concurrency: 2, states, actions: [task, other] }).start({ reminded: null, escalated: null });
    const watch = { remind: null, escalateAt: T0 + hour };
    const later = { remind: null, escalateAt: T0 + hour + minute / 2 };
    t.claimAll();
    t.settle("1.0", success({ tasks: [{ run: "1.0", id: "tsk_1.1.0", isOpen: true, watch }] }));
    t.settle("1.1", success({ tasks: [{ run: "1.1", id: "tsk_1.1.1", isOpen: true, watch: later }] }));
    t.tickAt(hour).tickAt(hour + minute / 2);
    expect([owed(t), sent(t)]).toEqual([["escalate", "escalate"], 1]);
    expect(sent(t.take(done("escalate")))).toBe(0);
  });
});

describe("a withdrawal", () => {
  const withdrawn = (t: Drive, found: UpdatedTask["found"]) =>
    t.take(tasksUpdated({ run: "1.0", kind: "withdraw", found }));

  test.each(["open", "closed"] as const)("that found the task %s is the end of it", (found) => {
    const t = withdrawn(reminded().cancel(), found);
    expect(t.state.tasks).toEqual([]);
    expect(t.entries.at(-1)).toMatchObject({ kind: "task_updated", update: "withdraw", found });
  });

  test("that found none, of a run that had created one, ends the withdrawal", () => {
    expect(withdrawn(reminded().cancel(), "none").state.tasks).toEqual([]);
  });

  test("that found none, of a run that never could have made one, is the end of it", () => {
    const t = drive({ states, actions: [task] }).start({ reminded: null, escalated: null });
    t.miss("ask", { type: "invalid_configuration", retryable: false }).cancel();
    expect(withdrawn(t, "none").state.tasks).toEqual([]);
  });

  test("that found none, of a run with unknown outcome, is repeated a few times", () => {
    const t = drive({ states, actions: [task] })
      .start({ reminded: null, escalated: null })
      .miss("ask")
      .cancel();
    expect(sent(withdrawn(t, "none"))).toBe(0);
    expect(sent(t.tickAt(minute))).toBe(1);
    expect(sent(withdrawn(t, "none"))).toBe(0);
    expect(sent(t.tickAt(6 * minute))).toBe(1);
    expect(withdrawn(t, "none").state.tasks).toEqual([]);
  });

  test("of a run that is no longer stored is repeated as well", () => {
    const t = reminded().cancel();
    withdrawn(t.become({ ...t.state, runs: [] }), "none");
    expect(t.state.tasks).toMatchObject([{ withdrawn: { looks: 1 } }]);
  });

  test("that found none beside one that was found waits for its time", () => {
    const both = { concurrency: 2, states, actions: [task, { ...task, actionId: "other" }] };
    const t = drive(both).start({ reminded: null, escalated: null }).claimAll();
    t.settle("1.0", success({ tasks: [{ run: "1.0", id: "tsk_1.1.0", isOpen: true }] }));
    t.settle("1.1", failure()).cancel();
    const none = { run: "1.1", kind: "withdraw", found: "none" } as const;
    t.take(tasksUpdated({ run: "1.0", kind: "withdraw", found: "open" }, none));
    expect([sent(t), taskUpdates(t.state)]).toMatchObject([0, [{ run: "1.1", looks: 1 }]]);
  });

  test("brings the next message with it, where there were more than one delivery handles", () => {
    const all = Array.from({ length: OUTBOX_MESSAGES_PER_DELIVERY_MAX + 1 }, (_, n) => `1.${n}`);
    const actions = all.map((run) => ({ ...task, actionId: `ask${run.slice(2)}` }));
    const t = drive({ concurrency: all.length, states, actions }).start({ reminded: null, escalated: null }).claimAll();
    for (const run of all) t.settle(run, success({ tasks: [{ run, id: `tsk_1.${run}`, isOpen: true }] }));
    t.cancel();
    const updated = all.slice(1).map((run) => ({ run, kind: "withdraw", found: "open" }) as const);
    expect(sent(t.take(tasksUpdated(...updated)))).toBe(1);
    expect(taskUpdates(t.state)).toMatchObject([{ kind: "withdraw", run: "1.0" }]);
  });

  test("finds a task that was created after the first check", () => {
    const t = drive({ states, actions: [task] })
      .start({ reminded: null, escalated: null })
      .miss("ask")
      .cancel();
    withdrawn(t, "none").tickAt(minute);
    expect(withdrawn(t, "open").state.tasks).toEqual([]);
  });
});
