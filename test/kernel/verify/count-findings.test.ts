// States and nodes are counted in any JSON, before its shape is checked.
import { expect, test } from "vitest";
import { countFindings } from "#kernel/verify/count-findings.ts";
import { JOURNEY_NODES_MAX, MACHINE_STATES_MAX } from "#schema/limits/definition-sizes.ts";

const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`s${n}`, {}]));

test.each<[string, unknown, readonly string[]]>([
  ["nothing", null, []],
  ["a list", [1], []],
  ["what has neither", { states: 1, nodes: [] }, []],
  ["as many as may be", { states: many(MACHINE_STATES_MAX), nodes: many(JOURNEY_NODES_MAX) }, []],
  ["states inside of states", { states: { ...many(MACHINE_STATES_MAX - 1), s0: { states: many(2) } } }, ["/states"]],
  [
    "states that are none",
    { states: { a: null, b: 1, c: undefined, d: { states: many(MACHINE_STATES_MAX) } } },
    ["/states"],
  ],
  ["nodes", { nodes: many(JOURNEY_NODES_MAX + 1) }, ["/nodes"]],
])("%s", (_what, body, expected) => {
  const found = countFindings(body).map(({ pointer, code }) => `${pointer} ${code}`);
  expect(found).toEqual(expected.map((pointer) => `${pointer} limit_exceeded`));
});
