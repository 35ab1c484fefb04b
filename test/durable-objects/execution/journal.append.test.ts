// Tests when a tail is sealed into a page.
import { expect, it } from "vitest";
import { append, type Head } from "#objects/execution/storage.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import { JOURNAL_PAGE_BYTES, JOURNAL_PAGE_ENTRIES_MAX, JOURNAL_ROW_BYTES_MAX } from "#schema/limits/executions.ts";
import type { ExecutionState } from "#schema/engine/state.ts";

const state = { id: "exe_1" } as ExecutionState; // the code does not read the state

function entries(count: number, from = 0, reason = "r"): JournalEntry[] {
  const actor = { kind: "engine", id: "engine" } as const;
  return Array.from({ length: count }, (_, n) => ({ seq: from + n, n: 0, at: 0, kind: "paused", actor, reason }));
}

function open(
  tail: readonly JournalEntry[] = [],
  pages = 0,
): { head: Head; sealed: [number, readonly JournalEntry[]][] } {
  return { head: { state, tail, pages }, sealed: [] };
}

it("a tail grows up to a page", () => {
  const { head, sealed } = open();
  const grown = append(head, state, entries(JOURNAL_PAGE_ENTRIES_MAX), (...page) => sealed.push(page));
  expect([grown.tail.length, grown.pages, sealed.length]).toEqual([JOURNAL_PAGE_ENTRIES_MAX, 0, 0]);
});

it("one more entry seals the tail as the next page, in order", () => {
  const { head, sealed } = open(entries(JOURNAL_PAGE_ENTRIES_MAX), 2);
  const grown = append(head, state, entries(1, 1_000), (...page) => sealed.push(page));
  expect([grown.tail, grown.pages]).toEqual([[], 3]);
  expect(sealed).toEqual([[3, [...entries(JOURNAL_PAGE_ENTRIES_MAX), ...entries(1, 1_000)]]]);
});

it("long entries fill a page by their bytes", () => {
  const { head, sealed } = open();
  const long = entries(3, 0, "x".repeat(JOURNAL_PAGE_BYTES / 2));
  append(head, state, long, (...page) => sealed.push(page));
  expect(sealed).toEqual([[1, long]]);
});

it("the first entries of an execution need no earlier head", () => {
  const head = append(null, state, entries(2), () => expect.unreachable());
  expect(head).toMatchObject({ state, tail: entries(2), pages: 0 });
});

it("the cached text of a tail is not stored", () => {
  const head = append(null, state, entries(2), () => expect.unreachable());
  const grown = append(head, state, entries(1, 2), () => expect.unreachable());
  expect(JSON.parse(JSON.stringify(grown))).toEqual({ state, tail: entries(3), pages: 0 });
});

it("a step with more entries than a row can have fills several pages, in order", () => {
  const { head, sealed } = open(entries(1), 4);
  const added = entries(24, 1, "ü".repeat(JOURNAL_ROW_BYTES_MAX / 8));
  const grown = append(head, state, added, (...page) => sealed.push(page));
  expect([grown.tail, grown.pages]).toEqual([[], 4 + sealed.length]);
  expect(sealed.map(([page]) => page)).toEqual(sealed.map((_, at) => 5 + at));
  expect(sealed.flatMap(([, page]) => page)).toEqual([...entries(1), ...added]);
  const bytes = sealed.map(([, page]) => new TextEncoder().encode(JSON.stringify(page)).byteLength);
  expect(Math.max(...bytes)).toBeLessThanOrEqual(JOURNAL_ROW_BYTES_MAX);
});

it("a page is limited in bytes, whatever characters its entries have", () => {
  const { head, sealed } = open();
  append(head, state, entries(1, 0, "語".repeat(JOURNAL_PAGE_BYTES / 3)), (...page) => sealed.push(page));
  expect(sealed).toHaveLength(1);
});
