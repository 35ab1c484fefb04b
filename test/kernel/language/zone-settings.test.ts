// The zone that settings mean: names, rules, fallbacks, and results that are no zone.
import { describe, expect, test } from "vitest";
import { isZoneByRule, resolveZone, shownZone, type ZoneSettings } from "#kernel/language/zone-settings.ts";
import type { JsonObject } from "#schema/json.ts";

const byRule = { var: "execution.variables.zone" };
const withFallback = { rule: byRule, fallback: "Europe/Zurich" };
const scope = (variables: JsonObject) => ({ execution: { variables } });

describe("the first setting that gives a zone applies", () => {
  test.each<[string, ZoneSettings, JsonObject, string, unknown]>([
    ["no setting", [], {}, "UTC", undefined],
    ["no setting that is set", [undefined, undefined], {}, "UTC", undefined],
    ["a name", [undefined, "Asia/Tokyo", "Europe/Paris"], {}, "Asia/Tokyo", undefined],
    ["a rule", [byRule, "Asia/Tokyo"], { zone: "America/Lima" }, "America/Lima", undefined],
    ["a rule without a value", [byRule, "Asia/Tokyo"], {}, "Asia/Tokyo", null],
    ["a rule with an unknown zone", [byRule, "Asia/Tokyo"], { zone: "Moon/Base" }, "Asia/Tokyo", "Moon/Base"],
    ["a rule with a number", [byRule], { zone: 7 }, "UTC", 7],
    ["a name before a rule", ["Asia/Tokyo", byRule], { zone: "Moon/Base" }, "Asia/Tokyo", undefined],
    [
      "two rules",
      [byRule, { var: "execution.variables.other" }],
      { zone: "x", other: "Asia/Tokyo" },
      "Asia/Tokyo",
      "x",
    ],
    ["two rules without a zone", [byRule, { var: "execution.variables.other" }], { zone: "x", other: "y" }, "UTC", "x"],
    [
      "a fallback that is not needed",
      [withFallback, "Asia/Tokyo"],
      { zone: "America/Lima" },
      "America/Lima",
      undefined,
    ],
    ["a fallback for a missing value", [withFallback, "Asia/Tokyo"], {}, "Europe/Zurich", undefined],
    ["a fallback for an unknown zone", [withFallback], { zone: "x" }, "Europe/Zurich", "x"],
    ["the operator or", [{ or: [byRule, "Europe/Rome"] }], {}, "Europe/Rome", undefined],
  ])("%s", (_what, settings, variables, name, given) => {
    const unknown = given === undefined ? {} : { unknown: { given, taken: name } };
    expect(resolveZone(settings, scope(variables))).toEqual({ ok: true, name, ...unknown });
    expect(shownZone(settings, variables)).toBe(name);
  });
});

test("a rule that cannot be evaluated gives a failure, and is shown as UTC", () => {
  const broken = { "+": [byRule, 1] };
  expect(resolveZone([broken, "Asia/Tokyo"], scope({ zone: { a: 1 } }))).toMatchObject({ ok: false });
  expect(shownZone([broken, "Asia/Tokyo"], { zone: { a: 1 } })).toBe("UTC");
});

test("a rule decides if it comes before every name", () => {
  expect([[], [undefined, "UTC"], ["UTC", byRule], [undefined, byRule], [withFallback]].map(isZoneByRule)).toEqual([
    false,
    false,
    false,
    true,
    true,
  ]);
});
