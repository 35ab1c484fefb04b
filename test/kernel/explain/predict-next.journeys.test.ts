// Predictions about journeys: a program that reads only the API's response predicts the next journal entry.
import { describe, expect, test } from "vitest";
import { ask, day, failure, hour, minute, T0 } from "#test/support/drive.ts";
import { confirmed } from "#test/support/outbox/messages.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import { act, go } from "../programs/journey/drive-journey.ts";
import { fateOf, predict } from "./predictor.ts";
import { answerOf, at, firstOf, holds } from "./world.ts";

describe("a program that sees only the answer of a journey predicts the next entry", () => {
  test("a delay node", () => {
    const answer = holds(go({ nodes: { a: { type: "delay", for: "P3D", next: "b" }, b: act() } }).start());
    expect(predict(answer)).toMatchObject({
      at: at(3 * day),
      entry: { kind: "timer_fired", about: { timer: "a/delay" } },
    });
    expect(answer.waits).toMatchObject([{ for: "timer", timer: "a/delay", state: "a", until: at(3 * day) }]);
  });

  test("the first of several events, a rule, or the timeout", () => {
    const vip = { ">": [{ var: "execution.variables.total" }, 50] };
    const wait = {
      type: "wait",
      for: [{ event: "signed", next: "b" }, { event: "paid", guard: vip, next: "b" }, { when: vip }],
      timeout: { after: "P7D", next: "c" },
    };
    const nodes = { a: wait, b: act(), c: act() };
    const t = go({ variables: { total: 40 }, nodes }).start();
    const answer = holds(t);
    expect(predict(answer)).toMatchObject({
      at: at(7 * day),
      entry: { kind: "timer_fired", about: { timer: "a/timeout" } },
    });
    expect(answer.waits).toMatchObject([
      { for: "timer", timer: "a/timeout" },
      { for: "event", event: "signed", would: "accepted", states: ["a"], to: ["b"] },
      { for: "event", event: "paid", would: "refused", guards: [{ at: "/nodes/a/for/1/guard", result: false }] },
      {
        for: "variables",
        guards: [{ at: "/nodes/a/for/2/when", result: false, values: { "execution.variables.total": 40 } }],
      },
    ]);
    const other = go({ variables: { total: 40 }, nodes }).start();
    expect(other.refused(ask.event("paid")).code).toBe("event_not_accepted");
    expect(firstOf(other, () => other.event("signed"))).toMatchObject({ kind: "event_received" });
  });

  test("an event for a wait that is still ahead is kept for it", () => {
    const wait = { type: "wait", for: [{ event: "signed", guard: false }] };
    const t = go({ nodes: { a: { type: "delay", for: "P3D", next: "b" }, b: wait } }).start();
    expect(fateOf(answerOf(t, 0), "signed")).toBe("accepted");
    expect(firstOf(t, () => t.event("signed"))).toMatchObject({ kind: "event_received" });
    const late = go({ nodes: { a: { ...wait, for: [{ event: "signed" }], next: "b" }, b: act() } })
      .start()
      .event("signed");
    expect(fateOf(answerOf(late, 0), "signed")).toBe("event_too_late");
    expect(late.refused(ask.event("signed")).code).toBe("event_too_late");
  });

  test("a join that is half full", () => {
    const b = act("c", { onExhausted: "deadLetter" });
    const nodes = { a: act("c"), b, d: act("c"), c: act(undefined, { join: { of: 2 } }) };
    const t = go({ initial: ["a", "b", "d"], nodes })
      .start()
      .ok("a");
    const answer = holds(t);
    expect(answer.waits).toContainEqual(
      expect.objectContaining({ for: "join", node: "c", needs: 2, taken: 1, dead: 0, from: ["b", "d"] }),
    );
    expect(predict(answer)).toMatchObject({ brings: "runner", run: "1.1", entry: { kind: "run_claimed" } });
    expect(
      answerOf(t.settle("b", failure({ retryable: false })).ok("d"), 0).waits.some((wait) => wait.for === "join"),
    ).toBe(false);
  });

  test("a join of all, one way of which is dead", () => {
    const branch = { type: "branch", cases: [{ guard: false, next: "c" }, { next: "b" }] };
    const nodes = { a: act("c"), x: branch, b: act("c"), c: act() };
    const t = go({ initial: ["a", "x"], nodes })
      .start()
      .ok("a");
    const join = answerOf(t, 0).waits.find((wait) => wait.for === "join");
    expect(join).toMatchObject({ node: "c", needs: 3, taken: 1, dead: 1, from: ["b"] });
  });

  test("a date that is missing, for a node's delay", () => {
    const delays = { later: { anchor: { var: "execution.variables.date" }, offset: "-P2D" } };
    const t = go({ delays, nodes: { a: act(undefined, { delay: "later" }) } }).start();
    const answer = holds(t, { does: () => t.patch({ date: at(60 * day) }) });
    expect(answer.waits).toMatchObject([{ for: "anchor", run: "1.0", delay: "later" }]);
  });

  test("a step whose condition does not hold when its time comes", () => {
    const condition = { var: "execution.variables.wanted" };
    const t = go({ nodes: { a: act("b", { delay: "P1D", condition }), b: act() } }).start();
    const answer = holds(t);
    expect(predict(answer)).toMatchObject({
      at: at(day),
      entry: { kind: "run_skipped", about: { reason: "condition_false" } },
    });
    expect(answer.next.with).toMatchObject([
      { kind: "moved", to: "b" },
      { kind: "run_created" },
      { kind: "run_dispatched" },
    ]);
  });

  test("a node that failed permanently, and waits for an operator", () => {
    const a = act("b", { retryPolicy: { maxAttempts: 1 }, onExhausted: "deadLetter" });
    const t = go({ nodes: { a, b: act() } })
      .start()
      .miss("a");
    const answer = holds(t);
    expect(predict(answer)).toMatchObject({ at: at(30 * day), entry: { kind: "dead_letter_archived" } });
    expect(answer.waits).toMatchObject([{ for: "person", run: "1.0", action: "a" }]);
  });

  test("a node that failed permanently, and has paused the journey", () => {
    const t = go({ nodes: { a: act("b", { retryPolicy: { maxAttempts: 1 } }), b: act() } })
      .start()
      .miss("a");
    const answer = holds(t);
    expect(answer.waits).toMatchObject([{ for: "resume" }, { for: "person", run: "1.0", action: "a" }]);
  });

  test("a cap that its subject has reached", () => {
    const subject = { var: "execution.variables.who" };
    const caps = { gentle: { max: 1, per: "P7D" } };
    const t = go({ subject, caps, nodes: { a: act(undefined, { cap: "gentle" }) } });
    t.take({ ...ask.start({ who: "ada" }), subject: { key: "ada", until: T0 + hour } } as ReturnType<typeof ask.start>);
    const error = { type: "rate_limit", message: "not tried", retryable: true };
    const held = { reason: "cap", until: T0 + hour, connection: null } as const;
    const outcome: Outcome = { ok: false, error, held, startedAt: T0, endedAt: T0 };
    t.claim("a").settle("a", outcome);
    const answer = holds(t);
    expect(answer.waits).toMatchObject([
      { for: "cap", run: "1.0", cap: "gentle", subject: "ada", max: 1, until: at(hour) },
    ]);
    expect(predict(answer)).toMatchObject({ at: at(hour), entry: { kind: "run_dispatched" } });
    const ended = t.claim("a").settle("a", { ok: true, result: null, events: [], startedAt: T0, endedAt: T0 });
    const told = holds(ended, { does: () => ended.take(confirmed({ kind: "subject_ended", key: "ada" })) });
    expect(told.waits).toMatchObject([{ for: "subject", key: "ada", until: at(hour + minute) }]);
  });

  test("a window that is closed, and opens tomorrow", () => {
    const windows = { polite: { from: "07:00", to: "08:00" } };
    const t = go({ windows, nodes: { a: act(undefined, { window: "polite" }) } }).start();
    const answer = holds(t); // it is 09:00
    expect(answer.waits).toMatchObject([{ for: "window", run: "1.0", window: windows.polite, until: at(22 * hour) }]);
    expect(predict(answer)).toMatchObject({
      at: at(22 * hour),
      entry: { kind: "run_dispatched", about: { run: "1.0" } },
    });
  });

  test("a run that will find its window closed when its time comes, and one whose window opens too late", () => {
    const windows = { polite: { from: "07:00", to: "08:00" } };
    const later = { window: "polite", delay: "PT2H" };
    const held = holds(go({ windows, nodes: { a: act(undefined, later) } }).start());
    const about = { run: "1.0", reason: "window", until: at(22 * hour) };
    expect(predict(held)).toMatchObject({ at: at(2 * hour), entry: { kind: "run_held", about } });
    const tooLate = holds(go({ windows, nodes: { a: act(undefined, { ...later, maxLateness: "PT1H" }) } }).start());
    expect(predict(tooLate)).toMatchObject({ entry: { kind: "run_skipped", about: { reason: "no_window" } } });
  });

  test("a person whose task it awaits, and no other's", () => {
    const task = { type: "task", config: { title: "Call" }, await: { for: ["task_completed"], timeout: "P14D" } };
    const t = go({ nodes: { a: task } }).start();
    t.ok("a", { tasks: [{ run: "1.0", id: "tsk_1", isOpen: true }] });
    const answer = answerOf(t, 0);
    expect(answer.waits).toContainEqual(expect.objectContaining({ for: "task", task: "tsk_1", action: "a" }));
    expect(fateOf(answer, "task_completed")).toBe("depends");
    expect(t.refused(ask.event("task_completed", { run: "9.9" })).code).toBe("event_not_accepted");
    expect(predict(holds(t))).toMatchObject({ at: at(14 * day), entry: { kind: "timer_fired" } });
  });

  test("a child that it has started as a journey", () => {
    const t = go({ nodes: { a: { type: "journey", definition: "other", next: "b" }, b: act() } }).start();
    t.ok("a", { result: { execution: "exe_kid", wait: true } });
    const answer = holds(t, { does: () => t.event("child_completed", { run: "1.0", execution: "exe_kid" }) });
    expect(answer.waits).toContainEqual(expect.objectContaining({ for: "child", execution: "exe_kid", action: "a" }));
    expect(answer.next).toMatchObject({ by: "child" });
  });

  test("the next of what it repeats", () => {
    const each = { type: "each", times: 3, every: "P7D", until: { event: "signed" }, node: act(), next: "b" };
    const answer = holds(
      go({ nodes: { a: each, b: act() } })
        .start()
        .ok("a"),
    );
    expect(predict(answer)).toMatchObject({
      at: at(7 * day),
      entry: { kind: "timer_fired", about: { timer: "a/every" } },
    });
    expect(fateOf(answer, "signed")).toBe("accepted");
  });

  test("an item of a list whose condition reads it", () => {
    const condition = { ">": [{ var: "item.age" }, 17] };
    const each = { type: "each", over: { var: "execution.variables.guests" }, node: act(undefined, { condition }) };
    const guests = [{ age: 40 }, { age: 4 }];
    const t = go({ concurrency: 1, nodes: { a: each } }).start({ guests });
    expect(answerOf(t, 0).waits).toMatchObject([{ for: "run", status: "queued", conditions: [] }]);
    const answer = answerOf(t.ok("a"), 0);
    expect(answer.notDone).toMatchObject([{ conditions: [{ result: false, values: { "item.age": 4 } }] }]);
  });

  test("what was done being taken back", () => {
    const exitWhen = [{ event: "canceled", outcome: "canceled" as const, compensate: true }];
    const undo = { type: "webhook", config: { url: "https://example.com/undo" } };
    const nodes = { a: act("b", { undo }), b: { type: "wait", for: [{ event: "signed" }] } };
    const t = go({ exitWhen, nodes }).start().ok("a").event("canceled");
    const answer = holds(t);
    expect(answer.waits).toMatchObject([{ for: "run", action: "a:undo", status: "queued" }]);
    expect(fateOf(answer, "signed")).toBe("event_too_late");
    expect(predict(holds(t))).toMatchObject({ brings: "runner", entry: { kind: "run_settled" } });
  });

  test("a goal that is reached ends it, and what was not reached says so", () => {
    const exitWhen = [{ event: "canceled", outcome: "canceled" as const }];
    const branch = { type: "branch", cases: [{ guard: false, next: "d" }, { next: "b" }] };
    const nodes = { a: branch, b: { type: "wait", for: [{ event: "signed" }], next: "c" }, c: act(), d: act() };
    const t = go({ exitWhen, nodes }).start();
    const answer = answerOf(t, 0);
    expect(answer.notDone).toEqual([
      expect.objectContaining({ what: "node", node: "d", reason: "not_reached", at: at(0) }),
    ]);
    expect(answer.waits).toContainEqual(
      expect.objectContaining({ event: "canceled", states: ["exitWhen/0"], would: "accepted" }),
    );
    expect(predict(holds(t))).toMatchObject({ brings: "event", types: ["canceled", "signed"] });
    const ended = answerOf(t, 20 * day);
    expect(ended.ended).toMatchObject({ status: "canceled" });
    expect(ended.waits).toEqual([]);
    expect(ended.notDone.map((each) => each.what === "node" && [each.node, each.reason])).toContainEqual([
      "b",
      "exited",
    ]);
  });
});
