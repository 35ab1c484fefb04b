// The examples are what people copy first: each must have the right shape, and nothing a check could find wrong.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { verify } from "#kernel/verify/definition.ts";
import { configFindings } from "#runners/draft.ts";
import { actionTypes } from "#runners/registry.ts";
import { definition } from "#schema/definition/definition.ts";

const folder = join(import.meta.dirname, "../../../examples");
const read = (name: string): object => JSON.parse(readFileSync(join(folder, name), "utf8"));
/** What else is there has tests of its own. */
const examples = readdirSync(folder).filter((name) => name.endsWith(".json") && "kind" in read(name));

it.each(examples)("%s is a definition without findings", (name) => {
  const parsed = definition.parse(read(name));
  expect(verify(parsed)).toEqual([]);
  for (const { type, config } of parsed.actions ?? []) {
    expect(Object.keys(actionTypes)).toContain(type);
    expect(configFindings(type, config)).toEqual([]);
  }
});
