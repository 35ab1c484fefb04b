// Limits of the wait for a window: until when a run may start, how waiting runs are spread, and in which zone.
import { describe, expect, test } from "vitest";
import type { Window } from "#schema/definition/window.ts";
import { day, failure, hour, minute, second, T0, ask } from "#test/support/drive.ts";
import { evening, mailing, morning, polite, variable, type Action } from "./windows.ts";
import { naming } from "#test/support/matchers/naming.ts";

describe("21 window after validUntil", () => {
  test.each<[string, Action]>([
    ["validUntil passes before it opens", { validUntil: T0 + morning - 1 }],
    ["it would be too late by then", { maxLateness: morning - evening - 1 }],
    ["both", { validUntil: T0 + morning - 1, maxLateness: "PT1H" }],
  ])("%s: it is skipped now, and its process goes on", (_, more) => {
    const t = mailing(more).clock(evening).start();
    expect([t.at, t.run("mail")]).toMatchObject([
      "b",
      { status: "skipped", reason: "no_window", finishedAt: T0 + evening },
    ]);
    expect(t.newLines()).toContain("run_skipped 1.0 mail: no_window");
  });

  test.each<[string, Action]>([
    ["validUntil is when it opens", { validUntil: T0 + morning }],
    ["it is just not too late", { maxLateness: morning - evening }],
    ["validUntil hangs on a variable that is not there", { validUntil: variable("nope") }],
  ])("%s: it waits", (_, more) => {
    const t = mailing(more).clock(evening).start();
    expect(t.tickAt(morning).runs()).toEqual(["mail queued"]);
  });

  test("what counts is when it was due, however often its retries were held", () => {
    const t = mailing({ maxLateness: "P1D", retryPolicy: { baseDelay: 2_000 } })
      .clock(11 * hour - second)
      .start();
    t.miss("mail").tickAt(evening);
    expect(t.run("mail")).toMatchObject({ status: "scheduled", dueAt: T0 + morning });
    t.clock(morning + 11 * hour - 3 * second).take(ask.tick());
    expect(t.run("mail")).toMatchObject({ status: "queued" });
    t.miss("mail")
      .clock(morning + evening)
      .take(ask.tick());
    expect(t.run("mail")).toMatchObject({ status: "skipped", reason: "late" });
  });

  test("a bound that passes during a hold is evaluated again at the release", () => {
    const t = mailing({ validUntil: variable("until") })
      .clock(evening)
      .start({ until: T0 + 2 * day });
    t.patch({ until: T0 + morning - 1 }).tickAt(morning);
    expect(t.run("mail")).toMatchObject({ status: "skipped", reason: "no_longer_valid" });
  });
});

describe("the spread", () => {
  const spread = { ...polite, spread: "PT15M" };

  test("gives a run its place behind the opening, the same whenever it is asked", () => {
    const until = (t: ReturnType<typeof mailing>) => Number(t.clock(evening).start().run("mail").dueAt) - T0 - morning;
    const first = until(mailing({}, spread));
    expect([first > 0, first < 15 * minute, until(mailing({}, spread))]).toEqual([true, true, first]);
  });

  test("is not waited for while it is open", () => {
    expect(mailing({}, spread).clock(second).start().runs()).toEqual(["mail queued"]);
  });

  test("ends when it closes again, and when it is abandoned", () => {
    const most = (more: Action, window: Window) => {
      const dues = Array.from({ length: 200 }, (_, n) => {
        const delays = { date: { anchor: T0 + evening + n } };
        const t = mailing({ delay: "date", ...more }, window, { delays })
          .clock(evening + n)
          .start();
        return Number(t.run("mail").dueAt) - T0 - morning;
      });
      return Math.max(...dues);
    };
    expect(most({}, { ...polite, to: "09:02", spread: "PT15M" })).toBeLessThan(2 * minute);
    expect(most({ validUntil: T0 + morning + minute }, spread)).toBeLessThanOrEqual(minute);
    expect(most({ validUntil: T0 + morning }, spread)).toBe(0);
  });
});

describe("a window's zone", () => {
  const asked: Window = { ...polite, timezone: variable("zone") };
  const wait = (zone: unknown) =>
    mailing({}, asked, { timezone: "Europe/Zurich" })
      .clock(evening)
      .start({ zone } as never);

  test.each([
    ["America/New_York", 12 * hour], // 16:00 there, so the run starts
    ["Asia/Tokyo", 15 * hour], // 06:00 there
  ])("is what its rule gives: %s", (zone, due) => {
    const t = wait(zone);
    if (due > evening) expect(t.run("mail").dueAt).toBe(T0 + due);
    else expect(t.runs()).toEqual(["mail queued"]);
  });

  test.each<[string, unknown, string]>([
    ["nothing", null, "null"],
    ["an unknown name", "Mars/Base", '"Mars/Base"'],
    ["a number", 7, "7"],
    ["something long", "x".repeat(300), `"${"x".repeat(99)}`],
  ])("is the definition's where the rule gives %s, and the journal says so once", (_, zone, given) => {
    const t = wait(zone);
    expect(t.run("mail").dueAt).toBe(T0 + morning - hour); // 09:00 in Zurich
    t.tickAt(morning - hour)
      .claim("mail")
      .settle("mail", failure())
      .tickAt(evening + day);
    expect(t.run("mail")).toMatchObject({ attempt: 1, held: { reason: "window" } });
    expect(t.entries.filter(({ kind }) => kind === "timezone_unknown")).toMatchObject([
      { run: "1.0", action: "mail", given, taken: "Europe/Zurich" },
    ]);
  });

  test("is noted where the window is open, too", () => {
    const t = mailing({}, asked).start().ok("mail");
    expect(t.newLines()).toContain("timezone_unknown 1.0 mail: null, so UTC");
  });

  test("may be named", () => {
    const t = mailing({}, { ...polite, timezone: "Asia/Tokyo" })
      .clock(2 * hour)
      .start();
    expect(t.run("mail").dueAt).toBe(T0 + 15 * hour);
  });

  test("whose rule breaks is the definition's fault: the run fails, and says why", () => {
    const t = mailing({}, { ...polite, timezone: { nope: 1 } }).start();
    expect(t.run("mail").error).toMatchObject({ type: "invalid_configuration", message: naming("timezone") });
  });
});
