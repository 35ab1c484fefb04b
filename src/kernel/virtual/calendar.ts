// The calendar of many subjects of one definition, and the comparison of two calendars.
import type { CalendarChange, CalendarRow } from "#schema/virtual/calendar.ts";
import type { ExpectedAction } from "#schema/virtual/expected-actions.ts";
import type { Computation } from "../computing/computation.ts";
import { sortInParts } from "./sort-in-parts.ts";

/** The rows of one subject. If an action has several rows, they are numbered. */
export function rowsOf(subject: string, actions: readonly ExpectedAction[]): readonly CalendarRow[] {
  const counts = new Map<string, number>();
  return actions.map((action) => {
    const nth = (counts.get(action.action) ?? 0) + 1;
    counts.set(action.action, nth);
    return { subject, nth, expected: action };
  });
}

/**
 * Sorts rows by instant. Rows without an instant come last, and rows of one instant keep the order of their subjects.
 */
export function sortRows(rows: readonly CalendarRow[]): Computation<CalendarRow[]> {
  return sortInParts(rows, ({ expected }) => expected.at ?? Infinity);
}

export type CalendarDiff = { readonly changes: readonly CalendarChange[]; readonly unchanged: number };

/**
 * Compares two calendars by subject and action: the first row of an action with the first, the second with the second.
 * Skipped rows are not compared.
 */
export function* diffCalendars(
  before: readonly CalendarRow[],
  after: readonly CalendarRow[],
): Computation<CalendarDiff> {
  const old = new Map<string, CalendarRow>();
  for (const row of before) {
    if (isWanted(row)) old.set(nameOf(row), row);
    yield UNITS_A_ROW;
  }
  const changes: CalendarChange[] = [];
  let unchanged = 0;
  for (const row of after) {
    yield UNITS_A_ROW;
    if (!isWanted(row)) continue;
    const was = old.get(nameOf(row));
    old.delete(nameOf(row));
    if (was === undefined) changes.push({ kind: "added", row, from: null });
    else if (was.expected.at === row.expected.at) unchanged += 1;
    else changes.push({ kind: "moved", row, from: was.expected.at });
  }
  for (const row of old.values()) changes.push({ kind: "removed", row, from: row.expected.at });
  const at = ({ kind, row, from }: CalendarChange): number => (kind === "removed" ? from : row.expected.at) ?? Infinity;
  return { changes: yield* sortInParts(changes, at), unchanged };
}

/** The cost units of finding a row by its key, which is a concatenated text. */
const UNITS_A_ROW = 20;

function isWanted({ expected }: CalendarRow): boolean {
  return expected.status !== "skipped";
}

function nameOf({ subject, nth, expected }: CalendarRow): string {
  return JSON.stringify([subject, expected.action, nth]);
}
