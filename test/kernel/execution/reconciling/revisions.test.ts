// Desired and observed state of a reconciler, each with its revision.
import { describe, expect, test } from "vitest";
import { DESIRED_BYTES_MAX, OBSERVED_BYTES_MAX } from "#schema/limits/definition-sizes.ts";
import { action, ask, drive, second, T0 } from "#test/support/drive.ts";
import { go, told, type Written } from "../../programs/reconciler/drive-reconciler.ts";
import { naming } from "#test/support/matchers/naming.ts";

const still: Written = { states: { A: { rules: [{ when: { var: "observed.go" }, target: "B" }] }, B: {} } };
const large = (bytes: number) => ({ text: "x".repeat(bytes) });

describe("what is desired", () => {
  test("begins as the definition says, with the start's own merged over it", () => {
    const t = go({ ...still, desired: { a: 1, b: 2 } }, { desired: { b: null, c: 3 } });
    expect(t.reconciling().desired).toEqual({ value: { a: 1, c: 3 }, revision: 1, at: T0 });
  });

  test("is merged or replaced, and each change is a revision", () => {
    const t = go({ ...still, desired: { a: 1, b: 2 } });
    t.clock(300).take(told.desire({ b: null, c: 3 }));
    expect(t.reconciling().desired).toEqual({ value: { a: 1, c: 3 }, revision: 2, at: T0 + 300 });
    t.take(told.desire({ d: 4 }, "replace"));
    expect(t.reconciling().desired).toMatchObject({ value: { d: 4 }, revision: 3 });
    expect(t.entries.at(-1)).toMatchObject({ kind: "desired", revision: 3, desired: { d: 4 }, actor: { id: "key_1" } });
  });

  test("that is so already changes nothing", () => {
    const t = go({ ...still, desired: { a: 1 } });
    t.tickAt(second);
    const before = t.state;
    expect(t.take(told.desire({ a: 1 })).state).toEqual(before);
  });

  test("is not changed by who has not seen it", () => {
    const t = go(still);
    t.take(told.desire({ a: 1 }, "merge", 1));
    expect(t.refused(told.desire({ a: 2 }, "merge", 1))).toMatchObject({
      code: "revision_mismatch",
      message: naming(2, 1),
      details: { revision: 2 },
    });
  });

  test("has a size, at a start too", () => {
    const t = go(still);
    const refused = t.refused(told.desire(large(DESIRED_BYTES_MAX)));
    expect(refused).toMatchObject({ code: "limit_exceeded", errors: [{ pointer: "/desired" }] });
    expect(() => go(still, { desired: large(DESIRED_BYTES_MAX) })).toThrow(/limit_exceeded/);
  });
});

describe("what is observed", () => {
  const t = (part: Partial<Written> = {}) => go({ ...still, ...part });

  test("has a revision from the first time on", () => {
    const it = t();
    expect(it.reconciling().observed).toBeNull();
    it.clock(100).take(told.observe({ n: 1 }, null, 0));
    expect(it.reconciling().observed).toEqual({ value: { n: 1 }, revision: 1, at: T0 + 100 });
    it.clock(200).take(told.observe({ n: 2 }, T0 + 150, 1));
    expect(it.reconciling().observed).toEqual({ value: { n: 2 }, revision: 2, at: T0 + 150 });
    expect(it.refused(told.observe({ n: 3 }, null, 1))).toMatchObject({ code: "revision_mismatch" });
  });

  test("late changes nothing, and neither does the same again", () => {
    const it = t();
    it.clock(500).take(told.observe({ n: 1 }, T0 + 400));
    it.tickAt(second);
    const before = it.state;
    it.take(told.observe({ n: 0 }, T0 + 399));
    it.take(told.observe({ n: 1 }, T0 + 400));
    it.take(told.observe({ n: 1 }));
    expect(it.state).toEqual(before);
  });

  test("by a clock that is ahead counts as of now", () => {
    const it = t();
    it.take(told.observe({ n: 1 }, T0 + 1_000_000));
    expect(it.reconciling().observed?.at).toBe(T0);
  });

  test("is recorded with its value, unless that is large", () => {
    const it = t();
    it.observe({ n: 1 });
    it.observe(large(OBSERVED_BYTES_MAX / 2));
    const entries = it.entries.filter(({ kind }) => kind === "observed");
    expect(entries).toMatchObject([{ observed: { n: 1 } }, { observed: null, revision: 2 }]);
    expect(it.refused(told.observe(large(OBSERVED_BYTES_MAX)))).toMatchObject({ code: "limit_exceeded" });
  });

  test("leaves no receipt, unless it may be repeated", () => {
    const it = t();
    const before = it.state.receipts.length;
    it.observe({ n: 1 });
    expect(it.state.receipts).toHaveLength(before);
    it.take(told.observe({ n: 2 }, null, 1));
    it.take({ ...told.observe({ n: 3 }), unkeyed: undefined } as never);
    expect(it.state.receipts).toHaveLength(before + 2);
  });

  test("is projected to no list", () => {
    const it = t();
    expect(it.observe({ n: 1 }).effects).toEqual([]);
    expect(it.desire({ n: 1 }).effects).toEqual([]);
    expect(it.patch({ n: 1 }).effects).toEqual([{ kind: "project" }]);
  });

  describe("too long ago", () => {
    const stale = { staleAfter: "PT10S" };

    test("is not gone by, and neither is nothing", () => {
      const it = t(stale);
      it.tickAt(second);
      it.clock(2_100).take(told.observe({ go: 1 }, T0 - 9_000));
      it.tickAt(3 * second);
      expect([it.at, it.wake]).toEqual(["A", null]);
    });

    test("is gone by again once it is known to be still so", () => {
      const it = t(stale);
      it.observe({ go: 0 });
      it.tickAt(11 * second);
      it.take(told.desire({ a: 1 })).tickAt(12 * second);
      expect(it.wake).toBeNull();
      it.clock(12_500).take(told.observe({ go: 0 }));
      expect([it.wake, it.reconciling().observed]).toEqual([
        13 * second,
        { value: { go: 0 }, revision: 1, at: T0 + 12_500 },
      ]);
    });

    test("is stored again only when the current one has half of the allowed age", () => {
      const it = t(stale);
      it.observe({ go: 0 });
      it.tickAt(second);
      it.clock(4_900).take(told.observe({ go: 0 }));
      expect(it.reconciling().observed?.at).toBe(T0);
      it.clock(5_000).take(told.observe({ go: 0 }));
      expect(it.reconciling().observed?.at).toBe(T0 + 5_000);
      expect(it.wake).toBeNull();
    });
  });
});

test("what is no reconciler has neither", () => {
  const t = drive({ states: { a: { on: { go: "a" } } } }).start();
  expect(t.refused(told.desire({}))).toMatchObject({ code: "verb_not_applicable" });
  expect(t.refused(told.observe({}))).toMatchObject({ code: "verb_not_applicable" });
  const desired = { ...ask.start(), desired: { a: 1 } } as const;
  const refused = drive({ states: { a: {} }, actions: [action("x")] }).refused(desired);
  expect(refused).toMatchObject({ code: "invalid_input", errors: [{ pointer: "/desired" }] });
});

test("what has ended takes no more", () => {
  const t = go({ states: { A: { rules: [{ signal: "remove" }] } } });
  t.tickAt(second);
  expect(t.refused(told.observe({})).code).toBe("execution_final");
  expect(t.refused(told.desire({})).code).toBe("execution_final");
});
