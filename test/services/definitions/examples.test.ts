// The examples of the repository and of the docs: each is a valid definition without findings and warnings, because
// clients copy them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { placedActions } from "#kernel/programs/placed-actions.ts";
import { verify, warningsOf } from "#test/kernel/verify/at-once.ts";
import { configFindings } from "#runners/draft.ts";
import { actionTypes } from "#runners/registry.ts";
import { definition, type Definition } from "#schema/definition/definition.ts";

const root = join(import.meta.dirname, "../../..");
const folder = join(root, "examples");
const read = (name: string): object => JSON.parse(readFileSync(join(folder, name), "utf8"));
/** What else is there has tests of its own. */
const examples = readdirSync(folder).filter((name) => name.endsWith(".json") && "kind" in read(name));

it.each([...examples, "wedding/journey.json"])("%s is a definition without findings", (name) => {
  const parsed = definition.parse(read(name));
  expect(verify(parsed)).toEqual([]);
  expect(warningsOf(parsed)).toEqual([]);
  expectValidActions(parsed);
});

function expectValidActions(parsed: Definition) {
  for (const { type, config } of placedActions(parsed).map(({ action }) => action)) {
    expect(Object.keys(actionTypes)).toContain(type);
    expect(configFindings(type, config)).toEqual([]);
  }
}

/** Written out whole on a page, whatever is around it. */
const shown = [
  "README.md",
  ...readdirSync(join(root, "docs"), { recursive: true }).map((name) => `docs/${String(name)}`),
]
  .filter((page) => page.endsWith(".md"))
  .flatMap((page) => {
    const blocks =
      readFileSync(join(root, page), "utf8").match(/^\{\n {2}"kind": "(?:machine|journey)"[\s\S]*?^\}$/gm) ?? [];
    // The tutorial's shell inserts the address of the sandbox.
    const bodies = blocks.map((block) => block.replaceAll("$SANDBOX", "https://sandbox.example"));
    return bodies.map((body, n) => [`${page} ${n + 1}`, JSON.parse(body) as object] as const);
  });

it.each(shown)("the definition in %s draws no warning", (_page, body) => {
  const parsed = definition.parse(body);
  expect(verify(parsed)).toEqual([]);
  expect(warningsOf(parsed)).toEqual([]);
  expectValidActions(parsed);
});

/** Another one tells of a failure that nobody hears. */
const golden = ["order", "lease", "report"];

it.each(golden)("the definition of the recorded history %s draws no warning", (name) => {
  const recorded = JSON.parse(readFileSync(join(root, `test/golden/${name}.json`), "utf8")) as { definition: object };
  expect(warningsOf(definition.parse(recorded.definition))).toEqual([]);
});
