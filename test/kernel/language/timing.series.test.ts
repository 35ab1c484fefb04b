// Delays that count from an origin instead of from their arming, and local times that a zone has twice or not at all.
import { describe, expect, test } from "vitest";
import { resolveDelay } from "#kernel/language/timing.ts";
import type { NamedDelay } from "#schema/definition/timing.ts";

const zurich = "Europe/Zurich"; // in 2026: 02:00 to 03:00 is missing on March 29, and happens twice on October 25
const at = (iso: string) => Date.parse(iso);

function due(delay: NamedDelay, now: string, first?: string, timezone = "UTC"): string | null {
  const moment = { now: at(now), timezone, delays: {}, scope: {}, first: first === undefined ? undefined : at(first) };
  const resolved = resolveDelay(delay, moment);
  if (!resolved.ok) throw new Error(resolved.message);
  return resolved.at === null ? null : new Date(resolved.at).toISOString();
}

describe("a month from the 31st", () => {
  const steps = (delay: NamedDelay): string[] => {
    const days: string[] = [];
    let now = "2026-01-31T09:00:00.000Z";
    const first = now;
    for (let arming = 0; arming < 5; arming += 1) {
      now = due(delay, now, arming === 0 ? undefined : first) ?? "";
      days.push(now.slice(0, 10));
    }
    return days;
  };

  test("counted from each arming drifts to the 28th", () => {
    expect(steps({ offset: "P1M" })).toEqual(["2026-02-28", "2026-03-28", "2026-04-28", "2026-05-28", "2026-06-28"]);
    expect(steps({ offset: "P1M", from: "arming" })).toEqual(steps({ offset: "P1M" }));
  });

  test("counted from each arming is no series: what lies behind is due at once", () => {
    expect(due({ offset: "-PT1H", from: "arming" }, "2026-01-31T09:00:00Z")).toBe("2026-01-31T09:00:00.000Z");
  });

  test("counted from the first arming stays the month's last day", () => {
    const wanted = ["2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31", "2026-06-30"];
    expect(steps({ offset: "P1M", from: "first" })).toEqual(wanted);
    expect(steps({ offset: "P1M", from: "anchor", anchor: "2026-01-31T09:00:00Z" })).toEqual(wanted);
  });
});

describe("a series", () => {
  test.each<[string, NamedDelay, string, string]>([
    // what             delay                                                        now                  due
    ["begins one offset after its origin", { anchor: "2027-01-31", offset: "P1M" }, "2026-05-01", "2027-02-28"],
    ["is strictly ahead", { anchor: "2026-01-31", offset: "P1M" }, "2026-02-28", "2026-03-31"],
    ["leaves out what was missed", { anchor: "2020-02-29", offset: "P1Y" }, "2026-05-01", "2027-02-28"],
    ["finds its leap day again", { anchor: "2020-02-29", offset: "P1Y" }, "2027-05-01", "2028-02-29"],
    ["counts milliseconds, too", { anchor: "2026-01-01", offset: 36 * 3_600_000 }, "2026-01-03", "2026-01-04"],
    ["counts weeks", { anchor: "2026-01-01", offset: "P2W" }, "2026-01-20", "2026-01-29"],
  ])("%s", (_what, delay, now, wanted) => {
    expect(due({ ...delay, from: "anchor" }, `${now}T00:00:00Z`)?.slice(0, 10)).toBe(wanted);
  });

  test("keeps its time of day over a change of clocks", () => {
    const delay = { anchor: "2026-03-27", offset: "P1D", at: "08:00", from: "anchor" } as const;
    expect(due(delay, "2026-03-28T12:00:00Z", undefined, zurich)).toBe("2026-03-29T06:00:00.000Z");
  });

  test("of seconds since 1970 is found without walking it", () => {
    const delay = { anchor: "1970-01-01", offset: "PT7S", from: "anchor" } as const;
    expect(due(delay, "2026-03-28T12:00:00Z")).toBe("2026-03-28T12:00:06.000Z");
  });

  test("ends with the years the engine counts", () => {
    const delay = { anchor: "2026-01-01", offset: "P400Y", from: "anchor" } as const;
    const moment = { now: at("2430-01-01T00:00:00Z"), timezone: "UTC", delays: {}, scope: {} };
    expect(resolveDelay(delay, moment)).toMatchObject({ ok: false });
    expect(resolveDelay({ ...delay, anchor: 8.639e15 }, moment)).toMatchObject({ ok: false });
  });
});

test.each<[NamedDelay["disambiguation"], string, string]>([
  ["earlier", "2026-03-29T02:30", "2026-03-29T00:30:00.000Z"],
  ["later", "2026-03-29T02:30", "2026-03-29T01:30:00.000Z"],
  ["earlier", "2026-10-25T02:30", "2026-10-25T00:30:00.000Z"],
  ["later", "2026-10-25T02:30", "2026-10-25T01:30:00.000Z"],
])("%s holds for the anchor's own local time %s", (disambiguation, anchor, wanted) => {
  expect(due({ anchor, disambiguation }, "2026-01-01T00:00:00Z", undefined, zurich)).toBe(wanted);
});
