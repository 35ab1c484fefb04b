// A node that fails permanently without onFailed: the journey pauses, fails, or waits, and it never completes silently.
import { describe, expect, test } from "vitest";
import { ask, day, failure, hour, success } from "#test/support/drive.ts";
import { act, go } from "./drive-journey.ts";

const final = { retryable: false };

describe("by default", () => {
  const nodes = { a: act("b"), b: act() };
  const stopped = () => {
    const t = go({ nodes });
    t.start().miss("a", final);
    return t;
  };

  test("the journey pauses, and the node has failed", () => {
    const t = stopped();
    expect([t.status, t.state.reason, t.marks()]).toEqual(["paused", "action_failed", { a: "failed" }]);
    expect([t.state.error?.message, t.position().counts.failed]).toEqual(["503", 1]);
  });

  test.each([
    ["retried with success", { a: "done", b: "waiting" }],
    ["skipped", { a: "skipped by_operator", b: "waiting" }],
    ["archived", { a: "failed archived", b: "skipped not_reached" }],
  ])("the journey continues when the dead letter is %s", (how, marks) => {
    const t = stopped();
    if (how === "skipped") t.verb({ kind: "skip", target: { node: "a" } });
    else if (how === "archived") t.archive("a");
    else t.retry("a").ok("a");
    expect([t.status === "paused", t.marks(), t.state.error]).toEqual([false, marks, null]);
  });

  test("the journey pauses again when the retry fails", () => {
    const t = stopped();
    t.retry("a").miss("a", final);
    expect([t.status, t.marks()]).toEqual(["paused", { a: "failed" }]);
  });

  test("an operator may resume without a decision: the rest continues, and the node waits", () => {
    const t = go({ initial: ["a", "c"], nodes: { ...nodes, c: act() } });
    t.start().miss("a", final).resume().ok("c");
    expect([t.status, t.marks()]).toEqual(["waiting", { a: "failed", c: "done" }]);
    t.retry("a").ok("a").ok("b");
    expect(t.status).toBe("completed");
  });

  test("several failures need several decisions", () => {
    const t = go({ initial: ["a", "c"], nodes: { ...nodes, c: act() } });
    t.start().claimAll().settle("a", failure(final)).settle("c", failure(final));
    expect(t.retry("a").status).toBe("paused");
    expect(t.archive("c").status).toBe("active");
    t.ok("a").ok("b");
    expect([t.status, t.marks()]).toEqual(["completed", { a: "done", b: "done", c: "failed archived" }]);
  });

  test("a pause by an operator stays a pause after the decision", () => {
    const t = stopped();
    t.resume().take(ask.pause("audit")).retry("a");
    expect([t.status, t.state.reason]).toEqual(["paused", "audit"]);
  });

  test("a failure that is tolerated, or that onFailed follows, pauses nothing", () => {
    const each = { type: "each", times: 2, tolerate: 1, node: { type: "webhook", config: {} } };
    const t = go({
      initial: ["a", "e"],
      nodes: { a: act("b", { onFailed: "b", onExhausted: "pause" }), b: act(), e: each },
    });
    t.start().miss("a", final).miss("e", final);
    expect([t.status, t.marks()["a"]]).toEqual(["active", "failed"]);
    t.miss("e", final);
    expect([t.status, t.marks()["e"]]).toEqual(["paused", "failed"]);
  });

  test("a second item that fails while the first one waits pauses again after a resume", () => {
    const t = go({ concurrency: 2, nodes: { e: { type: "each", times: 2, node: { type: "webhook", config: {} } } } });
    const [one, other] = t.start().state.runs.map(({ id }) => String(id));
    t.claimAll().settle(String(one), failure(final)).resume().settle(String(other), failure(final));
    expect([t.status, t.marks()]).toEqual(["paused", { e: "failed" }]);
    t.retry(String(one)).retry(String(other)).ok(String(one)).ok(String(other));
    expect(t.status).toBe("completed");
  });
});

describe("no operator decides in time", () => {
  test("a paused journey fails, and it names the node", () => {
    const t = go({ nodes: { a: act("b"), b: act() } });
    t.start().miss("a", final);
    expect(t.wake).toBe(30 * day);
    t.tickAt(30 * day);
    expect([t.status, t.state.error?.type, t.marks()]).toEqual(["failed", "not_decided", { a: "failed" }]);
    expect(t.state.error?.message).toContain("a failed");
  });

  test("a suspended tenant's journey waits until the tenant returns", () => {
    const t = go({ nodes: { a: act("b"), b: act() } });
    t.start()
      .miss("a", final)
      .suspend(true)
      .tickAt(31 * day);
    expect(t.status).toBe("paused");
    expect(t.suspend(false).tickAt(32 * day).status).toBe("failed");
  });

  test.each(["deadLetter", { event: "gone" }])(
    "with onExhausted %j the rest ends first, and then the journey fails",
    (onExhausted) => {
      const c = act(undefined, { delay: "P40D" });
      const t = go({ initial: ["a", "c"], nodes: { a: act("b", { onExhausted }), b: act(), c } });
      t.start()
        .miss("a", final)
        .tickAt(30 * day);
      expect([t.status, t.marks()]).toEqual([
        "waiting",
        { a: "failed not_decided", b: "skipped not_reached", c: "waiting" },
      ]);
      t.tickAt(40 * day).ok("c");
      expect([t.status, t.state.error?.type, t.position().counts.failed]).toEqual(["failed", "not_decided", 1]);
    },
  );

  test("a repeated node, too", () => {
    const node = { type: "webhook", config: {}, onExhausted: "deadLetter" };
    const t = go({ nodes: { e: { type: "each", times: 1, node } } });
    t.start()
      .miss("e", final)
      .tickAt(30 * day);
    expect([t.status, t.marks()]).toEqual(["failed", { e: "failed not_decided" }]);
  });

  test("a handled failure changes nothing", () => {
    const t = go({
      initial: ["a", "c"],
      nodes: { a: act(undefined, { onFailed: "b" }), b: act(), c: act(undefined, { delay: "P40D" }) },
    });
    t.start()
      .miss("a", final)
      .ok("b")
      .tickAt(30 * day);
    t.tickAt(40 * day).ok("c");
    expect([t.status, t.marks()["a"]]).toEqual(["completed", "failed"]);
  });
});

describe("onExhausted: fail", () => {
  const nodes = {
    a: act("next", { onExhausted: "fail" }),
    b: act("next"),
    c: act("next"),
    later: act(undefined, { delay: "P1D" }),
    asked: { type: "task", config: { title: "Call" }, await: { for: ["task_completed"] } },
    listed: { type: "each", times: 2, node: { type: "webhook", config: {} } },
    next: act(),
  };
  const failed = () => {
    const t = go({ initial: ["a", "b", "c", "later", "asked", "listed"], nodes });
    t.start().claimAll().settle("a", failure(final));
    return t;
  };
  const closed = "skipped execution_failed";

  test("the node has failed, and nodes in progress are skipped", () => {
    const t = failed();
    expect([t.status, t.at]).toEqual(["failed", "a"]);
    expect(t.marks()).toEqual({ a: "failed", b: closed, c: closed, later: closed, asked: closed, listed: closed });
    expect(t.position().counts).toEqual({ done: 0, skipped: 5, failed: 1, of: 7 });
  });

  test("a call in flight that succeeds makes its node done, and one that fails does not", () => {
    const t = failed();
    t.settle("b", success()).settle("c", failure(final)).settle("asked", success()).settle("listed", success());
    expect(t.marks()).toMatchObject({ a: "failed", b: "done", c: closed, asked: closed, listed: closed });
    expect(t.marks()).not.toHaveProperty("next");
    expect(t.position().counts).toEqual({ done: 1, skipped: 4, failed: 1, of: 7 });
  });

  test("a retry of the failed node after the end makes it done, and changes nothing else", () => {
    const t = failed();
    t.clock(hour).retry("a").ok("a");
    expect([t.status, t.at, t.marks()["a"], t.position().counts.failed]).toEqual(["failed", "", "done", 0]);
  });

  test("during a pause the journey fails when it is resumed", () => {
    const t = go({ nodes: { a: act(undefined, { onExhausted: "fail" }) } });
    t.start().claim("a").pause().settle("a", failure(final));
    expect(t.status).toBe("paused");
    expect([t.resume().status, t.marks()]).toEqual(["failed", { a: "failed" }]);
  });
});
