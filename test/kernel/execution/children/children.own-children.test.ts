// The children that an execution lists: from the claim of the run that may start a child, until the child has ended.
import { describe, expect, test } from "vitest";
import { CHILDREN_OPEN_MAX } from "#schema/limits/executions.ts";
import { ask, type failure, hour, minute, second, success, T0 } from "#test/support/drive.ts";
import { cancel, childEnds, kept, made, starting, starts, withChild } from "./with-children.ts";

describe("a child is known", () => {
  test("from the claim on, before it is known whether the child exists", () => {
    const t = starting(starts("begin"));
    expect(t.state).not.toHaveProperty("children");
    t.claim("begin");
    const child = { run: "1.0", action: "begin", onCancel: "cancel", execution: null, startBy: T0 + 30 * second };
    expect(t.state.children).toEqual([child]);
    t.settle("begin", made("exe_child"));
    expect(t.state.children).toEqual([{ ...child, execution: "exe_child" }]);
  });

  test("once, however often its run is tried; who may start it last counts", () => {
    const t = starting(starts("other", { wait: true }), starts("begin"))
      .claim("other")
      .miss("begin");
    const { wake } = t;
    t.tickAt(Number(wake)).claim("begin");
    expect(kept(t)).toEqual(["1.0 ? cancel", "1.1 ? cancel"]);
    expect(t.state.children?.map(({ startBy }) => startBy - T0)).toEqual([30 * second, Number(wake) + 30 * second]);
  });

  test.each<[string, Parameters<typeof starts>[1], string | null]>([
    ["is canceled with it", { wait: true }, "cancel"],
    ["is left, where that is said", { wait: true, onCancel: "leave" }, "leave"],
    ["is waited for, where that is said", { wait: true, onCancel: "wait" }, "wait"],
    ["is independent if its parent does not wait", { wait: false }, null],
    ["is its own, where that is said as well", { onCancel: "leave" }, null],
    ["is canceled with it, although its parent does not wait", { onCancel: "cancel" }, "cancel"],
    ["is waited for at the end alone", { onCancel: "wait" }, "wait"],
  ])("that %s", (_what, config, onCancel) => {
    const t = starting(starts("begin", config)).claim("begin");
    expect(kept(t)).toEqual(onCancel === null ? [] : [`1.0 ? ${onCancel}`]);
    t.settle("begin", made("exe_child"));
    expect(kept(t)).toEqual(onCancel === null ? [] : [`1.0 exe_child ${onCancel}`]);
  });

  test("not of other types, whatever their outcome", () => {
    const t = starting({ ...starts("begin"), type: "webhook" }).ok("begin", { result: { execution: "exe_child" } });
    expect(t.state).not.toHaveProperty("children");
  });

  test("where a run that older code had claimed says it", () => {
    const t = starting(starts("begin")).claim("begin");
    const { children: _children, ...before } = t.state;
    t.become(before).settle("begin", made("exe_child"));
    expect(kept(t)).toEqual(["1.0 exe_child cancel"]);
  });

  test("not where its config is gone by then, or the answer names none", () => {
    const t = starting(starts("begin")).claim("begin");
    const { children: _children, ...before } = t.state;
    t.become(before).settle("begin", success({ result: "done" }));
    expect(t.state).not.toHaveProperty("children");
    const late = starting(starts("begin"))
      .claim("begin")
      .clock(hour)
      .cancel()
      .tickAt(2 * hour);
    const bare = { ...late.state, runs: late.state.runs.map((run) => ({ ...run, config: null })) };
    const { children: _gone, ...rest } = bare;
    late.become(rest).attempt(ask.settle("1.0", 1, made("exe_child")));
    expect(late.state).not.toHaveProperty("children");
  });

  test("so many at once; the next one fails, and says what to do", () => {
    const t = starting(starts("begin"));
    const [one] = withChild().state.children ?? [];
    const list = Array.from(
      { length: CHILDREN_OPEN_MAX },
      (_, n) => ({ ...one, run: `0.${n}` }) as NonNullable<typeof one>,
    );
    t.become({ ...t.state, children: list }).claim("begin");
    expect(t.run("begin").error).toMatchObject({ type: "invalid_configuration", code: "children_full" });
    expect(t.run("begin").error?.message).toContain(`${CHILDREN_OPEN_MAX} (CHILDREN_OPEN_MAX)`);
  });
});

describe("a child is removed", () => {
  test("when the engine says that it has ended, whether its machine listens or not", () => {
    expect(kept(withChild().take(childEnds()))).toEqual([]);
    const early = starting(starts("begin")).claim("begin").take(childEnds());
    expect(kept(early)).toEqual([]);
    const deaf = withChild();
    expect(deaf.refused(childEnds("failed")).code).toBe("event_unknown");
  });

  test("while paused as well, when that waits", () => {
    const t = withChild().pause().take(childEnds());
    expect([kept(t), t.state.buffer.length]).toEqual([[], 1]);
  });

  test.each<[string, () => ReturnType<typeof childEnds>]>([
    ["of another run", () => childEnds("completed", "7.0")],
    ["of another execution", () => childEnds("completed", "1.0", "exe_other")],
    ["by a client's event", () => ask.event("child_completed", { run: "1.0", execution: "exe_child" })],
  ])("not by what is said %s", (_what, event) => {
    expect(kept(withChild().attempt(event()))).toEqual(["1.0 exe_child cancel"]);
  });

  test("not by what is no word of a child's end", () => {
    const t = withChild();
    const go = ask.event("go", { run: "1.0", execution: "exe_child" });
    if (go.kind === "event") t.take({ ...go, event: { ...go.event, source: "execution" } });
    expect(kept(t)).toEqual(["1.0 exe_child cancel"]);
    const bare = childEnds();
    if (bare.kind === "event") t.attempt({ ...bare, event: { ...bare.event, payload: null } });
    expect(kept(t)).toEqual(["1.0 exe_child cancel"]);
  });

  test.each<[string, Parameters<typeof failure>[0], string[]]>([
    ["refused for sure", { type: "not_found", retryable: false }, []],
    ["not heard of, and may have begun", { type: "timeout", retryable: false }, ["1.0 ? cancel"]],
    [
      "refused, and may have begun all the same",
      { type: "not_found", retryable: false, effect: "unknown" },
      ["1.0 ? cancel"],
    ],
  ])("when its start was %s", (_what, error, left) => {
    expect(kept(starting(starts("begin")).miss("begin", error))).toEqual(left);
  });

  test("not when only the last try was refused for sure", () => {
    const t = starting(starts("begin")).miss("begin");
    t.tickAt(Number(t.wake)).miss("begin", { type: "not_found", retryable: false });
    expect(kept(t)).toEqual(["1.0 ? cancel"]);
  });

  test("when its run was canceled before it was claimed", () => {
    const t = starting(starts("begin")).cancel();
    expect([kept(t), t.runs()]).toEqual([[], ["begin canceled"]]);
  });

  test("by an execution that ends normally: they continue, and the journal names them", () => {
    const done = withChild("wait").event("finish");
    expect([done.status, kept(done)]).toEqual(["completed", []]);
    expect(done.newLines()).toContain("children_left 1.0: execution_completed");
  });
});

test("a run in flight at the cancellation is settled after its end", () => {
  const t = starting(starts("begin")).claim("begin").take(cancel());
  expect([t.status, kept(t), t.wake]).toEqual(["canceled", ["1.0 ? execution_canceled"], 2 * second]);
  expect(t.tickAt(2 * second).wake).toBe(35 * second);
  t.settle("begin", made("exe_child"));
  expect(kept(t)).toEqual(["1.0 exe_child execution_canceled"]);
  expect(t.effects).toContainEqual({ kind: "send", messages: [{ kind: "child_request", key: "cancel/1.0" }] });
  expect(t.tickAt(4 * second).wake).toBe(2 * second + minute);
});
