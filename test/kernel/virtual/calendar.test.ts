// The expected actions of many subjects as one calendar, and the diff of two calendars.
import { describe, expect, test } from "vitest";
import { computeAtOnce } from "#kernel/computing/computation.ts";
import { diffCalendars, rowsOf, sortRows } from "#kernel/virtual/calendar.ts";
import { placesOf } from "#kernel/programs/place-names.ts";
import type { CalendarRow } from "#schema/virtual/calendar.ts";
import type { ExpectedAction } from "#schema/virtual/expected-actions.ts";
import { machine } from "#test/support/drive.ts";

function expectedAt(at: number | null, action = "mail", status: ExpectedAction["status"] = "ok"): ExpectedAction {
  return {
    run: "1.0",
    action,
    item: null,
    type: "email",
    place: null,
    at,
    plannedAt: at,
    heldBy: null,
    timezone: "UTC",
    status,
    reason: null,
    error: null,
    attempts: 1,
    endedAt: at,
    assumes: [],
    config: null,
  };
}

const rows = (subject: string, ...actions: ExpectedAction[]) => [...rowsOf(subject, actions)];
const brief = ({ subject, nth, expected }: CalendarRow) => `${subject} ${expected.action} ${nth} ${expected.at}`;

describe("a calendar", () => {
  test("knows of each row which of its subject's it is, and has them by instant, undated ones last", () => {
    const all = [
      ...rows("a", expectedAt(3), expectedAt(5, "call"), expectedAt(7), expectedAt(null)),
      ...rows("b", expectedAt(null), expectedAt(3), expectedAt(1)),
    ];
    expect(computeAtOnce(sortRows(all)).map(brief)).toEqual([
      ...["b mail 3 1", "a mail 1 3", "b mail 2 3", "a call 1 5", "a mail 2 7"],
      ...["a mail 3 null", "b mail 1 null"],
    ]);
  });

  test("differs from another in what is added, removed and moved; what is skipped is not there", () => {
    const before = [
      ...rows("a", expectedAt(1), expectedAt(5), expectedAt(9, "gone"), expectedAt(4, "late", "skipped")),
      ...rows("b", expectedAt(2), expectedAt(null, "open"), expectedAt(3, "lost"), expectedAt(null, "never")),
    ];
    const after = [
      ...rows("a", expectedAt(1), expectedAt(6), expectedAt(4, "late"), expectedAt(8, "new")),
      ...rows("b", expectedAt(2, "mail", "skipped"), expectedAt(7, "open"), expectedAt(null, "lost")),
    ];
    const { changes, unchanged } = computeAtOnce(diffCalendars(before, after));
    expect(changes.map(({ kind, row, from }) => `${kind} ${brief(row)} from ${from}`)).toEqual([
      "removed b mail 1 2 from 2",
      "added a late 1 4 from null",
      "moved a mail 2 6 from 5",
      "moved b open 1 7 from null",
      "added a new 1 8 from null",
      "removed a gone 1 9 from 9",
      "moved b lost 1 null from 3",
      "removed b never 1 null from null",
    ]);
    expect(unchanged).toBe(1);
    expect(computeAtOnce(diffCalendars(before, before))).toEqual({ changes: [], unchanged: 7 });
  });
});

test("the places of a machine are the paths of its states", () => {
  const nested = machine({
    states: { a: { initial: "b", states: { b: { initial: "c", states: { c: {} } } } }, d: {} },
  });
  expect(placesOf(nested)).toEqual(["a", "a.b", "a.b.c", "d"]);
});
