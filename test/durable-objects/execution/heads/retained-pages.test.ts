// Tests that a reconciler keeps the latest pages of its journal, and other executions keep all.
import { expect, it } from "vitest";
import { firstPage, sealInto } from "#objects/execution/heads/retained-pages.ts";
import { readJournal } from "#objects/execution/journal.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { RECONCILER_PAGES_KEPT as KEPT } from "#schema/limits/executions.ts";

const machine = { id: "exe_1" } as ExecutionState; // this is the only field that the code reads
const reconciler = { ...machine, reconciling: {} } as ExecutionState;

it.each([
  [machine, 3 * KEPT, 1],
  [reconciler, 0, 1],
  [reconciler, KEPT, 1],
  [reconciler, KEPT + 3, 4],
])("the first page that is there", (state, pages, first) => {
  expect(firstPage({ state, pages })).toBe(first);
});

it("a sealed page deletes the surplus page, and reads begin after it", () => {
  const pages = new Map<number, readonly JournalEntry[]>();
  const storage = {
    writePage: (_id: string, page: number, entries: readonly JournalEntry[]) => void pages.set(page, entries),
    dropPage: (_id: string, page: number) => void pages.delete(page),
    readPage: (_id: string, page: number) => pages.get(page) ?? [],
  };
  const actor = { kind: "engine", id: "engine" } as const;
  const entry = (seq: number): JournalEntry => ({ seq, n: 0, at: 0, kind: "paused", actor, reason: null });
  const seal = sealInto(storage, reconciler);
  for (let page = 1; page <= KEPT + 2; page += 1) seal(page, [entry(page)]);
  expect([pages.size, pages.has(2), pages.has(3)]).toEqual([KEPT, false, true]);
  const heads = {
    read: () => ({ state: reconciler, tail: [], pages: KEPT + 2 }),
    isUnreadable: () => false,
    identity: () => null,
    quarantine: { get: () => undefined },
  };
  const read = (query: object) => readJournal(heads, storage, { execution: "exe_1", after: null, limit: 1, ...query });
  expect(read({})).toMatchObject({ value: { entries: [{ seq: 3 }] } });
  expect(read({ seq: 1 })).toMatchObject({ value: { entries: [] } });
});
