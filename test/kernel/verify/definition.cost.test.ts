// Definitions that are refused because every execution would cost too much.
import { describe, expect, test } from "vitest";
import { verify } from "#test/kernel/verify/at-once.ts";
import type { StateNode } from "#schema/definition/definition.ts";
import { REGIONS_MAX } from "#schema/limits/definition-sizes.ts";
import { machine } from "#test/support/drive.ts";
import { naming } from "#test/support/matchers/naming.ts";

type Part = Parameters<typeof machine>[0];
const listening: StateNode = { on: { go: {} } };
const findings = (part: Part) => verify(machine(part)).map(({ pointer, code }) => `${pointer} ${code}`);
const parallel = (count: number, node: StateNode = listening): StateNode => ({
  type: "parallel",
  states: Object.fromEntries(Array.from({ length: count }, (_, n) => [`r${n}`, node])),
});
const within = (node: StateNode): StateNode => ({ initial: "a", states: { a: node } });

describe("regions are counted as they are active together", () => {
  test.each<[string, Part["states"], string[]]>([
    ["as many as may be", { p: parallel(REGIONS_MAX) }, []],
    ["one more", { p: parallel(REGIONS_MAX + 1) }, ["/states/p/states limit_exceeded"]],
    ["twelve of twelve", { p: parallel(12, within(parallel(12))) }, ["/states/p/states limit_exceeded"]],
    ["two of twenty", { p: within(parallel(2, within(parallel(20)))) }, ["/states/p/states/a/states limit_exceeded"]],
    ["one after another, each few enough", { p: parallel(20), q: parallel(20) }, []],
    [
      "few and their history",
      { p: within({ initial: "b", states: { b: parallel(REGIONS_MAX), h: { type: "history" } } }) },
      [],
    ],
  ])("%s", (_what, states, expected) => {
    expect(findings({ states })).toEqual(expected);
  });

  test("and the message says how many", () => {
    const [found] = verify(machine({ states: { p: parallel(12, within(parallel(12))) } }));
    expect(found?.message).toEqual(naming(144, REGIONS_MAX, "REGIONS_MAX"));
  });
});

test("a start that costs more than a step may is refused, with the place", () => {
  const list = "execution.variables.list";
  const guard = { some: [{ var: list }, { some: [{ var: `../../${list}` }, { "===": [1, 2] }] }] };
  const part = {
    variables: { list: Array.from({ length: 190 }, () => 0) },
    states: { a: { always: Array.from({ length: 50 }, () => ({ target: "b", guard })) }, b: listening },
  } satisfies Part;
  expect(findings(part)).toEqual(["/states rule_too_costly"]);
  expect(verify(machine(part))[0]?.message).toMatch(/\/states\/a\/always\/\d+\/guard/);
});
