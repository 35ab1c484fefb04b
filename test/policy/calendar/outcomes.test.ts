// Tests the results of starting occurrences.
import { describe, expect, test } from "vitest";
import { at, specOf, Trace } from "#test/support/recurring-trace.ts";

const begun = "2026-11-16T08:00:00Z";
const due = "2026-11-16T09:00:00Z";

test("started: the occurrence is counted, and its execution is stored", () => {
  const trace = new Trace(begun, specOf()).until(due);
  const id = String(at(due));
  expect(trace.state).toMatchObject({ count: 1, failed: 0, lastExecutedAt: at(due), pending: [], lastError: null });
  expect(trace.rows.get(id)).toMatchObject({ dispatchedAt: at(due), execution: `exe_${id}` });
});

test("a repeated result changes nothing", () => {
  const trace = new Trace(begun, specOf()).until(due);
  const { state } = trace;
  trace.step({ kind: "outcomes", outcomes: [{ id: String(at(due)), kind: "taken", execution: "exe_other" }] });
  expect(trace.state).toBe(state);
});

test("refused: the reason is recorded, the failure is counted, and the schedule continues", () => {
  const trace = new Trace(begun, specOf());
  trace.answer = "refused";
  trace.until(due);
  expect(trace.outcomes).toEqual(["2026-11-16T09:00 missed definition_archived"]);
  expect(trace.state).toMatchObject({ count: 0, failed: 1, status: "active", lastError: "it is archived" });
  expect(trace.events).toContain("recurring.dispatch_error");
  trace.answer = "taken";
  expect(trace.until("2026-11-17T09:00:00Z").state).toMatchObject({ count: 1, lastError: null });
});

describe("unreached", () => {
  test("the start is repeated with growing gaps until it succeeds", () => {
    const trace = new Trace(begun, specOf());
    trace.answer = "unreached";
    trace.until(due).until("2026-11-16T09:00:01Z").until("2026-11-16T09:00:03Z");
    expect(trace.state.pending[0]).toMatchObject({ tries: 3, error: "nobody is there" });
    trace.answer = "taken";
    expect(trace.until("2026-11-16T09:00:07Z").state.pending).toEqual([]);
    expect(trace.outcomes).toEqual(["2026-11-16T09:00 dispatched"]);
  });

  test("the start is repeated after the requested retry time", () => {
    const trace = new Trace(begun, specOf());
    trace.now = at(due);
    trace.step({ kind: "fire" });
    const outcome = { id: String(at(due)), kind: "unreached", message: "later", retryAfterMs: 30_000 } as const;
    trace.step({ kind: "outcomes", outcomes: [outcome] });
    expect(trace.state.pending[0]?.retryAt).toBe(at(due) + 30_000);
  });

  test("after the last start time the occurrence is recorded as missed", () => {
    const trace = new Trace(begun, specOf());
    trace.answer = "unreached";
    for (let minute = 0; minute < 12; minute += 1) trace.until(new Date(at(due) + minute * 60_000).toISOString());
    expect(trace.outcomes).toEqual(["2026-11-16T09:00 missed not_dispatched"]);
    expect(trace.state).toMatchObject({ failed: 1, pending: [], status: "active" });
  });

  test("if the whole call failed, all its occurrences are repeated", () => {
    const trace = new Trace(begun, specOf());
    trace.now = at(due);
    trace.step({ kind: "fire" });
    trace.ask({ verb: "trigger" });
    trace.step({ kind: "unreached", ids: [String(at(due))], message: "the call was lost" });
    expect(trace.state.pending).toMatchObject([{ tries: 1, error: "the call was lost" }, { tries: 0 }]);
  });
});

describe("the maximum number of executions", () => {
  test("ends the schedule with the last start", () => {
    const trace = new Trace(begun, specOf({ maxExecutions: 2 })).until(due).until("2026-11-17T09:00:00Z");
    expect(trace.state).toMatchObject({ status: "completed", statusReason: "max_executions", count: 2, next: null });
    expect(trace.events.at(-1)).toBe("recurring.expired");
  });

  test("is not reduced by refused occurrences", () => {
    const trace = new Trace(begun, specOf({ maxExecutions: 1 }));
    trace.answer = "refused";
    trace.until(due);
    expect([trace.state.status, trace.next]).toEqual(["active", "2026-11-17T09:00:00.000Z"]);
  });

  test("is not exceeded by caught-up occurrences", () => {
    const spec = specOf({ maxExecutions: 2, catchUp: "all", catchUpWindowMs: 10 * 24 * 60 * 60_000 });
    expect(new Trace(begun, spec).until("2026-11-20T08:00:00Z").sent).toHaveLength(2);
  });

  test("includes the waiting occurrence", () => {
    const spec = specOf({ maxExecutions: 2, overlap: "buffer_one" });
    const trace = new Trace(begun, spec).until(due).until("2026-11-17T09:00:00Z");
    expect([trace.state.status, trace.next]).toEqual(["active", null]);
    trace.ended.add(`exe_${at(due)}`);
    expect(trace.until("2026-11-17T12:00:00Z").state.statusReason).toBe("max_executions");
  });
});
