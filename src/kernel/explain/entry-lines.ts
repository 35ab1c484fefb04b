// Journal entries as lines that say which they are. What they carry besides is read in the journal.
import type { Foreseen, Line } from "#schema/engine/explanation.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import { FORESEEN_LINES_MAX } from "#schema/limits/explaining.ts";

/** Short by nature; what users wrote at length is under other names. */
const TOLD = [
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
  ...["errand", "found", "key", "parent", "dueAt", "until", "lateMs"],
];

export function lineOf(entry: JournalEntry): Line {
  return { kind: entry.kind, ...aboutOf(entry) };
}

/** Whom the entry concerns: what of its fields is a plain word, number or nothing. */
export function aboutOf(entry: JournalEntry): JsonObject {
  const fields = entry as unknown as JsonObject; // entries are plain JSON by construction
  return Object.fromEntries(
    TOLD.flatMap((name): [string, Json][] => {
      const value = fields[name];
      return value === undefined || typeof value === "object" ? [] : [[name, value]];
    }),
  );
}

/** The first of a step's entries is what comes next; the others come with it. */
export function sequel(entries: readonly JournalEntry[]): Pick<Foreseen, "with" | "more"> {
  const rest = entries.slice(1);
  return { with: rest.slice(0, FORESEEN_LINES_MAX).map(lineOf), more: Math.max(0, rest.length - FORESEEN_LINES_MAX) };
}
