// A calendar as CSV.
import { describe, expect, test } from "vitest";
import { csvHead, csvLine } from "#wire/preview/csv.ts";
import { row } from "./row.ts";

describe("a calendar as CSV", () => {
  test("has a line a row, under a head, with as many cells each", () => {
    const head = csvHead({ compares: false, contents: false });
    expect(head).toBe(
      "subject,at,local,timezone,dst,action,nth,type,place,status,reason,plannedAt,heldBy,attempts,isSure,assumes\r\n",
    );
    expect(csvLine(row())).toBe(
      "ada,2026-03-29T01:00:00.000Z,2026-03-29T03:00:00+02:00,Europe/Zurich,gap,mail,1,email,asked,ok,," +
        "2026-03-29T01:00:00.000Z,,1,false,paid comes; mail succeeds\r\n",
    );
    const undated = csvLine(row({ at: null, local: null, utcOffset: null, dst: null, plannedAt: null }));
    expect(undated).toBe("ada,,,Europe/Zurich,,mail,1,email,asked,ok,,,,1,false,paid comes; mail succeeds\r\n");
  });

  test("says of a comparison what changed, and from when", () => {
    expect(csvHead({ compares: true, contents: true })).toMatch(/^change,from,subject,.*,assumes,config\r\n$/);
    const change = { ...row({ config: { to: "a" } }), change: "moved" as const, from: "2026-03-28T01:00:00.000Z" };
    expect(csvLine(change)).toMatch(/^moved,2026-03-28T01:00:00.000Z,ada,.*,"{""to"":""a""}"\r\n$/);
    expect(csvLine(row({ config: null }))).toMatch(/,\r\n$/);
  });

  test("quotes what has commas, quotes, ends of lines or spaces around it", () => {
    const cell = (subject: string) => csvLine(row({ subject })).split(",2026")[0];
    expect(cell("a,b")).toBe('"a,b"');
    expect(cell('say "hi"')).toBe('"say ""hi"""');
    expect(cell("two\nlines")).toBe('"two\nlines"');
    expect(cell(" far ")).toBe('" far "');
  });

  test("has no cell that a spreadsheet takes for a formula", () => {
    for (const subject of ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", " =1", "\r\n@x"]) {
      expect(csvLine(row({ subject })).replace(/^"/, "")).toMatch(/^'/);
    }
    expect(csvLine(row({ subject: "a=1" }))).toMatch(/^a=1,/);
  });
});
