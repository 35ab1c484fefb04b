// docs/concepts/time.md says when expressions come due and which are refused, and when windows open; its tables are read, and held against the calendar.
import { describe, expect, test } from "vitest";
import { Temporal } from "temporal-polyfill";
import { parseCron } from "#kernel/calendar/cron.ts";
import { nextOpening } from "#kernel/calendar/opening-hours.ts";
import { nextOf } from "#kernel/calendar/occurrences.ts";
import { window } from "#schema/definition/window.ts";
import { linesOf, ruleOf } from "#test/kernel/calendar/rules.ts";
import { read } from "./tree.ts";

/** Rows of the table under a heading, as cells without their quotes. */
function rowsUnder(heading: string): readonly (readonly string[])[] {
  const [, section = ""] = read("docs/concepts/time.md").split(`## ${heading}\n`);
  const table = section.split("\n\n").find((part) => part.startsWith("|")) ?? "";
  const rows = table.split("\n").slice(2);
  return rows.map((row) =>
    row
      .replaceAll("`", "")
      .split(/ *\| */)
      .slice(1, -1),
  );
}

describe("each expression of the page comes due when the page says so", () => {
  test.each(rowsUnder("Expressions").map(([expression = "", , due = ""]) => [expression, due]))(
    "%s: %s",
    (expression, due) => {
      const next = nextOf(expression, "UTC", Date.UTC(2026, 10, 18, 12));
      expect(next).toEqual({ ok: true, value: Date.parse(`${due.replace(" ", "T")}Z`) });
    },
  );
});

describe("each refused expression of the page is refused, with what the page says to write", () => {
  const rows = rowsUnder("Refused").map(([expression = "", , instead = ""]) => [expression, instead] as const);
  test.each(rows)("%s", (expression) => {
    expect(parseCron(expression).ok).toBe(false);
  });

  const faulty = ["5/15", "22-2", "MONDAY", "15L"];
  const mended = rows.flatMap(([expression, instead]) =>
    faulty.flatMap((field) =>
      expression.includes(field) ? instead.split(" or ").map((each) => expression.replace(field, each)) : [],
    ),
  );
  test.each(mended)("%s is what to write instead", (expression) => {
    expect(parseCron(expression).ok).toBe(true);
  });

  test("there are some", () => {
    expect(rows.length).toBeGreaterThan(8);
    expect(mended.length).toBeGreaterThan(5);
  });
});

describe("what the page says of both changes in Zurich is so", () => {
  const days = [
    ["2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"],
    ["2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"],
  ] as const;
  test.each(rowsUnder("When clocks are moved").map((row) => [row.join(" "), row] as const))("%s", (_name, row) => {
    const [expression = "", said = "", ...shown] = row;
    const choice = said === "" ? {} : (JSON.parse(`{${said}}`) as Parameters<typeof ruleOf>[2]);
    const rule = ruleOf(expression, "Europe/Zurich", choice);
    const found = days.map(([from, to]) =>
      linesOf(rule, from, to)
        .map((line) => line.split(" ")[1]?.replace(/:00([+-])/, "$1"))
        .join(", "),
    );
    expect(found).toEqual(shown);
  });
});

describe("each window of the page opens and closes when the page says so", () => {
  const zurich = "Europe/Zurich";
  const shown = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms)
      .toZonedDateTimeISO(zurich)
      .toString({ timeZoneName: "never", smallestUnit: "minute" });

  test.each(rowsUnder("Opening hours").map(([text = "", now = "", ...times]) => [text, now, times] as const))(
    "%s at %s",
    (text, now, times) => {
      const at = Temporal.PlainDateTime.from(now).toZonedDateTime(zurich).epochMilliseconds;
      const opening = nextOpening(window.parse(JSON.parse(text)), zurich, at);
      expect(opening && [shown(opening.opens), shown(opening.closes)]).toEqual(times);
    },
  );
});
