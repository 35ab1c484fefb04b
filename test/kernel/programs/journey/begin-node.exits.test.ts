// Ends of the whole journey: exit nodes, and goals that are reached in any position.
import { describe, expect, it, test } from "vitest";
import { ask, success } from "#test/support/drive.ts";
import { act, go } from "./drive-journey.ts";
import { naming } from "#test/support/matchers/naming.ts";

describe("an exit node", () => {
  it("18 exit, join half full", () => {
    const nodes = {
      a: act("join"),
      b: act("join"),
      c: act("end"),
      join: act("after"),
      after: act(),
      end: { type: "exit" },
    };
    const t = go({ initial: ["a", "b", "c"], nodes });
    t.start().ok("a").ok("c");
    // b was not sent yet: it is canceled in that step, and the join never starts.
    expect([t.status, t.runs()]).toEqual(["completed", ["a ok", "b canceled", "c ok"]]);
    expect(t.marks()).toEqual({ a: "done", b: "skipped exited", c: "done", end: "done", join: "pending" });
  });

  it("takes everything back in one commit but the call in flight, whose end is recorded and moves nothing", () => {
    const nodes = {
      a: act("next"),
      next: act(),
      c: act("end"),
      later: act(undefined, { delay: "P1D" }),
      end: { type: "exit" },
    };
    const t = go({ initial: ["a", "c", "later"], nodes });
    t.start().claim("a").ok("c");
    expect([t.status, t.at, t.runs()]).toEqual(["active", "", ["a running", "c ok", "later canceled"]]);
    expect(t.marks()["a"]).toBe("skipped exited");
    t.settle("a", success());
    expect([t.marks()["a"], t.position().counts]).toEqual(["done", { done: 2, skipped: 1, failed: 0, of: 4 }]);
    expect([t.status, t.runs(), t.marks()["next"]]).toEqual([
      "completed",
      ["a ok", "c ok", "later canceled"],
      undefined,
    ]);
  });

  test("leaves an undecided failure as it is, and disarms every timer", () => {
    const w = { type: "wait", for: [{ event: "x" }], timeout: { after: "P9D" } };
    const a = act(undefined, { onExhausted: "deadLetter" });
    const t = go({ initial: ["a", "c", "w"], nodes: { a, c: act("end"), w, end: { type: "exit" } } });
    t.start().miss("a", { retryable: false }).ok("c");
    expect([t.status, t.timers()]).toEqual(["completed", {}]);
    expect(t.marks()).toEqual({ a: "failed", c: "done", w: "skipped exited", end: "done" });
    expect(t.position().counts).toEqual({ done: 1, skipped: 1, failed: 1, of: 3 });
  });

  test.each(["completed", "failed", "canceled"] as const)("may say that it is %s", (outcome) => {
    const t = go({ nodes: { end: { type: "exit", outcome } } });
    expect(t.start().status).toBe(outcome);
    const error = outcome === "failed" ? { type: "journey_failed", message: naming("end"), retryable: false } : null;
    expect(t.state.error).toEqual(error);
  });
});

describe("goals", () => {
  const exitWhen = [
    { event: "booked", outcome: "completed" as const },
    { event: "canceled", outcome: "canceled" as const },
  ];

  test("an event ends it in any position", () => {
    const t = go({ exitWhen, nodes: { a: act(undefined, { delay: "P1D" }) } });
    t.start().event("canceled");
    expect([t.status, t.runs(), t.timers()]).toEqual(["canceled", ["a canceled"], {}]);
    expect(t.position().exit).toMatchObject({ by: "exitWhen/1", outcome: "canceled" });
    expect(t.newLines()).toContain("exited by exitWhen/1: canceled");
  });

  test("goes before a wait for the same event", () => {
    const t = go({ exitWhen, nodes: { w: { type: "wait", for: [{ event: "booked", next: "x" }] }, x: act() } });
    expect([t.start().event("booked").status, t.marks()]).toEqual(["completed", { w: "skipped exited" }]);
  });

  test("a guard may say that it is not meant", () => {
    const t = go({ exitWhen: [{ event: "booked", guard: { var: "message.payload" } }], nodes: { a: act() } });
    t.start();
    expect(t.refused(ask.event("booked", false)).code).toBe("event_not_accepted");
    expect(t.event("booked", true).status).toBe("completed");
  });

  test("a rule that comes true ends it; true at the start, nothing goes out", () => {
    const goal = { when: { var: "execution.variables.won" }, assign: { at: "the end" } };
    const t = go({ exitWhen: [goal], nodes: { a: act() } });
    expect(t.start().patch({ won: true }).state.variables).toEqual({ won: true, at: "the end" });
    expect([t.status, t.runs()]).toEqual(["completed", ["a canceled"]]);
    const other = go({ exitWhen: [goal], variables: { won: true }, nodes: { a: act() } });
    expect([other.start().status, other.runs(), other.effects.map(({ kind }) => kind)]).toEqual([
      "completed",
      ["a canceled"],
      ["project"],
    ]);
  });

  it("19 two exits in a step", () => {
    const end = { type: "exit", outcome: "failed" };
    const goal = { when: { var: "execution.variables.done" }, outcome: "canceled" as const };
    const a = { ...act(["one", "two"]), assign: { done: true } };
    const nodes = { a, one: end, two: { type: "exit", outcome: "completed" } };
    const t = go({ exitWhen: [goal], nodes });
    t.start().ok("a");
    // The first exit counts; the others find the journey ended.
    expect([t.status, t.position().exit?.by]).toEqual(["failed", "one"]);
    expect(t.newLines().filter((line) => line.startsWith("exited"))).toEqual(["exited by one: failed"]);
    expect(t.marks()).toMatchObject({ one: "done" });
    expect(t.marks()["two"]).toBeUndefined();
  });
});
