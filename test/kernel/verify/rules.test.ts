// Findings in the rules at the top level of a definition.
import { expect, test } from "vitest";
import { verify } from "#test/kernel/verify/at-once.ts";
import { machine } from "#test/support/drive.ts";

const keyed = (key: object) =>
  verify(machine({ states: { x: { type: "final" } }, correlation: { key: { ...key } as never } })); // any JSON

test("a correlation key is a rule like any other", () => {
  expect(keyed({ var: "execution.variables.order" })).toEqual([]);
  expect(keyed({ vra: "execution.variables.order" })).toMatchObject([
    { pointer: "/correlation/key", code: "rule_operator_unknown" },
  ]);
});
