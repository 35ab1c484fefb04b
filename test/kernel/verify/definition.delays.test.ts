// Errors in delays: lengths beyond the supported years, and series without an origin.
import { describe, expect, test } from "vitest";
import { verify } from "#test/kernel/verify/at-once.ts";
import type { StateNode } from "#schema/definition/definition.ts";
import { action, machine } from "#test/support/drive.ts";

type Part = Parameters<typeof machine>[0];
const findings = (part: Part) => verify(machine(part)).map(({ pointer, code }) => `${pointer} ${code}`);
const a = (node: StateNode, more: Partial<Part> = {}): Part => ({ states: { a: node }, ...more });

describe("a delay", () => {
  test.each<[string, Part, string[]]>([
    ["a length beyond the years that count", a({ after: { P401Y: "a" } }), ["/states/a/after/P401Y duration_too_long"]],
    [
      "milliseconds beyond them",
      a({ after: { "99999999999999999999": "a" } }),
      ["/states/a/after/99999999999999999999 duration_too_long"],
    ],
    [
      "a series without an origin, a way forward or a past",
      a({}, { delays: { due: { from: "anchor", ifPast: "skip" } } }),
      ["/delays/due/from anchor_missing", "/delays/due/offset offset_missing", "/delays/due/ifPast if_past_unexpected"],
    ],
    [
      "a series that counts from two origins, and backwards",
      a({}, { delays: { due: { from: "first", anchor: "2026-01-31", offset: "-P1M" } } }),
      ["/delays/due/from anchor_unexpected", "/delays/due/offset offset_missing"],
    ],
    [
      "a series of zero milliseconds",
      a({}, { delays: { due: { from: "first", offset: 0 } } }),
      ["/delays/due/offset offset_missing"],
    ],
    [
      "a run that counts from the first arming of a timer",
      a(
        { on: { go: {} } },
        {
          actions: [action("mail", { triggerState: "a", delay: "monthly" })],
          delays: { monthly: { from: "first", offset: "P1M" } },
        },
      ),
      ["/actions/0/delay from_unexpected"],
    ],
  ])("%s", (_what, part, expected) => {
    expect(findings(part)).toEqual(expected);
  });

  test("series with an origin and a way forward are sound", () => {
    const monthly = { offset: "P1M", from: "first" as const };
    expect(findings(a({ after: { monthly: "a" } }, { delays: { monthly } }))).toEqual([]);
    const yearly = { offset: "P1Y", from: "anchor" as const, anchor: { var: "execution.variables.date" } };
    expect(findings(a({ after: { yearly: "a" } }, { delays: { yearly } }))).toEqual([]);
  });
});
