import { describe, expect, test } from "vitest";
import { HEALTH_CHECK_EVERY_MS, PROVIDER_CHECK_EVERY_MS } from "#schema/limits/upkeep/bulk-operations.ts";
import { openControlOperation, addFound } from "#policy/operations/collecting.ts";
import {
  abortOperation,
  advance,
  planOperation,
  addPage,
  viewOperation,
  type OperationState,
} from "#policy/operations/pace.ts";
import { isCheckDue, stopIfRefused, applyHealth, processedCount } from "#policy/operations/stopping.ts";
import type { ItemOutcome, OperationRequest } from "#schema/operation.ts";
import type { StopCondition } from "#schema/engine/execution-command.ts";

const T = 1_000_000;

function running(count: number, stopAt?: StopCondition): OperationState {
  const terms: OperationRequest = {
    id: "op_1",
    tenant: "t",
    verb: "steer",
    filter: {},
    perSecond: 100,
    reason: null,
    fingerprint: "f",
    actor: { kind: "key", id: "key_1" },
    createdAt: T,
    matched: count,
    steer: { verb: "pause" },
    ...(stopAt === undefined ? {} : { stopAt }),
  };
  const ids = Array.from({ length: count }, (_, n) => `1.${n}`);
  const found = addFound(openControlOperation(terms), { found: ids.map((id) => [id, T] as const), cursor: null });
  return addPage(found, { ids, cursor: null }, T);
}

const outcomes = (kinds: string): ItemOutcome[] =>
  [...kinds].map((kind, n): ItemOutcome => {
    const id = `1.${n}`;
    if (kind === "+") return { id, kind: "released" };
    if (kind === "g") return { id, kind: "gone" };
    if (kind === "s") return { id, kind: "skipped", reason: "ended" };
    return kind === "u" ? { id, kind: "unreached", error: "away" } : { id, kind: "refused", code: "event_unknown" };
  });

describe("the maximum share of errors", () => {
  test.each<[string, StopCondition | undefined, string, string]>([
    ["a quarter refused, and a quarter is allowed", { failedShare: 0.25, after: 4 }, "+++-", "running"],
    ["half refused, and a quarter is allowed", { failedShare: 0.25, after: 4 }, "++--", "stopped"],
    ["half refused before the minimum number", { failedShare: 0.25, after: 5 }, "++--", "running"],
    ["the only one refused, and none is allowed", { failedShare: 0, after: 1 }, "-", "stopped"],
    ["none refused, and none is allowed", { failedShare: 0, after: 1 }, "++", "running"],
    ["all refused, and all are allowed", { failedShare: 1, after: 1 }, "--", "running"],
    ["all refused without a maximum share", undefined, "----", "running"],
    ["deleted or ended executions are no failures", { failedShare: 0.5, after: 2 }, "+-ggss", "running"],
    ["deleted or ended executions do not lower the share", { failedShare: 0.4, after: 2 }, "+-ggss", "stopped"],
    ["unreached executions do not count yet", { failedShare: 0.5, after: 2 }, "+-uuu", "running"],
    ["unreached executions do not prevent the stop", { failedShare: 0.4, after: 2 }, "+-uuu", "stopped"],
  ])("%s", (_what, stopAt, kinds, status) => {
    const state = advance(running(10, stopAt), outcomes(kinds), T + 7);
    expect(state.status).toBe(status);
    const failed = [...kinds].filter((kind) => kind === "-").length;
    const of = failed + [...kinds].filter((kind) => kind === "+").length;
    expect(state.stopped).toEqual(status === "stopped" ? { why: "refused", failed, of } : undefined);
    expect(viewOperation(state, T + 7).stopped).toEqual(state.stopped ?? null);
    expect(state.finishedAt).toBe(status === "stopped" ? T + 7 : null);
  });

  test("stops the operation, stores the result, and a late response does not stop it again", () => {
    const stopped = advance(running(4, { failedShare: 0, after: 1 }), outcomes("-"), T);
    expect(planOperation(stopped, T)).toEqual({ kind: "close" });
    expect(stopIfRefused(stopped, T + 9)).toBe(stopped);
  });

  test("does not stop an operation whose items are all processed", () => {
    const state = advance(running(2, { failedShare: 0, after: 1 }), outcomes("--"), T);
    expect(state).toMatchObject({ status: "done", counts: { refused: { event_unknown: 2 } } });
  });
});

describe("an automatic retry after a recovery", () => {
  const healing = (count: number): OperationState => {
    const state = running(count);
    return { ...state, terms: { ...state.terms, verb: "retry", heal: { connection: "con_1", times: 1 } } };
  };

  test("checks the provider before each slice", () => {
    expect(planOperation(healing(3), T)).toEqual({ kind: "look", of: 0 });
    const fine = applyHealth(healing(3), { looked: 0, failed: 0 }, T);
    expect(fine).toMatchObject({ status: "running", lookAt: T + PROVIDER_CHECK_EVERY_MS });
    expect(planOperation(fine, T).kind).toBe("act");
  });

  test("stops if the provider has an outage again", () => {
    const some = advance(healing(8), outcomes("++-"), T);
    const stopped = applyHealth(some, { looked: 0, failed: 0, away: true }, T + 5);
    expect(stopped).toMatchObject({ status: "stopped", stopped: { why: "away", failed: 0, of: 2 }, finishedAt: T + 5 });
    expect(applyHealth(stopped, { looked: 0, failed: 0, away: true }, T + 9).finishedAt).toBe(T + 5);
  });
});

describe("processed executions", () => {
  const stopAt: StopCondition = { failedShare: 0.5, after: 2, states: ["broken"] };

  test("are checked after the minimum number, then every few seconds", () => {
    const begun = running(8, stopAt);
    expect(planOperation(begun, T).kind).toBe("act");
    const one = advance(begun, outcomes("+"), T);
    expect(isCheckDue(one, T)).toBe(false);
    const some = advance(begun, outcomes("+g+u"), T);
    expect(planOperation(some, T)).toEqual({ kind: "look", of: 4 });
    expect(processedCount(some)).toBe(4);
    const fine = applyHealth(some, { looked: 2, failed: 1 }, T);
    expect(fine).toMatchObject({ status: "running", lookAt: T + HEALTH_CHECK_EVERY_MS });
    expect(planOperation(fine, T).kind).toBe("act");
    expect(planOperation({ ...fine, leftAt: T * 2 }, T + HEALTH_CHECK_EVERY_MS).kind).toBe("look");
  });

  test("are not checked unless requested", () => {
    const state = advance(running(8, { failedShare: 0.5, after: 2 }), outcomes("+++"), T);
    expect(isCheckDue(state, T)).toBe(false);
    expect(isCheckDue(advance(running(8), outcomes("+++"), T), T)).toBe(false);
  });

  test("stop the operation if too many fail, with the number checked", () => {
    const some = advance(running(8, stopAt), outcomes("++++"), T);
    const stopped = applyHealth(some, { looked: 4, failed: 3 }, T + 5);
    expect(stopped).toMatchObject({ status: "stopped", stopped: { why: "unhealthy", failed: 3, of: 4 } });
    expect(stopped.finishedAt).toBe(T + 5);
    expect(applyHealth(some, { looked: 1, failed: 1 }, T).status).toBe("running");
  });

  test("checked after an abort change nothing", () => {
    const some = advance(running(8, stopAt), outcomes("++++"), T);
    const aborted = abortOperation(some, { actor: { kind: "key", id: "k" }, reason: null }, T);
    expect(applyHealth(aborted, { looked: 4, failed: 4 }, T).status).toBe("aborted");
  });

  test("checked successfully clear the error, unless an item is still unreached", () => {
    const trouble = { since: T, error: "D1 is away", tries: 1 };
    const some = { ...advance(running(8, stopAt), outcomes("++"), T), trouble };
    expect(applyHealth(some, { looked: 2, failed: 0 }, T).trouble).toBeNull();
    const left = { ...advance(running(8, stopAt), outcomes("++u"), T), trouble };
    expect(applyHealth(left, { looked: 2, failed: 0 }, T).trouble).toBe(trouble);
  });
});
