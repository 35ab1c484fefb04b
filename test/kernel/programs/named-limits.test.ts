// Names of windows and caps in an action are replaced by the definition's windows and caps.
import { expect, test } from "vitest";
import { withLimits } from "#kernel/programs/named-limits.ts";
import type { AnyAction } from "#schema/definition/action.ts";
import { action } from "#test/support/drive.ts";

const office = { from: "09:00", to: "17:00" };
const limits = { windows: { office }, caps: { gentle: { max: 3, per: "P7D" } } };
const bare = action("call");

test.each<[string, Partial<AnyAction>, object]>([
  ["no limits", {}, bare],
  ["a named window", { window: "office" }, { ...bare, window: office }],
  ["an inline window", { window: { from: "10:00", to: "11:00" } }, { ...bare, window: { from: "10:00", to: "11:00" } }],
  ["a named cap", { cap: "gentle" }, { ...bare, cap: { name: "gentle", max: 3, per: "P7D" } }],
  [
    "an inline cap",
    { cap: { name: "few", max: 1, per: "P1D" } },
    { ...bare, cap: { name: "few", max: 1, per: "P1D" } },
  ],
  ["names that are not declared", { window: "toString", cap: "constructor" }, bare],
])("%s", (_name, more, expected) => {
  expect(withLimits(limits, { ...bare, ...more } as AnyAction)).toEqual(expected);
});

test("a definition without windows and caps", () => {
  expect(withLimits({}, { ...bare, window: "office", cap: "gentle" })).toEqual(bare);
});
