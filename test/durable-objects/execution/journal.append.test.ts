// When a tail becomes a page.
import { expect, it } from "vitest";
import { append, type Head } from "#objects/execution/storage.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import { limits } from "#schema/limits.ts";
import type { ExecutionState } from "#schema/engine/state.ts";

const state = { id: "exe_1" } as ExecutionState; // carried along, not looked at

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

it("a tail grows until it has a page's worth", () => {
  const { head, sealed } = open();
  const grown = append(head, state, entries(limits.journalPageEntriesMax), (...page) => sealed.push(page));
  expect([grown.tail.length, grown.pages, sealed.length]).toEqual([limits.journalPageEntriesMax, 0, 0]);
});

it("one entry more seals all of it as the next page, in order", () => {
  const { head, sealed } = open(entries(limits.journalPageEntriesMax), 2);
  const grown = append(head, state, entries(1, 1_000), (...page) => sealed.push(page));
  expect([grown.tail, grown.pages]).toEqual([[], 3]);
  expect(sealed).toEqual([[3, [...entries(limits.journalPageEntriesMax), ...entries(1, 1_000)]]]);
});

it("few but long entries fill a page by their bytes", () => {
  const { head, sealed } = open();
  const long = entries(3, 0, "x".repeat(limits.journalPageBytes / 2));
  append(head, state, long, (...page) => sealed.push(page));
  expect(sealed).toEqual([[1, long]]);
});

it("an execution's first entries need no head before them", () => {
  expect(append(null, state, entries(2), () => expect.unreachable())).toEqual({ state, tail: entries(2), pages: 0 });
});
