// The progress of an execution whose history is deleted keeps its failures.
import { expect, test } from "vitest";
import { retiredProgress } from "#policy/advice/retired-progress.ts";
import type { ExecutionRow } from "#schema/engine/projection.ts";
import { executionRow } from "#objects/execution/projections/catalog-rows.ts";
import { drive, T0 } from "#test/support/drive.ts";

const ended = drive({ states: { done: { type: "final" } } }).start().state;
const progress = (over: Partial<ExecutionRow>) => retiredProgress({ ...executionRow(ended, T0), ...over });

test.each<[string, Partial<ExecutionRow>, number, string | null]>([
  ["no failure", {}, 0, null],
  ["failures before a success", { errors: { count: 3, last: "HTTP 503" } }, 3, "HTTP 503"],
  ["failures of nodes without runs", { errors: { count: 2, last: null } }, 2, null],
  ["an own error", { status: "failed", error: "machine_failed: x" }, 1, "machine_failed: x"],
  [
    "an own error after failures",
    { error: "machine_failed: x", errors: { count: 2, last: "503" } },
    2,
    "machine_failed: x",
  ],
  ["a cancellation", { status: "canceled", reason: "moved" }, 0, "canceled: moved"],
])("%s", (_, over, errorCount, lastError) => {
  expect(progress(over)).toMatchObject({ errorCount, lastError });
});

test("only a completed execution has done states", () => {
  expect(progress({}).progress).toEqual({ completed: 1, total: 1, percentage: 100 });
  expect(progress({ status: "failed" }).progress).toEqual({ completed: 0, total: 1, percentage: 0 });
});
