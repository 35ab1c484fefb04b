// Outcomes of the work that a recurring action has started, and its health.
import { expect, it, test } from "vitest";
import { healthWithWork, workHistory } from "#policy/calendar/work-outcomes.ts";
import { RECURRING_ERROR_CHARS_MAX, RECURRING_UNLISTED_MS } from "#schema/limits/recurring-actions.ts";
import type { RunStatus } from "#schema/engine/run.ts";
import type { RecurringHealth } from "#schema/recurring/calls.ts";
import type { WorkOutcome, WorkRow } from "#schema/recurring/work-outcome.ts";

const now = 10 * RECURRING_UNLISTED_MS;
const healthy: RecurringHealth = { status: "healthy", reason: null };

/** The history of one occurrence with this row. */
function outcomeOf(row: Partial<WorkRow> | null, isAction: boolean): WorkOutcome | undefined {
  const rows =
    row === null
      ? []
      : [{ execution: "exe_1", status: null, error: null, run: null, runError: null, deadLetter: null, ...row }];
  const recent = [{ nominal: 0, execution: "exe_1", createdAt: 0 }];
  return workHistory(recent, new Map(rows.map((each) => [each.execution, each])), isAction, now).occurrences[0]
    ?.outcome;
}

it.each<[Partial<WorkRow> | null, WorkOutcome]>([
  [{ status: "completed", run: "ok" }, "ok"],
  [{ status: "completed", run: "skipped" }, "skipped"],
  [{ status: "waiting", run: "failed" }, "failed"],
  [{ status: "canceled", run: "canceled" }, "canceled"],
  [{ status: "waiting", run: "scheduled" }, "pending"],
  [{ status: "active", run: "queued" }, "pending"],
  [{ status: "active", run: "running" }, "pending"],
  [{ status: "active", run: "retry" }, "pending"],
  [{ status: "completed" }, "ok"],
  [{ run: "ok" }, "ok"],
  [{}, "unknown"],
  [null, "unknown"],
])("an action with the row %j is %s", (row, outcome) => expect(outcomeOf(row, true)).toBe(outcome));

it.each<[Partial<WorkRow> | null, WorkOutcome]>([
  [{ status: "completed", run: "failed" }, "ok"],
  [{ status: "failed", run: "ok" }, "failed"],
  [{ status: "canceled" }, "canceled"],
  [{ status: "active", run: "ok" }, "pending"],
  [{ status: "waiting", run: "failed" }, "pending"],
  [{ status: "paused" }, "pending"],
  [{ status: "waiting", deadLetter: "no" }, "failed"],
  [{ status: "completed", deadLetter: "no" }, "ok"],
  [{ run: "ok" }, "unknown"],
])("an execution of a definition with the row %j is %s", (row, outcome) => expect(outcomeOf(row, false)).toBe(outcome));

test.each<[number | null, number | null, WorkOutcome]>([
  [now - 1, 0, "pending"],
  [now - RECURRING_UNLISTED_MS, now, "unknown"],
  [null, now - 1, "pending"],
  [null, null, "unknown"],
])("without a row, created at %j and due at %j, it is %s", (createdAt, nominal, outcome) => {
  const history = workHistory([{ nominal, execution: "exe_1", createdAt }], new Map(), true, now);
  expect(history.occurrences).toMatchObject([{ outcome, error: null }]);
});

/** The history of actions with these run statuses, the oldest first. */
function historyOf(statuses: readonly RunStatus[]) {
  const rows = statuses.map((run, n) => ({
    execution: `exe_${n}`,
    status: null,
    error: null,
    run,
    runError: `e${n}`,
    deadLetter: null,
  }));
  const recent = rows.map(({ execution }, n) => ({ nominal: n, execution, createdAt: n }));
  return workHistory(recent, new Map(rows.map((row) => [row.execution, row])), true, now);
}

test("the newest occurrence comes first, and only failures have an error", () => {
  const { occurrences } = historyOf(["failed", "ok"]);
  expect(occurrences.map(({ nominal, outcome, error }) => [nominal, outcome, error])).toEqual([
    [1, "ok", null],
    [0, "failed", "e0"],
  ]);
});

test.each<[readonly RunStatus[], WorkOutcome | null, number]>([
  [[], null, 0],
  [["queued"], null, 0],
  [["failed", "ok"], "ok", 0],
  [["ok", "failed", "failed", "retry"], "failed", 2],
  [["failed", "skipped", "failed", "canceled"], "canceled", 2],
])("of %j, the last outcome is %s and %i failed in a row", (statuses, lastOutcome, failuresInARow) => {
  expect(historyOf(statuses)).toMatchObject({ lastOutcome, failuresInARow });
});

test("an execution that waits with a dead letter has its error", () => {
  const row: WorkRow = {
    execution: "exe_1",
    status: "waiting",
    error: null,
    run: "ok",
    runError: null,
    deadLetter: "no",
  };
  const history = workHistory(
    [{ nominal: 0, execution: "exe_1", createdAt: 0 }],
    new Map([["exe_1", row]]),
    false,
    now,
  );
  expect(history.occurrences[0]?.error).toBe("no");
});

test("the error of a failed execution is its own", () => {
  const row: WorkRow = {
    execution: "exe_1",
    status: "failed",
    error: "mine",
    run: "failed",
    runError: "a run's",
    deadLetter: null,
  };
  const history = workHistory(
    [{ nominal: 0, execution: "exe_1", createdAt: 0 }],
    new Map([["exe_1", row]]),
    false,
    now,
  );
  expect(history.occurrences[0]?.error).toBe("mine");
});

test("an action whose run has no error has the error of its execution, or none", () => {
  for (const error of ["gone", null]) {
    const row: WorkRow = {
      execution: "exe_1",
      status: "failed",
      error,
      run: "failed",
      runError: null,
      deadLetter: null,
    };
    const history = workHistory(
      [{ nominal: 0, execution: "exe_1", createdAt: 0 }],
      new Map([["exe_1", row]]),
      true,
      now,
    );
    expect(history.occurrences[0]?.error).toBe(error);
    expect(healthWithWork(healthy, history).status).toBe("failing");
  }
});

test("health is failing since the newest success, and keeps a fault of the schedule", () => {
  expect(healthWithWork(healthy, historyOf(["failed", "ok"]))).toBe(healthy);
  expect(healthWithWork(healthy, historyOf(["ok", "failed"]))).toMatchObject({ status: "failing" });
  const stale: RecurringHealth = { status: "stale", reason: "late" };
  expect(healthWithWork(stale, historyOf(["failed"]))).toBe(stale);
});

test("the reason names the number and the newest error, and is limited", () => {
  expect(healthWithWork(healthy, historyOf(["failed", "failed"])).reason).toMatch(/2.*e1/);
  const long = historyOf(["failed"]);
  const [first] = long.occurrences;
  const occurrences = first === undefined ? [] : [{ ...first, error: "x".repeat(1_000) }];
  expect(healthWithWork(healthy, { ...long, occurrences }).reason).toHaveLength(RECURRING_ERROR_CHARS_MAX);
});
