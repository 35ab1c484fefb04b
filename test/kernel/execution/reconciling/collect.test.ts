// The collector of a reconciler: runs beside the reconciler's own action, repeatedly and without end.
import { describe, expect, test } from "vitest";
import { nextWake } from "#kernel/waiting/next-instants.ts";
import { runsInProgress } from "#schema/engine/reconciling.ts";
import { action, ask, minute, second, success, T0 } from "#test/support/drive.ts";
import { lineOf } from "#test/support/journal-line.ts";
import { claim, dueAt, inHand, looks, seen, settle, type Looks } from "./collector.ts";

describe("a collector", () => {
  test("observes from the beginning on, and again so long after each beginning", () => {
    const t = looks();
    expect(t.effects).toContainEqual({ kind: "dispatch", run: inHand(t).id, attempt: 1, priority: 0, lane: "queue" });
    t.clock(400);
    claim(t);
    t.clock(900);
    settle(t, success({ result: { go: 0 } }));
    expect(t.reconciling().observed).toEqual({ value: { go: 0 }, revision: 1, at: T0 + 400 });
    expect(dueAt(t)).toBe(5_400);
    t.tickAt(second);
    expect(t.wake).toBe(5_400);
    t.tickAt(5_400);
    expect(inHand(t)).toMatchObject({ status: "queued", action: "look", type: "webhook", priority: 0 });
  });

  test("is no run of the execution's: in no list, no status, no slot, and no journal while all is well", () => {
    const t = looks();
    seen(t, { go: 0 });
    t.tickAt(5 * second);
    seen(t, { go: 0 });
    expect(t.state.runs).toEqual([]);
    expect(t.action()?.actionName).toBe("");
    expect(t.status).toBe("waiting");
    expect(t.entries.map(lineOf)).toEqual(["started", "moved - > A by start", "observed r1"]);
    expect(runsInProgress(t.state)).toEqual([]);
  });

  test("observes beside an action under way", () => {
    const t = looks();
    seen(t, { go: 1 });
    t.tickAt(second).claim("call");
    t.tickAt(5 * second);
    seen(t, { go: 0 });
    expect(t.runs()).toEqual(["call running"]);
    expect(t.reconciling().observed).toMatchObject({ value: { go: 0 }, at: T0 + 5 * second });
  });

  test("goes directly where there is room, and by the queue of slow ones where it is slow", () => {
    const direct = looks({}, {}, {}, 5);
    expect(direct.effects).toContainEqual(expect.objectContaining({ kind: "dispatch", lane: "direct" }));
    const slow = looks({ actions: [action("look", { priority: 7 }), action("call")] });
    expect(slow.effects).toContainEqual(expect.objectContaining({ lane: "queue", timeoutMs: 300_000, priority: 7 }));
    expect(inHand(looks({}, { timeout: "PT2S" })).status).toBe("queued");
  });

  test("sees what all templates see, frozen and with its own deadline", () => {
    const url = "https://example.com/{{ desired.of }}";
    const t = looks(
      { actions: [action("look", { config: { url } }), action("call")] },
      { timeout: "PT2S" },
      { desired: { of: "x" } },
    );
    claim(t);
    expect(inHand(t)).toMatchObject({
      config: { url: "https://example.com/x" },
      deadlineAt: T0 + 2_000,
      status: "running",
    });
  });

  test("may say what of its result is the observation", () => {
    const t = looks({}, { observed: { var: "result.body" } });
    seen(t, { status: 200, body: { go: 0, n: 3 } });
    expect(t.reconciling().observed?.value).toEqual({ go: 0, n: 3 });
  });
});

describe("claims and settlements", () => {
  test("are compared with the current collection", () => {
    const t = looks();
    const { id } = inHand(t);
    expect(t.refused(ask.claim(id, 2)).code).toBe("run_stale");
    claim(t);
    expect(t.refused(ask.claim(id, 1)).code).toBe("run_stale");
    settle(t, success({ result: {} }));
    expect(t.refused(ask.settle(id, 1, success())).code).toBe("run_stale");
    t.tickAt(5 * second);
    expect(t.refused(ask.settle(inHand(t).id, 1, success())).code).toBe("run_stale");
  });

  test("are answered again to the same claimant", () => {
    const t = looks();
    const { id } = inHand(t);
    const by = { message: "m1", delivery: 1, arrival: "a1" };
    t.take(ask.claim(id, 1, by));
    const before = t.state;
    expect(t.take(ask.claim(id, 1, by)).state).toEqual(before);
    expect(t.refused(ask.claim(id, 1, { ...by, arrival: "a2" })).code).toBe("run_stale");
  });

  test("are all that can be done with it by name", () => {
    const t = looks();
    const { id } = inHand(t);
    for (const command of [ask.retry(id), ask.archive(id)]) expect(t.refused(command).code).toBe("run_not_startable");
  });
});

describe("one that is lost", () => {
  test.each([
    ["with its object", (t: Looks, id: string) => t.take(ask.orphaned(id))],
    ["by the queue", (t: Looks, id: string) => t.take(ask.undeliverable(id, 1))],
  ])("%s is made anew at once", (_how, lose) => {
    const t = looks();
    const { id } = inHand(t);
    claim(t);
    t.clock(700);
    lose(t, id);
    expect(inHand(t).id).not.toBe(id);
    expect(inHand(t)).toMatchObject({ status: "queued", sentAt: T0 + 700 });
    expect(t.reconciling().collecting).toMatchObject({ failures: 0, error: null });
  });

  test("that was not claimed is created again by the alarm", () => {
    const t = looks();
    const { id } = inHand(t);
    t.tickAt(second);
    expect(t.wake).toBe(minute);
    t.tickAt(minute);
    expect(inHand(t).id).not.toBe(id);
  });

  test("with who had it fails at its deadline", () => {
    const t = looks();
    claim(t);
    t.tickAt(second);
    expect(t.wake).toBe(15 * second);
    t.tickAt(15 * second);
    expect(t.reconciling().collecting).toMatchObject({ run: null, failures: 1, error: { type: "timeout" } });
  });
});

describe("no collection", () => {
  test("after the end: the running one is aborted", () => {
    const t = looks();
    claim(t);
    const { id } = inHand(t);
    t.cancel();
    expect(t.reconciling().collecting).toBeNull();
    expect(t.effects).toContainEqual({ kind: "abort", run: id, attempt: 1 });
    expect(t.refused(ask.settle(id, 1, success())).code).toBe("run_stale");
  });

  test("for what ends before it was begun", () => {
    const t = looks();
    t.cancel();
    expect(t.effects.some(({ kind }) => kind === "abort")).toBe(false);
  });

  test("while it is paused, or its tenant suspended; then at once", () => {
    const t = looks();
    seen(t, { go: 0 });
    t.pause().tickAt(minute);
    expect(t.reconciling().collecting?.run).toBeNull();
    expect(nextWake(t.state, T0 + minute)).toBeNull();
    t.resume();
    expect(inHand(t).sentAt).toBe(T0 + minute);
    const other = looks();
    seen(other, { go: 0 });
    other.suspend().tickAt(minute);
    expect(other.reconciling().collecting?.run).toBeNull();
    other.suspend(false).tickAt(minute);
    expect(inHand(other).sentAt).toBe(T0 + minute);
  });

  test("for one that is done before it ends", () => {
    const t = looks({ states: { A: { rules: [{ signal: "remove" }] } } });
    seen(t, {});
    t.tickAt(second);
    expect([t.status, t.reconciling().collecting]).toEqual(["completed", null]);
  });
});

test("who observes late changes nothing that is known already", () => {
  const t = looks();
  claim(t);
  t.clock(2_000);
  t.observe({ go: 0, sent: true });
  t.clock(3_000);
  settle(t, success({ result: { go: 1 } }));
  expect(t.reconciling().observed).toMatchObject({ value: { go: 0, sent: true }, revision: 1 });
});
