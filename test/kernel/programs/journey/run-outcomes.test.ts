// A node whose action has failed permanently: its onFailed edge, or an operator who decides.
import { describe, expect, test } from "vitest";
import { compile } from "#kernel/programs/compile.ts";
import { openWork } from "#kernel/computing/work.ts";
import { ask, failure, hour, success, T0 } from "#test/support/drive.ts";
import { naming, notNaming } from "#test/support/matchers/naming.ts";
import { act, go, journey } from "./drive-journey.ts";

const forGood = { retryable: false };

describe("with onFailed", () => {
  const nodes = { a: act("next", { onFailed: "help" }), next: act(), help: act() };

  test("that is taken, and its next dies", () => {
    const t = go({ nodes });
    t.start().miss("a", forGood);
    expect(t.marks()).toEqual({ a: "failed", next: "skipped not_reached", help: "waiting" });
    expect(t.run("a").handledAt).not.toBeNull();
    expect(t.ok("help").status).toBe("completed");
  });

  test("a success that comes later changes nothing once that has begun", () => {
    const t = go({ nodes });
    t.start().miss("a", forGood).retry("a", { force: true }).ok("a");
    expect(t.marks()).toEqual({ a: "done", next: "skipped not_reached", help: "waiting" });
    expect(t.position().counts).toEqual({ done: 1, skipped: 1, failed: 0, of: 3 });
    expect(t.ok("help").status).toBe("completed");
  });

  test("a success that comes before that has begun takes next, and what follows failing dies", () => {
    const t = go({
      initial: ["a", "b"],
      nodes: { a: act("next", { onFailed: "help" }), b: act("help"), next: act("end"), help: act("end"), end: act() },
    });
    t.start().miss("a", forGood);
    expect(t.marks()).toEqual({
      a: "failed",
      b: "waiting",
      help: "pending",
      next: "skipped not_reached",
      end: "pending",
    });
    expect(t.run("a").handledAt).toBeUndefined();
    t.retry("a").ok("a");
    expect(t.marks()).toEqual({ a: "done", b: "waiting", help: "pending", next: "waiting", end: "pending" });
    t.ok("next").ok("b").ok("help");
    expect(t.ok("end").status).toBe("completed");
    expect(t.position().counts).toEqual({ done: 5, skipped: 0, failed: 0, of: 5 });
  });

  test("and where nothing else leads to what follows failing, that is skipped", () => {
    const b = act("help", { onFailed: "rest" });
    const t = go({
      initial: ["a", "b"],
      nodes: { a: act("next", { onFailed: "help" }), b, next: act(), help: act(), rest: act() },
    });
    t.start().miss("a", forGood).retry("a").ok("a").miss("b", forGood);
    expect(t.marks()).toMatchObject({ a: "done", b: "failed", next: "waiting", help: "skipped not_reached" });
  });

  test("what has begun meanwhile absorbs what comes after all", () => {
    const t = go({
      initial: ["a", "b", "c"],
      nodes: {
        a: act("join", { onFailed: "help" }),
        b: act("join"),
        c: act("help"),
        join: act(undefined, { join: "any" }),
        help: act(),
      },
    });
    t.start().miss("a", forGood).ok("b").retry("a").ok("a");
    expect(t.newLines()).toContain("token_absorbed join from a");
    expect(t.ok("c").ok("help").ok("join").status).toBe("completed");
  });

  test("all that was skipped for the sake of it is open again, but what is out of reach all the same", () => {
    const t = go({
      initial: ["a", "b"],
      nodes: {
        a: act(["one", "far"], { onFailed: "help" }),
        b: act("help"),
        one: act("two"),
        two: act(["three", "far"]),
        three: act(),
        far: act(undefined, { join: { of: 3 } }),
        gate: { type: "branch", cases: [{ guard: false, next: "far" }] },
        help: act("gate"),
      },
    });
    t.start().miss("a", forGood);
    expect(t.marks()).toMatchObject({
      one: "skipped not_reached",
      three: "skipped not_reached",
      far: "skipped not_reached",
    });
    t.retry("a").ok("a");
    expect(t.marks()).toMatchObject({ one: "waiting", two: "pending", three: "pending", far: "pending" });
    t.ok("one").ok("two").ok("three").ok("b").ok("help");
    expect([t.status, t.marks()["far"]]).toEqual(["completed", "skipped not_reached"]);
  });
});

describe("without onFailed, and with a dead letter as its end", () => {
  const nodes = { a: act("b", { onExhausted: "deadLetter" }), b: act() };

  test("it stays open, and the journey with it, until an operator decides", () => {
    const t = go({ nodes });
    t.start().miss("a", forGood);
    expect([t.status, t.at, t.marks()]).toEqual(["waiting", "a", { a: "failed" }]);
    expect(t.position().counts).toMatchObject({ done: 0, failed: 1 });
  });

  test("sent again with success, what follows it goes on", () => {
    const t = go({ nodes });
    t.start().miss("a", forGood).retry("a").ok("a");
    expect([t.at, t.marks()]).toEqual(["b", { a: "done", b: "waiting" }]);
    expect(t.position().counts).toMatchObject({ done: 1, failed: 0 });
  });

  test("sent again and too late by then, what follows it goes on", () => {
    const t = go({ nodes: { a: act("b", { maxLateness: "PT1H", onExhausted: "deadLetter" }), b: act() } });
    t.start()
      .miss("a", forGood)
      .clock(2 * hour)
      .retry("a");
    expect(t.marks()).toEqual({ a: "skipped late", b: "waiting" });
  });

  test("sent again and failed again, it is open as before", () => {
    const t = go({ nodes });
    t.start().miss("a", forGood).retry("a").miss("a", forGood);
    expect([t.at, t.marks()]).toEqual(["a", { a: "failed" }]);
  });

  test("archived, the nodes after it are not reached", () => {
    const t = go({ nodes });
    t.start().miss("a", forGood).archive("a");
    expect([t.status, t.marks()]).toEqual(["completed", { a: "failed archived", b: "skipped not_reached" }]);
  });

  test("a success that comes after that is noted, and moves nothing", () => {
    const t = go({ initial: ["a", "c"], nodes: { ...nodes, c: act() } });
    t.start().miss("a", forGood).archive("a");
    expect(t.marks()).toEqual({ a: "failed archived", b: "skipped not_reached", c: "waiting" });
    const { id, attempt } = t.run("a");
    t.take({
      kind: "settle",
      run: id,
      attempt,
      outcome: { ok: true, result: null, events: [], startedAt: 0, endedAt: 0 },
    });
    expect(t.marks()).toEqual({ a: "done", b: "skipped not_reached", c: "waiting" });
  });
});

test("onExhausted: an event may be what a wait listens for", () => {
  const nodes = {
    a: act("b", { onExhausted: { event: "gave.up" } }),
    b: act(),
    watch: { type: "wait", for: [{ event: "gave.up", next: "call" }] },
    call: act(),
  };
  const t = go({ initial: ["a", "watch"], nodes });
  t.start().miss("a", forGood);
  expect(t.marks()).toEqual({ a: "failed", watch: "done", call: "waiting" });
});

describe("a run that a person has begun of himself", () => {
  const nodes = { a: act("b"), b: act() };

  test("is refused while its node has not been reached, because the node would act again", () => {
    const t = go({ nodes });
    expect(t.start().refused(ask.runNow({ action: "b" }))).toMatchObject({ code: "verb_not_applicable" });
  });

  test("is the node's own run while that waits, so that the action is done once", () => {
    const t = go({ nodes: { ...nodes, a: act("b", { delay: "P1D" }) } });
    t.start().runNow({ action: "a" });
    expect(t.runs()).toEqual(["a queued"]);
    expect(t.entries.find(({ kind }) => kind === "run_brought_forward")).toMatchObject({ action: "a", run: "1.0" });
    expect(t.ok("a").runs()).toEqual(["a ok", "b queued"]);
  });

  test("is refused while the node's own run is in flight", () => {
    const t = go({ nodes });
    expect(
      t
        .start()
        .claim("a")
        .refused(ask.runNow({ action: "a" })).code,
    ).toBe("run_not_startable");
  });

  test("of a repeated node is the item that waits, or its timer", () => {
    const e = { type: "each", times: 2, every: "P1D", node: { type: "webhook", config: {} } };
    const t = go({ nodes: { e } });
    t.start().miss("e", {});
    expect(t.runNow({ action: "e" }).runs()).toEqual(["e queued"]);
    const refusal = t.ok("e").refused(ask.runNow({ action: "e" }));
    expect([refusal.code, refusal.hint]).toEqual(["verb_not_applicable", naming("e/every")]);
  });

  test("is refused while its node waits for an answer, with the ways to end the wait", () => {
    const asked = { type: "task", config: { title: "Call" }, await: { for: ["task_completed"], timeout: "P1D" } };
    const t = go({ nodes: { asked } });
    t.start().ok("asked");
    const refusal = t.refused(ask.runNow({ action: "asked" }));
    expect([refusal.code, refusal.hint]).toEqual(["verb_not_applicable", naming("asked/timeout", "complete", "skip")]);
    t.runNow({ timer: "asked/timeout" });
    expect(t.marks()).toEqual({ asked: "skipped await_timed_out" });
    const open = go({ nodes: { asked: { ...asked, await: { for: ["task_completed"] } } } });
    open.start().ok("asked");
    expect(open.refused(ask.runNow({ action: "asked" })).hint).toEqual(naming("complete"));
    expect(open.refused(ask.runNow({ action: "asked" })).hint).toEqual(notNaming("run-now"));
  });

  test("is refused for a node without an action, with the way out", () => {
    const pause = { type: "delay", for: "P1D", next: "later" };
    const wait = { type: "wait", for: [{ event: "yes" }], timeout: { after: "P1D" } };
    const t = go({ initial: ["pause", "wait"], nodes: { pause, wait, later: { type: "delay", for: "P1D" } } });
    t.start();
    const hintFor = (node: string) => {
      const { code, hint } = t.refused(ask.runNow({ action: node }));
      return [code, hint];
    };
    expect(hintFor("pause")).toEqual(["verb_not_applicable", naming("pause/delay", "run-now")]);
    expect(hintFor("wait")).toEqual(["verb_not_applicable", naming("wait/timeout", "complete")]);
    expect(hintFor("later")).toEqual(["verb_not_applicable", naming("before")]);
    t.runNow({ timer: "pause/delay" });
    expect(hintFor("pause")).toEqual(["verb_not_applicable", naming("restart")]);
  });

  test("of an undo is a run of its own", () => {
    const undo = { type: "webhook", config: {} };
    const t = go({ nodes: { a: act("b", { undo }), b: act() } });
    expect(t.start().runNow({ action: "a:undo" }).runs()).toEqual(["a queued", "a:undo queued"]);
  });

  test("changes nothing once its node is done", () => {
    const t = go({ nodes });
    t.start().ok("a").runNow({ action: "a" }).ok("a");
    expect([t.at, t.marks()]).toEqual(["b", { a: "done", b: "waiting" }]);
  });
});

test("sent again after its way on has begun, and skipped then, it stays failed", () => {
  const t = go({ nodes: { a: act("b", { onFailed: "c", maxLateness: "PT1H" }), b: act(), c: act() } });
  t.start()
    .miss("a", forGood)
    .clock(2 * hour)
    .retry("a", { force: true });
  expect([t.run("a").status, t.marks()["a"]]).toEqual(["skipped", "failed"]);
});

test("a handled failure needs no operator once the journey was exited", () => {
  const nodes = { a: act("b", { onFailed: "c" }), b: act(), d: act("c"), c: act() };
  const t = go({ initial: ["a", "d"], exitWhen: [{ event: "left" }], nodes });
  t.start().claim("d").miss("a", forGood);
  expect(t.run("a").handledAt).toBeUndefined();
  t.event("left");
  expect(t.run("a").handledAt).not.toBeNull();
});

test("archived after its onFailed edge was taken, nothing changes", () => {
  const t = go({ nodes: { a: act("b", { onFailed: "c" }), b: act(), c: act() } });
  t.start().miss("a", forGood).archive("a");
  expect(t.marks()).toEqual({ a: "failed", b: "skipped not_reached", c: "waiting" });
});

describe("after the journey has been left", () => {
  const exitWhen = [{ event: "left" }];

  test("a call that was out and fails is recorded, and its node stays as it was", () => {
    const t = go({ exitWhen, nodes: { a: act("b"), b: act() } });
    t.start().claim("a").event("left").settle("a", failure(forGood));
    expect([t.status, t.runs(), t.marks()]).toEqual(["completed", ["a canceled"], { a: "skipped exited" }]);
  });

  test("one run of what is repeated does not make it done, nor the asking of what waits for an answer", () => {
    const each = { type: "each", times: 2, node: { type: "webhook", config: {} } };
    const ask = { type: "task", config: { title: "Call" }, await: { for: ["task_completed"] } };
    const t = go({ exitWhen, initial: ["e", "q"], nodes: { e: each, q: ask } });
    t.start().claimAll().event("left").settle("q", success()).settle("e", success());
    expect(t.marks()).toEqual({ e: "skipped exited", q: "skipped exited" });
  });
});

test.each([
  ["of a node that was not reached", "action.c.ok"],
  ["of a node that has ended", "action.a.failed"],
])("a result %s has no effect", (_what, type) => {
  const nodes = { a: act("b"), b: act("c"), c: act() };
  const t = go({ nodes });
  t.start().ok("a");
  const at = { now: T0, planned: T0 };
  expect(compile(journey({ nodes })).react(t.position(), {}, type, {}, openWork(), at)).toBeNull();
});
