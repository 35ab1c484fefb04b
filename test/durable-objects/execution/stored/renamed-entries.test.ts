import { expect, test } from "vitest";
import type { JournalEntry } from "#schema/engine/journal.ts";
import { currentEntries } from "../../../../durable-objects/execution/stored/renamed-entries.ts";

const entry = (fields: object): JournalEntry => ({ seq: 1, n: 0, at: 17, ...fields }) as JournalEntry;

test("entries that an earlier version stored have the current names", () => {
  const stored = [
    entry({ kind: "enlisted", key: "o-1" }),
    entry({ kind: "errand_done", run: "1.0", action: "ask", errand: "remind", found: "done" }),
    entry({ kind: "run_created", run: "2.0", action: "mail", dueAt: null, cameBack: "redo" }),
    entry({ kind: "completed" }),
  ];
  expect(currentEntries(stored)).toEqual([
    entry({ kind: "correlation_key_registered", key: "o-1" }),
    entry({ kind: "task_updated", run: "1.0", action: "ask", update: "remind", found: "done" }),
    entry({ kind: "run_created", run: "2.0", action: "mail", dueAt: null, reactivated: "redo" }),
    entry({ kind: "completed" }),
  ]);
});

test("current entries are not copied", () => {
  const stored = [entry({ kind: "completed" })];
  expect(currentEntries(stored)).toBe(stored);
});
