// Second names of action types: inside there is one.
import { expect, test } from "vitest";
import { actionDefinition } from "#schema/definition/action.ts";
import { actionType, typeAliases } from "#schema/definition/action-type.ts";
import { runnerFor } from "#runners/registry.ts";

test.each([
  ["notification", "push"],
  ["generic", "api_call"],
  ["push", "push"],
  ["webhook", "webhook"],
  ["constructor", "constructor"],
])("%s is %s", (written, type) => {
  expect(actionType.parse(written)).toBe(type);
  expect(actionDefinition.parse({ actionId: "a", type: written, config: {} }).type).toBe(type);
});

test("each second name is one of a type that there is, and is no type itself", () => {
  for (const [alias, type] of Object.entries(typeAliases)) {
    expect(runnerFor(alias), alias).toBeNull();
    expect(runnerFor(type)?.type).toBe(type);
  }
});
