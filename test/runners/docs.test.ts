// Tests of docs/reference/action-types.md: its examples must be valid configs.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { verify, warningsOf } from "#test/kernel/verify/at-once.ts";
import { configFindings } from "#runners/draft.ts";
import { runners } from "#runners/registry.ts";
import { machineDefinition } from "#schema/definition/definition.ts";
import type { JsonObject } from "#schema/json.ts";

const text = readFileSync(new URL("../../docs/reference/action-types.md", import.meta.url).pathname, "utf8");
const sections = text.split(/^## /m).flatMap((section) => {
  const type = /^`(\w+)`/.exec(section)?.[1];
  const examples = [...section.matchAll(/```json\n([\s\S]*?)```/g)].map(
    ([, json = ""]) => JSON.parse(json) as JsonObject,
  );
  return type === undefined ? [] : [{ type, examples }];
});

it("has a section for every runner", () => {
  expect(sections.map(({ type }) => type).sort()).toEqual(Object.keys(runners).sort());
});

it.each(sections)("shows $type as it is", ({ type, examples }) => {
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) {
    // The page shows whole actions and single configs.
    const config = (example["config"] ?? example) as JsonObject;
    expect([example["type"] ?? type, configFindings(type, config)]).toEqual([type, []]);
  }
});

/** Builds a definition around the action. */
const around = (action: JsonObject) => {
  const config = action["config"] as JsonObject;
  // An action that changes tasks needs an action that creates them.
  const asked =
    typeof config["task"] === "string" ? [{ actionId: config["task"], type: "task", config: { title: "A" } }] : [];
  const actions = [{ actionId: "shown", ...action }, ...asked];
  return {
    kind: "machine",
    name: "shown",
    initial: "open",
    actions,
    states: {
      open: { entry: actions.map(({ actionId }) => actionId), on: { close: "done" } },
      done: { type: "final" },
    },
  };
};

const shown = sections.flatMap(({ type, examples }) => examples.map((example, n) => [type, n, example] as const));

it.each(shown)("shows %s (%i) without warnings", (type, _n, example) => {
  const { triggerState: _elsewhere, ...action } = "config" in example ? example : { type, config: example };
  const definition = machineDefinition.parse(around(action));
  expect([...verify(definition), ...warningsOf(definition)]).toEqual([]);
});

const DAY_MS = 24 * 60 * 60_000;

it.each(Object.entries(runners))("states for %s whether it detects repeats", (type, { repeats }) => {
  const [, mode, window] =
    new RegExp(`^\\| \`${type}\` \\| \`(provider|harmless|none)\` \\| ([^|]*?) ?\\|`, "m").exec(text) ?? [];
  const days = repeats.mode === "provider" && repeats.windowMs !== null ? `${repeats.windowMs / DAY_MS} d` : "∞";
  expect([mode, window]).toEqual([repeats.mode, repeats.mode === "provider" ? days : ""]);
});
