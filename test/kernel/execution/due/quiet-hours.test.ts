// Quiet hours of a tenant: held until the opening, spread after it, skipped if the run expires before it, and ignored.
import { describe, expect, test } from "vitest";
import type { Window } from "#schema/definition/window.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { JsonObject } from "#schema/json.ts";
import { action, day, drive, failure, hour, machine, T0 } from "#test/support/drive.ts";

const states = { a: { on: { "action.mail.skipped": "passed" } }, passed: {} };
/** Monday, 09:00 in UTC, is 18:00 in Tokyo and 04:00 in New York. */
const office: Window = { days: "MON-FRI", from: "08:00", to: "17:00" };

type Zoned = Pick<Parameters<typeof machine>[0], "timezone">;
const broken = { "+": [{ var: "execution.variables.zone" }, 1] };

function mail(part: Parameters<typeof action>[1] = {}, more: Zoned = {}) {
  return drive({ ...machine({ states, actions: [action("mail", { triggerState: "a", ...part })], ...more }) });
}
const asked = (...windows: readonly Window[]): Outcome => ({
  ...(failure() as Extract<Outcome, { ok: false }>),
  held: { reason: "quiet_hours", until: T0 + 1, connection: null },
  quietHours: windows.map((window, n) => ({ name: `p${n}`, updatedAt: n, window })),
});

describe("a run in quiet hours", () => {
  test.each<[string, Window, JsonObject, Zoned, number]>([
    ["waits for the opening in a fixed zone", { ...office, timezone: "Asia/Tokyo" }, {}, {}, 14 * hour],
    ["waits in the zone of the execution", office, {}, { timezone: "America/New_York" }, 4 * hour],
    [
      "waits in the zone that a rule returns",
      { ...office, timezone: { var: "execution.variables.zone" } },
      { zone: "America/New_York" },
      {},
      4 * hour,
    ],
    [
      "waits in the fallback of a rule without a result",
      { ...office, timezone: { rule: { var: "execution.variables.zone" }, fallback: "America/New_York" } },
      {},
      {},
      4 * hour,
    ],
    [
      "waits in the execution's zone if the rule breaks",
      { ...office, timezone: broken },
      { zone: { a: 1 } },
      { timezone: "America/New_York" },
      4 * hour,
    ],
    [
      "waits in UTC if the execution's rule breaks too",
      { from: "15:00", to: "20:00", timezone: broken },
      { zone: { a: 1 } },
      { timezone: broken },
      6 * hour,
    ],
    ["waits over more than a day", { days: "THU", from: "09:00", to: "17:00", timezone: "UTC" }, {}, {}, 3 * day],
  ])("%s", (_name, window, variables, more, opensMs) => {
    const t = mail({}, more).start(variables).claim("mail").settle("mail", asked(window));
    expect(t.run("mail")).toMatchObject({
      status: "scheduled",
      attempt: 0,
      dueAt: T0 + opensMs,
      held: { reason: "quiet_hours", until: T0 + opensMs, policy: "p0" },
      quietHours: { policies: "p0@0" },
    });
    t.tickAt(opensMs).ok("mail");
    expect(t.run("mail")).toMatchObject({ status: "ok", attempt: 1 });
  });

  test("is sent again at once with a pass until the end of the opening, if a rule says that it is open", () => {
    const t = mail()
      .start()
      .claim("mail")
      .settle("mail", asked({ ...office, timezone: { var: "execution.variables.zone" } }));
    expect(t.run("mail")).toMatchObject({
      status: "scheduled",
      attempt: 0,
      quietHours: { policies: "p0@0", until: T0 + 8 * hour },
    });
    expect(t.wake).toBeLessThan(100);
  });

  test("waits for all policies, and names the one that opens last", () => {
    const windows = [
      { ...office, timezone: "America/New_York" },
      { from: "15:00", to: "20:00", timezone: "UTC" },
    ];
    const t = mail()
      .start()
      .claim("mail")
      .settle("mail", asked(...windows));
    expect(t.run("mail")).toMatchObject({
      dueAt: T0 + 6 * hour,
      held: { policy: "p1" },
      quietHours: { policies: "p0@0,p1@1", until: T0 + 11 * hour },
    });
  });

  test("starts within the spread after the opening", () => {
    const t = mail()
      .start()
      .claim("mail")
      .settle("mail", asked({ ...office, timezone: "Asia/Tokyo", spread: "PT1H" }));
    const late = Number(t.run("mail").dueAt) - (T0 + 14 * hour);
    expect(late).toBeGreaterThan(0);
    expect(late).toBeLessThan(hour);
  });

  test.each<[string, Parameters<typeof action>[1], Window]>([
    ["would be too late at the opening", { maxLateness: "PT13H" }, { ...office, timezone: "Asia/Tokyo" }],
    ["is no longer valid at the opening", { validUntil: T0 + 13 * hour }, { ...office, timezone: "Asia/Tokyo" }],
    ["has no opening at all", {}, { timezone: "UTC" }],
  ])("is skipped if it %s, and the process continues", (_name, part, window) => {
    const t = mail(part).start().claim("mail").settle("mail", asked(window));
    expect(t.run("mail")).toMatchObject({ status: "skipped", reason: "no_window", attempts: [] });
    expect(t.at).toBe("passed");
  });

  test("is canceled if its state was left meanwhile", () => {
    const left = machine({
      states: { a: { on: { go: "b" } }, b: {} },
      actions: [action("mail", { triggerState: "a" })],
    });
    const t = drive(left)
      .start()
      .claim("mail")
      .event("go")
      .settle("mail", asked({ ...office, timezone: "Asia/Tokyo" }));
    expect(t.run("mail").status).toBe("canceled");
  });
});

describe("quiet hours are ignored", () => {
  test("by an action that says so", () => {
    const t = mail({ quietHours: "ignore" }).start().claim("mail");
    expect(t.run("mail").quietHours).toBe("ignore");
    expect(mail({ quietHours: "heed" }).start().claim("mail").run("mail").quietHours).toBeUndefined();
  });

  test("by a held run that an operator starts early", () => {
    const t = mail()
      .start()
      .claim("mail")
      .settle("mail", asked({ ...office, timezone: "Asia/Tokyo" }));
    t.runNow({ run: t.run("mail").id }).claim("mail");
    expect(t.run("mail").quietHours).toBe("ignore");
  });
});
