// What is expected of many subjects of one definition, as one calendar; and what changes between two of them.
import type { CalendarChange, CalendarRow } from "#schema/virtual/calendar.ts";
import type { ExpectedAction } from "#schema/virtual/expected.ts";

/** A subject's rows; of the rows of one action, each knows which it is. */
export function rowsOf(subject: string, actions: readonly ExpectedAction[]): readonly CalendarRow[] {
  const counts = new Map<string, number>();
  return actions.map((action) => {
    const nth = (counts.get(action.action) ?? 0) + 1;
    counts.set(action.action, nth);
    return { subject, nth, expected: action };
  });
}

/** By instant, undated ones last; of one instant in the order of the subjects. In place: there are very many. */
export function sortRows(rows: CalendarRow[]): void {
  rows.sort((a, b) => (a.expected.at ?? Infinity) - (b.expected.at ?? Infinity) || 0);
}

export type Difference = { readonly changes: readonly CalendarChange[]; readonly unchanged: number };

/** Subject by subject, action by action, the first with the first. What is skipped is not there. */
export function difference(before: readonly CalendarRow[], after: readonly CalendarRow[]): Difference {
  const old = new Map(before.filter(isWanted).map((row) => [nameOf(row), row]));
  const changes: CalendarChange[] = [];
  let unchanged = 0;
  for (const row of after) {
    if (!isWanted(row)) continue;
    const was = old.get(nameOf(row));
    old.delete(nameOf(row));
    if (was === undefined) changes.push({ kind: "added", row, from: null });
    else if (was.expected.at === row.expected.at) unchanged += 1;
    else changes.push({ kind: "moved", row, from: was.expected.at });
  }
  for (const row of old.values()) changes.push({ kind: "removed", row, from: row.expected.at });
  const at = ({ kind, row, from }: CalendarChange): number => (kind === "removed" ? from : row.expected.at) ?? Infinity;
  return { changes: changes.toSorted((a, b) => at(a) - at(b) || 0), unchanged };
}

function isWanted({ expected }: CalendarRow): boolean {
  return expected.status !== "skipped";
}

function nameOf({ subject, nth, expected }: CalendarRow): string {
  return JSON.stringify([subject, expected.action, nth]);
}
