// Rules for time zones in definitions: errors, and warnings about results that are no time zone.
import { describe, expect, test } from "vitest";
import { definition } from "#schema/definition/definition.ts";
import type { JsonObject } from "#schema/json.ts";
import { action, machine } from "#test/support/drive.ts";
import { verify, warningsOf } from "#test/kernel/verify/at-once.ts";

type Part = Parameters<typeof machine>[0];
const a = { states: { a: { on: { go: "a" } } } };
const constant = { cat: ["Moon", "/Base"] };
const unreadable = { nope: [1] };
const mail = (more: Parameters<typeof action>[1]) => ({
  ...a,
  actions: [action("mail", { triggerState: "a", ...more })],
});
const shown = (found: readonly { readonly pointer: string; readonly code: string }[]) => [
  ...new Set(found.map(({ pointer, code }) => `${pointer} ${code}`)),
];

const journey = (more: JsonObject) =>
  definition.parse({
    kind: "journey",
    subject: { var: "execution.variables.id" },
    initial: "n",
    name: "j",
    nodes: { n: { type: "webhook", config: { url: "https://a.test" } } },
    ...more,
  });
const reconciler = (more: JsonObject) =>
  definition.parse({
    kind: "reconciler",
    name: "r",
    initial: "a",
    states: { a: { rules: [{ when: { var: "observed.done" }, target: "b" }] }, b: { type: "final" } },
    ...more,
  });

describe("a machine's errors", () => {
  test.each<[string, Part, string]>([
    ["the definition", { ...a, timezone: constant }, "/timezone not_a_time_zone"],
    ["a fallback form", { ...a, timezone: { rule: constant, fallback: "UTC" } }, "/timezone/rule not_a_time_zone"],
    ["an operator", { ...a, timezone: unreadable }, "/timezone rule_operator_unknown"],
    [
      "a named delay",
      { ...a, delays: { due: { at: "10:00", timezone: constant } } },
      "/delays/due/timezone not_a_time_zone",
    ],
    [
      "an inline delay",
      mail({ delay: { at: "10:00", timezone: constant } }),
      "/actions/0/delay/timezone not_a_time_zone",
    ],
    ["an action", mail({ timezone: constant }), "/actions/0/timezone not_a_time_zone"],
    ["a constant that is null", mail({ timezone: { preserve: null } as never }), "/actions/0/timezone not_a_time_zone"],
  ])("%s", (_what, part, expected) => {
    expect(shown(verify(machine(part)))).toEqual([expected]);
  });

  test("a constant zone, a rule that breaks without data, and a schedule in a zone by rule have none", () => {
    expect(verify(machine({ ...a, timezone: { or: ["", "Europe/Zurich"] } }))).toEqual([]);
    expect(verify(machine({ ...a, timezone: { "+": ["x", 1] } }))).toEqual([]);
    const zone = { var: "execution.variables.zone" };
    expect(verify(machine({ ...mail({ schedule: "0 9 * * *", timezone: zone }), timezone: zone }))).toEqual([]);
  });
});

test("journeys and reconcilers have the same errors", () => {
  const node = { type: "webhook", config: { url: "https://a.test" }, timezone: constant };
  const window = { from: "09:00", to: "20:00", timezone: constant };
  const cap = { max: 1, calendar: "day", timezone: constant } as const;
  const found = shown(
    verify(
      journey({
        nodes: { n: node },
        timezone: constant,
        delays: { d: { at: "10:00", timezone: constant } },
        windows: { w: window },
        caps: { c: cap },
      }),
    ),
  );
  expect(found.toSorted()).toEqual(
    ["/caps/c/timezone", "/delays/d/timezone", "/nodes/n/timezone", "/timezone", "/windows/w/timezone"].map(
      (at) => `${at} not_a_time_zone`,
    ),
  );
  const zoned = { at: "10:00", timezone: constant };
  const act = { actionId: "x", type: "webhook", config: { url: "https://a.test" }, timezone: constant, delay: zoned };
  const places = { actions: [act], delays: { d: zoned }, windows: { w: window }, caps: { c: cap } };
  const all = ["/actions/0/delay", "/actions/0", "/caps/c", "/delays/d", "/windows/w", ""];
  expect(shown(verify(reconciler({ timezone: constant, ...places }))).toSorted()).toEqual(
    expect.arrayContaining(all.map((at) => `${at}/timezone not_a_time_zone`)),
  );
  expect(shown(verify(machine({ ...a, timezone: constant, ...places }))).toSorted()).toEqual(
    expect.arrayContaining(all.map((at) => `${at}/timezone not_a_time_zone`)),
  );
});

describe("warnings", () => {
  const zone = { var: "execution.variables.zone" };
  test.each<[string, Part, readonly string[]]>([
    ["a default that is no zone", { ...a, timezone: { or: [zone, "Europe/Zürich"] } }, ["/timezone not_a_time_zone"]],
    ["a variable that is no zone", { ...a, timezone: zone, variables: { zone: "x" } }, ["/timezone not_a_time_zone"]],
    ["a default that is one", { ...a, timezone: { or: [zone, "Europe/Zurich"] } }, []],
    ["no default", { ...a, timezone: zone }, []],
    ["a rule that breaks", { ...a, timezone: { "+": [zone, 1] }, variables: { zone: "x" } }, []],
    ["an unknown path", { ...a, timezone: { var: "execution.variabels.zone" } }, ["/timezone/var unknown_path"]],
  ])("%s", (_what, part, expected) => {
    expect(shown(warningsOf(machine(part)))).toEqual(expected);
  });
});

test("a fallback must be a time zone, and the only other field is the rule", () => {
  const parse = (timezone: unknown) => definition.safeParse({ ...machine(a), timezone });
  const paths = (timezone: unknown) => JSON.stringify(parse(timezone).error?.issues ?? []);
  expect(paths({ rule: { var: "execution.variables.zone" }, fallback: "Moon/Base" })).toContain('"fallback"');
  expect(parse({ rule: { var: "x" }, fallback: "UTC" }).success).toBe(true);
  expect(parse({ rule: { var: "x" }, fallback: "UTC", more: 1 }).success).toBe(false);
  expect(parse("Moon/Base").success).toBe(false);
});
