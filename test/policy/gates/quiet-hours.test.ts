// Quiet hours before an attempt: which policies the execution must decide about, and which can never be open.
import { describe, expect, test } from "vitest";
import { typeNeverOpen } from "#policy/gates/open-together.ts";
import { pendingQuietHours, quietHoursLimit } from "#policy/gates/quiet-hours.ts";
import type { Window } from "#schema/definition/window.ts";
import { versionsOf, type TenantPolicy } from "#schema/policies/policy.ts";

const NOON = Date.UTC(2026, 0, 5, 12);
const NIGHT = Date.UTC(2026, 0, 5, 23);
const day: Window = { from: "08:00", to: "20:00", timezone: "UTC" };

function policy(name: string, window: Window, types = ["email", "sms"]): TenantPolicy {
  return { name, kind: "quiet_hours", updatedAt: 1, types: types as TenantPolicy["types"], window };
}
const fixed = policy("fixed", day);
const byRule = policy("by-rule", { ...day, timezone: { var: "execution.variables.zone" } });
const byExecution = policy("by-execution", { from: "08:00", to: "20:00" });
const names = (policies: readonly TenantPolicy[], run: object, now: number) =>
  pendingQuietHours(policies, { type: "email", ...run }, now).map(({ name }) => name);

describe("the execution decides about", () => {
  test.each<[string, readonly TenantPolicy[], object, number, readonly string[]]>([
    ["nothing without policies", [], {}, NIGHT, []],
    ["nothing for other action types", [fixed], { type: "webhook" }, NIGHT, []],
    ["nothing while a fixed window is open", [fixed], {}, NOON, []],
    ["a fixed window that is closed", [fixed], {}, NIGHT, ["fixed"]],
    ["a window that never opens", [policy("never", { timezone: "UTC" })], {}, NOON, ["never"]],
    ["a rule, at any time", [byRule], {}, NOON, ["by-rule"]],
    ["a window without a zone, at any time", [byExecution], {}, NOON, ["by-execution"]],
    ["all of them if one of them needs it", [fixed, byRule], {}, NOON, ["fixed", "by-rule"]],
    ["nothing if the run ignores quiet hours", [fixed], { quietHours: "ignore" }, NIGHT, []],
    [
      "nothing until the end of the pass",
      [byRule],
      { quietHours: { policies: versionsOf([byRule]), until: NOON + 1 } },
      NOON,
      [],
    ],
    [
      "the policy after the end of the pass",
      [byRule],
      { quietHours: { policies: versionsOf([byRule]), until: NOON } },
      NOON,
      ["by-rule"],
    ],
    [
      "a policy that has changed since the pass",
      [{ ...byRule, updatedAt: 2 }],
      { quietHours: { policies: versionsOf([byRule]), until: NOON + 1 } },
      NOON,
      ["by-rule"],
    ],
  ])("%s", (_name, policies, run, now, expected) => {
    expect(names(policies, run, now)).toEqual(expected);
  });
});

test("the limit of a virtual run passes the policies to the execution", () => {
  const asked = { run: { type: "email" }, at: NIGHT } as Parameters<ReturnType<typeof quietHoursLimit>>[0];
  const state = {} as Parameters<ReturnType<typeof quietHoursLimit>>[1];
  expect(quietHoursLimit([fixed])(asked, state)).toMatchObject({
    held: { reason: "quiet_hours" },
    quietHours: [{ name: "fixed", window: day }],
  });
  expect(quietHoursLimit([fixed])({ ...asked, at: NOON }, state)).toBeNull();
});

describe("a policy closes forever", () => {
  const night = policy("night", { from: "21:00", to: "07:00", timezone: "UTC" }, ["sms", "push"]);
  test.each<[string, TenantPolicy, readonly TenantPolicy[], string | null]>([
    ["no type alone", fixed, [], null],
    ["a type that another policy opens at other times", fixed, [night], "sms"],
    ["no type that the other policy lacks", policy("mail", day, ["email"]), [night], null],
    ["no type because of its own earlier version", fixed, [policy("fixed", night.window)], null],
    ["a type if its window has no hours", policy("never", {}), [], "email"],
    ["no type by a rule, which counts in UTC", byRule, [fixed], null],
    [
      "a type by the fallback of a rule",
      policy("tokyo", { from: "21:00", to: "22:00", timezone: { rule: { var: "x" }, fallback: "UTC" } }),
      [fixed],
      "email",
    ],
  ])("%s", (_name, asked, others, type) => expect(typeNeverOpen(asked, others, NOON)).toBe(type));
});
