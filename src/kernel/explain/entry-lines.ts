// Journal entries as short lines for explanations. A line contains only the fields that identify the entry. The journal
// contains the others.
import type { PredictedEntry, EntryLine } from "#schema/engine/explanation.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { PREDICTED_LINES_MAX } from "#schema/limits/planning/explanation-sizes.ts";

/** The fields that a line may contain. No field with a long text of a user is in this list. */
const LINE_FIELDS = [
  ...[
    "run",
    "action",
    "attempt",
    "timer",
    "node",
    "way",
    "outcome",
    "type",
    "event",
    "from",
    "to",
    "by",
    "state",
    "reason",
  ],
  ...["update", "found", "key", "parent", "dueAt", "until", "lateMs"],
];

export function lineOf(entry: JournalEntry): EntryLine {
  return { kind: entry.kind, ...identifyingFields(entry) };
}

/** The fields of the entry that are a single word, a number or null. */
export function identifyingFields(entry: JournalEntry): JsonObject {
  const fields = entry as unknown as JsonObject; // A journal entry is typed without an index signature, but it is plain JSON.
  return Object.fromEntries(
    LINE_FIELDS.flatMap((name): [string, Json][] => {
      const value = fields[name];
      return value === undefined || typeof value === "object" ? [] : [[name, value]];
    }),
  );
}

/** The entries of the predicted step except its first entry, which is shown as the prediction itself. */
export function remainingEntries(entries: readonly JournalEntry[]): Pick<PredictedEntry, "with" | "more"> {
  const rest = entries.slice(1);
  return { with: rest.slice(0, PREDICTED_LINES_MAX).map(lineOf), more: Math.max(0, rest.length - PREDICTED_LINES_MAX) };
}
