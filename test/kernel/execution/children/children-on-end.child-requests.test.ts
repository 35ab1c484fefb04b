// Child requests: sent at once, again with growing gaps, and until the child confirms.
import { describe, expect, test } from "vitest";
import { childRequests } from "#kernel/execution/children/children-on-end.ts";
import { CHILD_START_GRACE_MS } from "#schema/limits/executions.ts";
import { OUTBOX_MESSAGES_PER_DELIVERY_MAX } from "#schema/limits/run-attempts.ts";
import { hour, minute, second, T0 } from "#test/support/drive.ts";
import { cancel, childrenDone, kept, made, sent, starting, starts, withChild } from "./with-children.ts";

const canceled = () => withChild("cancel").take(cancel());
const ending = () => withChild("wait").take(cancel());

describe("a child that is to be canceled", () => {
  test("is asked for again, with growing gaps, for as long as it takes", () => {
    const t = canceled();
    let at = 0;
    for (const gap of [minute, 5 * minute, 15 * minute, hour, hour, hour]) {
      expect(t.wake).toBe(at + gap);
      t.tickAt(at + gap - 1);
      expect(sent(t)).toBe(0);
      at += gap;
      t.tickAt(at);
      expect(sent(t)).toBe(1);
    }
  });

  test.each(["canceled", "ended"] as const)("is removed when it is %s; a duplicate changes nothing", (found) => {
    const t = canceled().take(childrenDone({ found, execution: "exe_child" }));
    expect([kept(t), t.state.children]).toEqual([[], []]);
    const { seq } = t.state;
    expect(t.take(childrenDone({ found, execution: "exe_child" })).state.seq).toBe(seq);
  });

  test("is asked for when its tenant is suspended as well", () => {
    const t = canceled().suspend();
    expect(sent(t.tickAt(minute))).toBe(1);
  });

  test("stays in the outbox while the child is live", () => {
    expect(kept(canceled().take(childrenDone({ found: "live", execution: "exe_child" })))).toHaveLength(1);
  });
});

describe("a child that may not exist", () => {
  const lost = () => {
    const t = starting(starts("begin", { wait: true, onCancel: "cancel" }))
      .claim("begin")
      .take(cancel());
    return t.tickAt(35 * second);
  };

  test("is looked for when its run has ended, and not before", () => {
    const t = starting(starts("begin")).claim("begin").take(cancel());
    expect([childRequests(t.state), sent(t)]).toEqual([[], 0]);
    t.tickAt(35 * second);
    expect([t.runs(), sent(t)]).toEqual([["begin canceled"], 1]);
    const request = { kind: "cancel", key: "cancel/1.0", run: "1.0", execution: null, reason: "execution_canceled" };
    expect(childRequests(t.state)).toEqual([request]);
  });

  test("may still be started while an attempt might start it, and for a short grace period", () => {
    const t = lost();
    const until = T0 + 30 * second + CHILD_START_GRACE_MS;
    t.take(childrenDone({ found: "none", at: until }));
    expect(kept(t)).toEqual(["1.0 ? execution_canceled"]);
    t.take(childrenDone({ found: "none", at: until + 1 }));
    expect([kept(t), t.newLines().at(-1)]).toEqual([[], "child_settled 1.0 begin: none"]);
  });

  test("is canceled where it is found; its name is noted", () => {
    const t = lost().take(childrenDone({ execution: "exe_found" }));
    expect(t.entries.at(-1)).toMatchObject({ kind: "child_settled", execution: "exe_found", found: "canceled" });
  });

  test("is known again when its start is heard of after all", () => {
    const t = lost().settle("1.0", made("exe_late"));
    expect(kept(t)).toEqual(["1.0 exe_late execution_canceled"]);
  });

  test("is over when it was known once and is not there any more", () => {
    expect(kept(canceled().take(childrenDone({ found: "none", at: T0 })))).toEqual([]);
  });
});

describe("one that is waited for", () => {
  test("is checked at growing gaps, because its end notice may be lost", () => {
    const t = ending();
    expect([sent(t), t.wake, childRequests(t.state)]).toEqual([
      1,
      minute,
      [{ kind: "look", key: "look/1.0", run: "1.0", execution: "exe_child", reason: "" }],
    ]);
    t.take(childrenDone({ found: "live", execution: "exe_child" }));
    expect([t.status, sent(t), t.wake]).toEqual(["waiting", 0, minute]);
    t.tickAt(minute);
    expect([sent(t), t.wake]).toEqual([1, 6 * minute]);
  });

  test("is named when it is found, and no other", () => {
    const t = starting(starts("begin", { onCancel: "wait" }), starts("other", { onCancel: "wait" }))
      .claim("other")
      .claim("begin")
      .take(cancel())
      .tickAt(35 * second);
    t.take(childrenDone({ found: "live", execution: "exe_found" }));
    expect(kept(t)).toEqual(["1.1 ? wait", "1.0 exe_found wait"]);
    t.take(childrenDone({ found: "ended", execution: "exe_found" }, { run: "1.1", found: "ended" }));
    expect(t.status).toBe("canceled");
  });

  test("is not removed by an answer about its cancellation", () => {
    expect(ending().take(childrenDone({ execution: "exe_child" })).status).toBe("waiting");
  });
});

test("the end of another child of the same run does not concern this child", () => {
  expect(kept(canceled().take(childrenDone({ found: "ended", execution: "exe_other" })))).toHaveLength(1);
});

test("the ends of children are recorded while the parent lives", () => {
  const t = withChild().take(childrenDone({ found: "ended", execution: "exe_child" }));
  expect([t.status, kept(t)]).toEqual(["waiting", []]);
  expect(kept(t.take(childrenDone({ run: "9.9", found: "ended" })))).toEqual([]);
});

test("of more than one delivery handles the rest goes out at once, as long as there are fewer", () => {
  const names = Array.from({ length: OUTBOX_MESSAGES_PER_DELIVERY_MAX + 2 }, (_, n) => `one${n}`);
  const t = starting(...names.map((name) => starts(name)));
  for (const name of names) t.ok(name, { result: { execution: `exe_${name}` } });
  const runs = (t.state.children ?? []).map(({ run }) => run);
  t.take(cancel());
  expect(sent(t)).toBe(1);
  const [live = "", ...others] = runs;
  const delivered = others.slice(0, OUTBOX_MESSAGES_PER_DELIVERY_MAX - 1).map((run) => ({ run }));
  t.take(childrenDone(...delivered, { run: live, found: "live" }));
  expect([sent(t), kept(t).length]).toEqual([1, 3]);
  // A request that could not be carried out is sent again at its time.
  t.take(childrenDone({ run: live, found: "live" }));
  expect(sent(t)).toBe(0);
});
