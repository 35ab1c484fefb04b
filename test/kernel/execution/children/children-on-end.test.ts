// Children of an execution that is canceled, fails, or is left by an exit.
import { describe, expect, test } from "vitest";
import type { ChildPolicy } from "#schema/engine/child.ts";
import { action, ask, drive, hour, minute, T0, type Drive } from "#test/support/drive.ts";
import { act, go } from "../../programs/journey/drive-journey.ts";
import { cancel, childEnds, childrenDone, kept, made, sent, starting, starts, withChild } from "./with-children.ts";
import { naming } from "#test/support/matchers/naming.ts";

const actor = { kind: "key", id: "key_1" };
const failing = (onCancel: ChildPolicy): Drive =>
  starting(starts("begin", { wait: true, onCancel }), action("mail", { triggerState: "a", onExhausted: "fail" }))
    .ok("begin", { result: { execution: "exe_child" } })
    .miss("mail", { retryable: false });

const ways: readonly (readonly [string, (onCancel: ChildPolicy) => Drive, "canceled" | "failed"])[] = [
  ["canceled", (onCancel) => withChild(onCancel).take(cancel()), "canceled"],
  ["canceled while paused", (onCancel) => withChild(onCancel).pause().take(cancel()), "canceled"],
  ["ended in failure by its machine", (onCancel) => withChild(onCancel).event("fall"), "failed"],
  ["failed by a run", failing, "failed"],
];

describe.each(ways)("of one that is %s", (_what, end, status) => {
  test("children are canceled: the execution has ended, and sends the requests", () => {
    const t = end("cancel");
    expect([t.status, kept(t), sent(t)]).toEqual([status, [`1.0 exe_child execution_${status}`], 1]);
    expect(t.newLines()).toContain(`children_stopped 1.0: execution_${status}`);
    t.take(childrenDone({}));
    expect([kept(t), t.newLines()]).toEqual([[], ["child_settled 1.0 begin: canceled"]]);
  });

  test("children are left, and named", () => {
    const t = end("leave");
    expect([t.status, kept(t), sent(t)]).toEqual([status, [], 0]);
    expect(t.newLines()).toContain(`children_left 1.0: execution_${status}`);
  });

  test("children are waited for, and it ends when they have", () => {
    const t = end("wait");
    expect([t.status, t.state.finishedAt, kept(t)]).toEqual(["waiting", null, ["1.0 exe_child wait"]]);
    expect(t.state.ending).toMatchObject({ as: status, at: T0 });
    expect(t.newLines()).toContain(`ending as ${status}: 1.0`);
    expect(t.refused(childEnds()).code).toBe("execution_final");
    t.clock(hour).take(childrenDone({ found: "ended", execution: "exe_child" }));
    expect([t.status, t.state.finishedAt]).toEqual([status, T0 + hour]);
    expect(t.state).not.toHaveProperty("ending");
    expect(t.newLines()).toEqual(["child_settled 1.0 begin: ended", expect.stringMatching(`^${status}`)]);
  });
});

describe("one that is ending", () => {
  const ending = () => withChild("wait").take(cancel());

  test("knows who asked for it, and why", () => {
    const t = ending();
    expect([t.state.reason, t.state.ending]).toEqual(["enough", { as: "canceled", at: T0, reason: "enough", actor }]);
  });

  test.each<[string, () => ReturnType<typeof ask.tick>]>([
    ["an event", () => ask.event("go")],
    ["a patch", () => ask.patch({ n: 1 })],
    ["a pause", () => ask.pause()],
    ["a resume", () => ask.resume()],
    ["run now", () => ask.runNow({ action: "begin" })],
  ])("does not take %s, and says why and what to do", (_what, command) => {
    expect(ending().refused(command())).toMatchObject({
      code: "execution_final",
      message: naming("canceled", "2026-01-05T09:00:00.000Z"),
      hint: naming('"children"', '"cancel"', '"leave"'),
    });
  });

  test("cannot be erased", () => {
    expect(ending().refused(ask.erase())).toMatchObject({ code: "execution_live" });
  });

  test("has removed its timers, runs, events and tasks", () => {
    const t = starting(
      starts("begin", { onCancel: "wait" }),
      action("ask", { type: "task", triggerState: "a", config: { title: "?" } }),
      action("later", { triggerState: "a", delay: "PT1H" }),
    );
    t.ok("begin", { result: { execution: "exe_child" } }).ok("ask", {
      tasks: [{ run: "1.1", id: "tsk_1", isOpen: true }],
    });
    t.take(cancel());
    expect([t.status, t.runs()]).toEqual(["waiting", ["begin ok", "ask ok", "later canceled"]]);
    expect(t.state.tasks).toMatchObject([{ withdrawn: { reason: "execution_canceled" } }]);
  });

  test("is canceled again without another word: nothing changes", () => {
    const t = ending();
    const { seq } = t.state;
    expect(t.take(cancel()).state.seq).toBe(seq);
  });

  test("canceled again with children: cancel: it ends, and sends the requests", () => {
    const t = ending().take(cancel("cancel"));
    expect([t.status, kept(t), t.state.reason]).toEqual(["canceled", ["1.0 exe_child execution_canceled"], "enough"]);
  });

  test("canceled again with children: leave: it ends", () => {
    const t = ending().take(cancel("leave"));
    expect([t.status, kept(t), t.newLines()]).toEqual([
      "canceled",
      [],
      expect.arrayContaining(["children_left 1.0: execution_canceled", "canceled"]),
    ]);
  });

  test("takes what was in flight: its child has its part, too", () => {
    const t = starting(starts("begin", { onCancel: "wait" }), starts("late", { onCancel: "cancel" }));
    t.ok("begin", { result: { execution: "exe_child" } })
      .claim("late")
      .take(cancel())
      .settle("late", made("exe_late"));
    expect([t.status, kept(t)]).toEqual(["waiting", ["1.0 exe_child wait", "1.1 exe_late execution_canceled"]]);
    t.take(childrenDone({ run: "1.0", found: "ended", execution: "exe_child" }));
    expect([t.status, kept(t)]).toEqual(["canceled", ["1.1 exe_late execution_canceled"]]);
  });

  test("stops for no verdict of a run any more, but for what cannot be stored", () => {
    const t = starting(
      starts("begin", { onCancel: "wait" }),
      action("mail", { triggerState: "a", retryPolicy: { maxAttempts: 1 }, onExhausted: "pause" }),
    );
    t.ok("begin", { result: { execution: "exe_child" } }).miss("mail");
    expect(t.status).toBe("paused");
    t.take(cancel()).retry("mail").miss("mail");
    expect([t.status, t.runs()]).toEqual(["waiting", ["begin ok", "mail failed"]]);
    t.take({ kind: "fail", error: { type: "not_storable", message: "too large", retryable: false } });
    expect([t.status, kept(t), t.newLines().slice(-2)]).toEqual([
      "failed",
      [],
      ["failed: not_storable", "children_left 1.0: execution_failed"],
    ]);
  });

  test("fails with what failed it first", () => {
    const t = failing("wait").take(childrenDone({ found: "ended", execution: "exe_child" }));
    expect(t.state.error).toMatchObject({ type: "service_unavailable" });
  });
});

describe("a cancellation with its own policy", () => {
  test.each<[ChildPolicy, ChildPolicy, string, string[]]>([
    ["leave", "cancel", "canceled", ["1.0 exe_child execution_canceled"]],
    ["cancel", "leave", "canceled", []],
    ["cancel", "wait", "waiting", ["1.0 exe_child wait"]],
    ["wait", "cancel", "canceled", ["1.0 exe_child execution_canceled"]],
  ])("may say otherwise than %s: %s", (said, instead, status, left) => {
    const t = withChild(said).take(cancel(instead));
    expect([t.status, kept(t)]).toEqual([status, left]);
  });

  test("applies to each child: requests that were sent are not sent again", () => {
    const t = starting(starts("begin"), starts("other", { onCancel: "wait" }));
    t.ok("begin", { result: { execution: "exe_1" } })
      .ok("other", { result: { execution: "exe_2" } })
      .take(cancel());
    expect(kept(t)).toEqual(["1.0 exe_1 execution_canceled", "1.1 exe_2 wait"]);
    t.newLines();
    t.take(cancel("cancel"));
    expect(t.newLines()).toEqual(["children_stopped 1.1: execution_canceled", "canceled"]);
  });

  test("gets through where nothing can be made sense of: those that were to be waited for are left", () => {
    const t = withChild("wait");
    const runs = t.state.runs.map((run) => ({
      ...run,
      action: "gone",
      status: "running" as const,
      deadlineAt: T0 - hour,
    }));
    t.become({ ...t.state, runs }).take(cancel());
    expect([t.status, kept(t)]).toEqual(["canceled", []]);
  });
});

describe("a journey that is left by an exit", () => {
  const wait = { type: "wait", for: [{ event: "never" }] };
  const exiting = (onCancel: ChildPolicy, exit: object = {}) =>
    go({
      initial: ["done", "asks"],
      exitWhen: [{ event: "off", outcome: "completed", ...exit }],
      nodes: {
        done: act(undefined, { undo: { type: "webhook", config: { url: "https://example.com" } } }),
        asks: { type: "journey", definition: "child", onCancel },
        never: wait,
      },
    })
      .start()
      .ok("asks", { result: { execution: "exe_child" } })
      .ok("done");
  const run = (t: { readonly state: Drive["state"] }): string => t.state.children?.[0]?.run ?? "?";

  test("cancels its children, however it ends", () => {
    const t = exiting("cancel");
    const child = run(t);
    t.event("off");
    expect([t.status, kept(t)]).toEqual(["completed", [`${child} exe_child exited`]]);
  });

  test("leaves them", () => {
    const t = exiting("leave").event("off");
    expect([t.status, kept(t)]).toEqual(["completed", []]);
  });

  test("waits for them", () => {
    const t = exiting("wait");
    const child = run(t);
    t.event("off");
    expect([t.status, kept(t)]).toEqual(["waiting", [`${child} exe_child wait`]]);
    t.take(childrenDone({ run: child, found: "ended" }));
    expect([t.status, kept(t)]).toEqual(["completed", []]);
  });

  test("takes nothing back while a child may still be at work", () => {
    const t = exiting("cancel", { outcome: "canceled", compensate: true });
    const child = run(t);
    t.event("off");
    expect([t.status, t.runs().filter((line) => line.startsWith("done:undo"))]).toEqual(["waiting", []]);
    t.take(childrenDone({ run: child }));
    expect(t.runs()).toContain("done:undo queued");
    expect(t.ok("done:undo").status).toBe("canceled");
  });

  test("does not stop what takes something back", () => {
    const undo = { type: "start_execution", config: { definition: "refund", wait: true } };
    const t = go({
      initial: ["done"],
      exitWhen: [{ event: "off", outcome: "canceled", compensate: true }],
      nodes: { done: act("never", { undo }), never: wait },
    });
    t.start()
      .ok("done")
      .event("off")
      .ok("done:undo", { result: { execution: "exe_refund" } });
    expect([t.status, t.state.children ?? []]).toEqual(["canceled", []]);
  });

  test("is canceled while it waits: without taking anything back", () => {
    const t = exiting("wait", { compensate: true }).event("off").take(cancel("leave"));
    expect([t.status, kept(t)]).toEqual(["canceled", []]);
  });
});

test("one without children costs nothing of it", () => {
  const t = drive({ states: { a: { on: { go: "a" } } } })
    .start()
    .cancel();
  expect(t.state).not.toHaveProperty("children");
  expect(t.effects).toEqual([{ kind: "project" }]);
});

test("history goes once all have been seen to, and nothing is erased before", () => {
  const t = withChild("cancel").take(cancel());
  expect(t.refused(ask.erase())).toMatchObject({ code: "execution_live", message: naming("exe_child") });
  t.tickAt(2 * hour);
  expect(t.effects).not.toContainEqual({ kind: "purge" });
  t.clock(2 * hour + minute).take(childrenDone({}));
  t.tickAt(3 * hour);
  expect(t.effects).toContainEqual({ kind: "purge" });
  const unknown = starting(starts("begin")).claim("begin").take(cancel()).tickAt(hour);
  expect(unknown.refused(ask.erase())).toMatchObject({ code: "execution_live", message: naming("1.0") });
});
