import { describe, expect, test } from "vitest";
import { openControlOperation, addFound } from "#policy/operations/collecting.ts";
import { recordOutcomes, beginSlice, planOperation, addPage, viewOperation } from "#policy/operations/pace.ts";
import type { OperationRequest } from "#schema/operation.ts";
import type { MatchedExecution } from "#schema/engine/execution-command.ts";

const T = 1_000_000;
const terms: OperationRequest = {
  id: "op_1",
  tenant: "t",
  verb: "steer",
  filter: {},
  perSecond: 2,
  reason: null,
  fingerprint: "f",
  actor: { kind: "key", id: "key_1" },
  createdAt: T,
  matched: 5,
  steer: { verb: "pause" },
};
const found = (...ids: string[]) => ids.map((id): MatchedExecution => [id, T]);

describe("collecting ids", () => {
  test("stores them page by page before any execution is changed, then sets the exact count", () => {
    let state = openControlOperation(terms);
    expect(planOperation(state, T)).toEqual({ kind: "find", cursor: null });
    expect(beginSlice(state, { kind: "find", cursor: null }, T)).toBe(state);
    state = addFound(state, { found: found("a", "b"), cursor: "next" });
    expect(planOperation(state, T)).toEqual({ kind: "find", cursor: "next" });
    expect(state.finding).toEqual({ rows: 1, count: 2, cursor: "next", isAll: false });
    expect(viewOperation(state, T)).toMatchObject({ matched: 5, remaining: 5 });
    state = addFound(state, { found: found("c"), cursor: null });
    expect(state.finding).toEqual({ rows: 2, count: 3, cursor: null, isAll: true });
    expect(viewOperation(state, T)).toMatchObject({ matched: 3, remaining: 3 });
    expect(planOperation(state, T)).toEqual({ kind: "list", cursor: null });
    state = addPage(state, { ids: ["1.1", "1.2", "2.1"], cursor: null }, T);
    expect(planOperation(state, T)).toEqual({ kind: "act", ids: ["1.1", "1.2"] });
    const all = ["1.1", "1.2", "2.1"].map((id) => ({ id, kind: "released" }) as const);
    expect(recordOutcomes(state, all, T).state).toMatchObject({ status: "done", counts: { released: 3 } });
  });

  test("without matches stores no row and ends the operation at once", () => {
    const state = addFound(openControlOperation(terms), { found: [], cursor: null });
    expect(state.finding).toEqual({ rows: 0, count: 0, cursor: null, isAll: true });
    expect(addPage(state, { ids: [], cursor: null }, T)).toMatchObject({ status: "done", terms: { matched: 0 } });
  });

  test("starts with a page that arrives for an operation without progress", () => {
    const { finding: _finding, ...old } = openControlOperation(terms);
    expect(addFound(old, { found: found("a"), cursor: null }).finding).toMatchObject({ rows: 1, count: 1 });
  });
});
