// Tests that the entries of one step are found on any page.
import { expect, it } from "vitest";
import { readJournal } from "#objects/execution/journal.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";

const state = { id: "exe_1" } as ExecutionState; // the code does not read the state
const actor = { kind: "engine", id: "engine" } as const;
const entry = (seq: number, n: number): JournalEntry => ({ seq, n, at: 0, kind: "paused", actor, reason: null });

/** Steps 1 to 5: the third is on two pages, and the fifth is in the tail. */
const pages = [
  [entry(1, 0), entry(2, 0), entry(3, 0)],
  [entry(3, 1), entry(3, 2), entry(4, 0)],
];
const tail = [entry(4, 1), entry(5, 0)];
const looked: number[] = [];
const read = (seq: number, limit = 100) => {
  looked.length = 0;
  const heads = {
    read: (id: string) => (id === "exe_1" ? { state, tail, pages: pages.length } : null),
    isUnreadable: () => false,
    identity: () => null,
    quarantine: { get: () => undefined },
  };
  const storage = { readPage: (_id: string, page: number) => (looked.push(page), pages[page - 1] ?? []) };
  return readJournal(heads, storage, { execution: "exe_1", after: null, limit, seq });
};

it.each([
  [5, [entry(5, 0)], []],
  [4, [entry(4, 0), entry(4, 1)], [2]],
  [3, [entry(3, 0), entry(3, 1), entry(3, 2)], [2, 1]],
  [1, [entry(1, 0)], [2, 1]],
  [9, [], []],
])("turn %i is found from the end, on as few pages as it takes", (seq, entries, pagesRead) => {
  expect([read(seq), looked]).toEqual([{ ok: true, value: { entries, nextCursor: null } }, pagesRead]);
});

it("the entries of a step are cut at the limit", () => {
  expect(read(3, 2)).toEqual({ ok: true, value: { entries: [entry(3, 0), entry(3, 1)], nextCursor: null } });
});
