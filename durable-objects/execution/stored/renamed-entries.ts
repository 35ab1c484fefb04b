// Renamed entries: converts journal entries that an earlier version stored under other names. Rows are converted when they
// are read, so that no other code knows the old names.
import type { JournalEntry } from "#schema/engine/journal.ts";

type Names = { readonly [old: string]: string };

const KINDS: Names = {
  completed_by_hand: "completed_by_operator",
  enlisted: "correlation_key_registered",
  errand_begun: "task_update_due",
  errand_done: "task_updated",
  held_by_hand: "held_by_operator",
  parent_told: "parent_notified",
  run_passed_over: "run_reused",
  skipped_by_hand: "skipped_by_operator",
  subject_told: "subject_notified",
  way_taken: "edge_taken",
};
/** The renamed fields of entries. No entry has a field with an old name for another purpose. */
const FIELDS: Names = { cameBack: "reactivated", errand: "update" };

export function currentEntries(stored: readonly JournalEntry[]): readonly JournalEntry[] {
  return stored.some(isRenamed) ? stored.map((entry) => (isRenamed(entry) ? renamed(entry) : entry)) : stored;
}

function isRenamed(entry: JournalEntry): boolean {
  return entry.kind in KINDS || "cameBack" in entry;
}

function renamed(entry: JournalEntry): JournalEntry {
  const fields = Object.entries(entry).map(([name, value]) => [FIELDS[name] ?? name, value]);
  // The renamed entry has the shape of its new kind, because only names differ.
  return { ...Object.fromEntries(fields), kind: KINDS[entry.kind] ?? entry.kind } as JournalEntry;
}
