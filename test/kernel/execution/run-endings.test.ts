// Runs that fail permanently: dead letters, and the effect of onExhausted.
import { describe, expect, test } from "vitest";
import { action, ask, drive, failure, minute, T0 } from "#test/support/drive.ts";
import { one, type ActionPart } from "#test/support/one-mail.ts";
import { naming } from "#test/support/matchers/naming.ts";

describe("onExhausted", () => {
  const exhausted = (onExhausted: NonNullable<ActionPart>["onExhausted"], more: ActionPart = {}) =>
    one(
      { onExhausted, retryPolicy: { maxAttempts: 1 }, ...more },
      { a: { on: { gone: "b", "action.mail.failed": {} } }, b: { on: { x: "a" } } },
    );

  test("deadLetter: the execution goes on", () => {
    expect(exhausted("deadLetter").miss("mail").status).toBe("waiting");
  });

  test("fail: the execution fails with the run's error", () => {
    const t = exhausted("fail").miss("mail");
    expect(t.state).toMatchObject({ status: "failed", error: { type: "service_unavailable" } });
    expect(t.run("mail").deadLetter).toBe(true);
  });

  test("pause: the execution is paused, and says why", () => {
    const t = exhausted("pause").miss("mail");
    expect(t.state).toMatchObject({
      status: "paused",
      reason: "action_failed",
      error: { type: "service_unavailable" },
    });
    expect(t.resume().state).toMatchObject({ status: "waiting", reason: null, error: null });
  });

  test("pause: the machine stays where it is, and hears of it on resume", () => {
    const t = one({ onExhausted: "pause", retryPolicy: { maxAttempts: 1 } }).miss("mail");
    expect([t.at, t.state.buffer.map(({ message }) => message.type)]).toEqual(["a", ["action.mail.failed"]]);
    expect(t.resume().at).toBe("lost");
  });

  test("fail: the machine stays where it is", () => {
    expect(one({ onExhausted: "fail", retryPolicy: { maxAttempts: 1 } }).miss("mail").at).toBe("a");
  });

  test("pause: what has waited for the slot keeps waiting", () => {
    const t = drive({
      states: { a: { on: { x: "a" } } },
      actions: [
        action("mail", { triggerState: "a", onExhausted: "pause", retryPolicy: { maxAttempts: 1 } }),
        action("next", { triggerState: "a" }),
      ],
    })
      .start()
      .miss("mail");
    expect(t.runs()).toEqual(["mail failed", "next scheduled"]);
    expect(t.resume().runs()).toEqual(["mail failed", "next queued"]);
  });

  test("an event: the machine handles it", () => {
    expect(exhausted({ event: "gone" }).miss("mail").at).toBe("b");
  });

  test("fail: one that a person has paused fails", () => {
    expect(exhausted("fail").claim("mail").pause().settle("mail", failure()).status).toBe("failed");
  });

  test("pause: an execution paused by an operator keeps the error, and shows why it is waiting", () => {
    const t = exhausted("pause").claim("mail").take(ask.pause("customer asked")).clock(minute);
    t.settle("mail", failure());
    const error = { type: "service_unavailable" };
    expect(t.state).toMatchObject({ status: "paused", reason: "action_failed", pausedAt: T0 + minute, error });
    expect(t.state.buffer.map(({ message }) => message.type)).toEqual(["action.mail.failed"]);
    expect(t.newLines().slice(-2)).toEqual(["run_failed 1.0 mail: service_unavailable", "paused"]);
    expect(t.resume().state).toMatchObject({ status: "waiting", reason: null, error: null });
  });

  test("after the end it changes nothing: the execution is what it was", () => {
    const t = exhausted("fail").claim("mail").cancel().settle("mail", failure());
    expect(t.state).toMatchObject({ status: "canceled", error: null });
    expect(t.run("mail")).toMatchObject({ status: "canceled", deadLetter: false });
  });

  test("an event that comes with the same input finds it paused already", () => {
    const t = exhausted("pause", { timeout: 1_000 }).claim("mail").clock(minute).event("gone");
    expect([t.status, t.at]).toEqual(["paused", "a"]);
    expect(t.newLines().slice(-2)).toEqual(["paused", "event_buffered gone: paused"]);
    expect(exhausted("fail", { timeout: 1_000 }).claim("mail").clock(minute).refused(ask.event("gone")).code).toBe(
      "execution_final",
    );
  });
});

describe("verdicts of several runs", () => {
  type Exhausted = NonNullable<ActionPart>["onExhausted"];
  /** The runs end in this order, whatever their names. */
  const ending = (...each: readonly [string, Exhausted][]) =>
    drive({
      states: { a: { on: { x: "a" } } },
      concurrency: each.length,
      actions: each.map(([id, onExhausted]) =>
        action(id, { triggerState: "a", timeout: 1_000, onExhausted, retryPolicy: { maxAttempts: 1 } }),
      ),
    })
      .start()
      .claimAll();

  test.each([
    ["fail, then pause", "fail", "pause"],
    ["pause, then fail", "pause", "fail"],
  ] as const)("in one tick, %s: it fails", (_order, first, second) => {
    const t = ending(["one", first], ["two", second]).tickAt(minute);
    expect(t.state).toMatchObject({ status: "failed", error: { type: "timeout" } });
    expect(t.entries.filter(({ kind }) => kind === "paused")).toEqual([]);
  });

  test("one after the other: what is paused keeps the first error, and a later fail still fails it", () => {
    const t = ending(["one", "pause"], ["two", "pause"], ["three", "fail"]);
    t.settle("one", failure({ message: "first" })).settle("two", failure({ message: "second" }));
    expect(t.state).toMatchObject({ status: "paused", error: { message: "first" } });
    expect(t.entries.filter(({ kind }) => kind === "paused")).toHaveLength(1);
    expect(t.settle("three", failure({ message: "third" })).state).toMatchObject({
      status: "failed",
      error: { message: "third" },
    });
  });

  test("the first of equals says why", () => {
    const t = ending(["one", "pause"], ["two", "pause"]);
    t.clock(minute).tickAt(minute);
    expect(t.state.runs.map(({ error }) => error?.type)).toEqual(["timeout", "timeout"]);
    expect(t.state).toMatchObject({ status: "paused", error: t.run("one").error });
  });

  test("a definition's fault outranks a pause in the same step", () => {
    const never = { anchor: { var: "execution.variables.when" } };
    const t = drive({
      variables: { when: "never" },
      delays: { never },
      states: { a: { after: { PT1S: "b" } }, b: { after: { never: "a" } } },
      actions: [action("mail", { triggerState: "b", delay: "never", onExhausted: "pause" })],
    });
    t.start().tickAt(minute);
    const error = { type: "invalid_configuration", message: naming("execution.variables.when", "never") };
    expect(t.run("mail").error).toMatchObject(error);
    expect(t.state).toMatchObject({ status: "failed", error });
  });
});
