import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  abortOperation,
  advance,
  beginSlice,
  closeOperation,
  openOperation,
  paceOf,
  planOperation,
  addPage,
  recordTrouble,
  viewOperation,
  type OperationState,
} from "#policy/operations/pace.ts";
import type { ItemOutcome, OperationRequest } from "#schema/operation.ts";

const T = 1_000_000;
const DAY_MS = 24 * 60 * 60_000;
const person = { kind: "key", id: "key_1" } as const;

function opened(over: Partial<OperationRequest> = {}): OperationState {
  const asked = { verb: "retry", filter: {}, perSecond: 2, reason: null, fingerprint: "f" } as const;
  return openOperation({ ...asked, id: "op_1", tenant: "t", actor: person, createdAt: T, matched: 5, ...over });
}

const released = (...ids: string[]): ItemOutcome[] => ids.map((id) => ({ id, kind: "released" }));
const unreached = (...ids: string[]): ItemOutcome[] => ids.map((id) => ({ id, kind: "unreached", error: "away" }));
const page = (...ids: string[]) => ({ ids, cursor: null });

test("handled dead letters are counted as skipped from the beginning", () => {
  const state = addPage(opened({ matched: 5, handled: 3 }), page("a", "b"), T);
  expect(viewOperation(state, T)).toMatchObject({ counts: { skipped: { handled: 3 } }, remaining: 2 });
  const outcome = { id: "a", kind: "skipped", reason: "handled" } as const;
  const counts = { released: 1, skipped: { handled: 4 } };
  expect(viewOperation(advance(state, [outcome, ...released("b")], T), T)).toMatchObject({ status: "done", counts });
});

describe("paceOf", () => {
  test.each([
    [1, 1, 1_000],
    [20, 20, 1_000],
    [100, 100, 1_000],
    [101, 50, 500],
    [150, 75, 500],
    [499, 99, 200],
    [500, 100, 200],
  ])("%d a second gives slices of %d every %d ms", (perSecond, size, everyMs) => {
    expect(paceOf(perSecond)).toEqual({ size, everyMs });
  });
});

describe("an operation from start to end", () => {
  test("lists, processes slices, ends, stores the result, sleeps, and deletes itself", () => {
    let state = opened();
    expect(planOperation(state, T)).toEqual({ kind: "list", cursor: null });
    expect(beginSlice(state, { kind: "list", cursor: null }, T)).toBe(state);
    state = addPage(state, { ids: ["a", "b", "c"], cursor: "next" }, T);
    const plan = planOperation(state, T);
    expect(plan).toEqual({ kind: "act", ids: ["a", "b"] });
    state = beginSlice(state, plan, T);
    state = advance(state, [...released("a"), { id: "b", kind: "skipped", reason: "late" }], T + 30);
    expect(planOperation(state, T + 30)).toEqual({ kind: "rest", at: T + 1_000 });
    expect(viewOperation(state, T + 30)).toMatchObject({ remaining: 3, estimatedEndAt: T + 2_500, status: "running" });
    // One item is queued and a slice has two, so the list is read further.
    expect(planOperation(state, T + 1_000)).toEqual({ kind: "list", cursor: "next" });
    state = addPage(state, page("c", "d", "e"), T + 1_000);
    expect(planOperation(state, T + 1_000)).toEqual({ kind: "act", ids: ["c", "d"] });
    const mixed: ItemOutcome[] = [
      { id: "c", kind: "gone" },
      { id: "d", kind: "refused", code: "limit_exceeded" },
    ];
    state = advance(beginSlice(state, { kind: "act", ids: ["c", "d"] }, T + 1_000), mixed, T + 1_050);
    state = advance(beginSlice(state, { kind: "act", ids: ["e"] }, T + 2_000), released("e"), T + 2_100);
    expect(state).toMatchObject({ status: "done", finishedAt: T + 2_100 });
    expect(viewOperation(state, T + 9_000)).toMatchObject({
      counts: { released: 2, skipped: { late: 1 }, gone: 1, refused: { limit_exceeded: 1 } },
      remaining: 0,
      estimatedEndAt: null,
      finishedAt: T + 2_100,
      trouble: null,
      aborted: null,
    });
    expect(planOperation(state, T + 2_100)).toEqual({ kind: "close" });
    state = closeOperation(state);
    const until = T + 2_100 + 7 * DAY_MS;
    expect(planOperation(state, T + 2_101)).toEqual({ kind: "rest", at: until });
    expect(planOperation(state, until)).toEqual({ kind: "forget" });
  });

  test("without items ends at once", () => {
    expect(addPage(opened({ matched: 0 }), page(), T)).toMatchObject({ status: "done", finishedAt: T });
  });

  test("counts a repeated response, or one about other items, once", () => {
    const listed = addPage(opened(), page("a", "b", "c"), T);
    const once = advance(listed, released("a"), T);
    expect(advance(once, [...released("a", "x"), { id: "a", kind: "gone" }], T)).toEqual(once);
    expect(advance(listed, released("a", "a"), T).counts.released).toBe(1);
  });

  test("counts two items with the same reason as two, whatever the reason", () => {
    const listed = addPage(opened(), page("a", "b", "c", "d"), T);
    const skipped = (id: string, reason: string): ItemOutcome => ({ id, kind: "skipped", reason });
    const { counts } = advance(listed, [skipped("a", "late"), skipped("b", "late"), skipped("c", "constructor")], T);
    expect(counts.skipped).toEqual({ late: 2, constructor: 1 });
  });

  test("queues a repeated page once", () => {
    const listed = addPage(opened(), { ids: ["a", "b"], cursor: "c" }, T);
    expect(addPage(listed, page("a", "b", "c"), T).queue).toEqual(["a", "b", "c"]);
  });
});

describe("errors", () => {
  test("a failed call is repeated with growing gaps, and the error has its start", () => {
    let state = addPage(opened(), page("a"), T);
    const waits = Array.from({ length: 9 }, () => {
      state = recordTrouble(state, "D1 is down", T);
      return state.nextAt - T;
    });
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60].map((s) => s * 1_000));
    expect(state.trouble).toEqual({ since: T, error: "D1 is down", tries: 9 });
    expect(planOperation(state, T + 59_999)).toEqual({ kind: "rest", at: T + 60_000 });
    expect(planOperation(state, T + 60_000)).toEqual({ kind: "act", ids: ["a"] });
    expect(advance(state, released("a"), T + 60_000)).toMatchObject({ status: "done", trouble: null });
  });

  test("items that were not reached are repeated, and the others continue", () => {
    let state = addPage(opened(), page("a", "b", "c", "d"), T);
    state = advance(beginSlice(state, { kind: "act", ids: ["a", "b"] }, T), [...released("a"), ...unreached("b")], T);
    expect(state).toMatchObject({ queue: ["c", "d"], left: ["b"], leftAt: T + 1_000, trouble: { error: "away" } });
    // The waiting items are due, but they fail again and are replaced.
    expect(planOperation(state, T + 1_000)).toEqual({ kind: "act", ids: ["b"] });
    state = advance(beginSlice(state, { kind: "act", ids: ["b"] }, T + 1_000), unreached("b"), T + 1_000);
    expect(state).toMatchObject({ left: ["b"], leftAt: T + 3_000, trouble: { since: T, tries: 2 } });
    expect(planOperation(state, T + 2_000)).toEqual({ kind: "act", ids: ["c", "d"] });
    // Another item joins the waiting ones and does not delay them.
    state = advance(
      beginSlice(state, { kind: "act", ids: ["c", "d"] }, T + 2_000),
      [...released("c"), ...unreached("d")],
      T,
    );
    expect(state).toMatchObject({ left: ["b", "d"], leftAt: T + 3_000, status: "running" });
    expect(planOperation({ ...state, leftAt: T + 9_000 }, T + 3_000)).toEqual({ kind: "rest", at: T + 9_000 });
    expect(viewOperation(state, T + 3_000)).toMatchObject({ remaining: 2, estimatedEndAt: T + 4_000 });
    // The error stays while one of the items is waiting.
    const half = advance(state, released("b"), T + 3_000);
    expect(half).toMatchObject({ left: ["d"], trouble: { tries: 3 } });
    expect(advance(half, released("d"), T + 3_000)).toMatchObject({ status: "done", trouble: null });
  });

  test("too many unreached items stop further slices", () => {
    const many = Array.from({ length: 200 }, (_, n) => `x${n}`);
    const listed = addPage(opened(), { ids: [...many, "y"], cursor: "more" }, T);
    const state = advance(listed, unreached(...many), T);
    expect(planOperation(state, T + 500)).toEqual({ kind: "rest", at: T + 1_000 });
    expect(planOperation(state, T + 1_000)).toEqual({ kind: "act", ids: ["x0", "x1"] });
    const fewer = advance(state, released("x0"), T);
    expect(planOperation(fewer, T + 500)).toEqual({ kind: "list", cursor: "more" });
  });
});

describe("every operation ends", () => {
  const broken = (id: string): ItemOutcome => ({ id, kind: "unreached", error: "our mistake", isBroken: true });

  test("an item that throws repeatedly is counted as refused", () => {
    let state = addPage(opened(), page("a", "b"), T);
    state = advance(state, [...released("a"), broken("b")], T);
    for (let tries = 2; tries < 5; tries++) {
      state = advance(state, [broken("b")], T + tries);
      expect(state).toMatchObject({ status: "running", left: ["b"], held: { b: { since: T, broke: tries } } });
    }
    state = advance(state, [broken("b")], T + 5);
    expect(state).toMatchObject({ status: "done", left: [], held: {}, trouble: null });
    expect(state.counts).toMatchObject({ released: 1, refused: { internal_error: 1 } });
  });

  test("an item that threw and then succeeded counts by its result", () => {
    let state = addPage(opened(), page("a"), T);
    for (let tries = 1; tries < 5; tries++) state = advance(state, [broken("a")], T);
    expect(advance(state, released("a"), T)).toMatchObject({ status: "done", held: {}, counts: { released: 1 } });
  });

  test("an item whose execution is unreachable does not count as throwing", () => {
    let state = addPage(opened(), page("a"), T);
    for (let tries = 1; tries <= 10; tries++) state = advance(state, unreached("a"), T + tries);
    expect(state).toMatchObject({ status: "running", left: ["a"], held: { a: { broke: 0 } } });
  });

  test("an execution that is unreachable for a day is given up, counted for each item separately", () => {
    let state = addPage(opened(), page("a", "b"), T);
    state = advance(state, unreached("a"), T);
    state = advance(state, unreached("a", "b"), T + DAY_MS - 1);
    expect(state).toMatchObject({ left: ["a", "b"], counts: { refused: {} } });
    state = advance(state, unreached("a", "b"), T + DAY_MS);
    expect(state).toMatchObject({ left: ["b"], counts: { refused: { unavailable: 1 } } });
    state = advance(state, unreached("b"), T + 2 * DAY_MS - 1);
    expect(state).toMatchObject({ status: "done", counts: { refused: { unavailable: 2 } } });
  });

  test("an item that was in progress before counting gets the full time", () => {
    const { held: _none, ...before } = advance(addPage(opened(), page("a"), T), unreached("a"), T);
    expect(advance(before, [broken("a")], T + 1)).toMatchObject({ held: { a: { since: T + 1, broke: 1 } } });
  });
});

describe("aborting", () => {
  const by = { actor: person, reason: "enough" };

  test("starts no further slice and counts the one in progress", () => {
    let state = addPage(opened(), page("a", "b", "c"), T);
    state = abortOperation(beginSlice(state, { kind: "act", ids: ["a", "b"] }, T), by, T + 10);
    state = advance(state, released("a", "b"), T + 20);
    expect(planOperation(state, T + 20)).toEqual({ kind: "close" });
    expect(viewOperation(state, T + 20)).toMatchObject({
      status: "aborted",
      finishedAt: T + 10,
      aborted: by,
      remaining: 1,
      estimatedEndAt: null,
      counts: { released: 2 },
    });
    expect(planOperation(recordTrouble(state, "D1 is down", T + 20), T + 30)).toEqual({ kind: "rest", at: T + 1_020 });
    expect(closeOperation(state)).toMatchObject({ isClosed: true, status: "aborted" });
  });

  test("before listing leaves all matching items", () => {
    expect(viewOperation(abortOperation(opened(), by, T), T)).toMatchObject({ remaining: 5, status: "aborted" });
  });
});

type Happening = {
  readonly after: number;
  readonly what: "wake" | "fail" | "lost" | "partly";
  readonly abort: boolean;
};
const happening: fc.Arbitrary<Happening> = fc.record({
  after: fc.integer({ min: 0, max: 3_000 }),
  what: fc.constantFrom("wake", "wake", "wake", "fail", "lost", "partly"),
  abort: fc.integer({ min: 0, max: 60 }).map((n) => n === 0),
});

test("in random runs no second exceeds its share, and no item is counted twice", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 0, max: 700 }),
      fc.array(happening, { maxLength: 60 }),
      (perSecond, total, happenings) => {
        const all = Array.from({ length: total }, (_, n) => `d${n}`);
        const asked: { at: number; count: number }[] = [];
        let [state, now] = [opened({ perSecond, matched: total }), T];
        for (const { after, what, abort: isAborted } of happenings) {
          now += after;
          if (isAborted && state.status === "running")
            state = abortOperation(state, { actor: person, reason: null }, now);
          const plan = planOperation(state, now);
          const before = state;
          state = beginSlice(state, plan, now);
          if (plan.kind === "close") state = closeOperation(state);
          if (plan.kind === "list") {
            const from = Number(plan.cursor ?? 0);
            const cursor = from + 250 < total ? String(from + 250) : null;
            state =
              what === "fail"
                ? recordTrouble(state, "no", now)
                : addPage(state, { ids: all.slice(from, from + 250), cursor }, now);
          }
          if (plan.kind !== "act") continue;
          asked.push({ at: now, count: plan.ids.length });
          if (what === "fail") state = recordTrouble(state, "no", now);
          // The object was evicted, so only the stored state is left.
          if (what === "lost" || what === "fail") expect(state.queue).toEqual(before.queue);
          else if (what === "partly")
            state = advance(state, [...released(...plan.ids.slice(1)), ...unreached(...plan.ids.slice(0, 1))], now);
          else state = advance(state, released(...plan.ids), now);
        }
        for (const { at } of asked) {
          const within = asked.filter((each) => each.at >= at && each.at < at + 1_000);
          expect(within.reduce((sum, { count }) => sum + count, 0)).toBeLessThanOrEqual(perSecond);
        }
        const { counts, remaining, status } = viewOperation(state, now);
        expect(counts.released + remaining).toBe(total);
        if (status === "done") expect(counts.released).toBe(total);
      },
    ),
    { numRuns: 300 },
  );
});
