// Test of the example plan: it must equal the plan that the engine makes of the request in docs/operate/load-tests.md.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { planLoad } from "#policy/advice/load-plan.ts";
import { configFindings } from "#runners/draft.ts";
import { jsonObject } from "#schema/json.ts";
import { loadConfig, loadPlan } from "#schema/load.ts";

const root = join(import.meta.dirname, "../..");
const text = (file: string) => readFileSync(join(root, file), "utf8");
const [, shown = ""] = /load-plan -d '([\s\S]*?)' > plan\.json/.exec(text("docs/operate/load-tests.md")) ?? [];
const action = z.looseObject({ type: z.string(), config: jsonObject }).catchall(z.json());
const asked = z.strictObject({ action, config: loadConfig }).parse(JSON.parse(shown));

it("equals the plan that the guide shows", () => {
  expect(configFindings(asked.action.type, asked.action.config, { allowLoopback: true })).toEqual([]);
  const planned = planLoad(asked.action, asked.config);
  if (!planned.ok) throw new Error(JSON.stringify(planned.findings));
  expect(withoutTexts(JSON.parse(text("examples/load-plan.json")))).toEqual(withoutTexts(planned.plan));
});

/** Removes texts, which may be reworded. */
function withoutTexts(plan: unknown) {
  const { scenarios, notes, ...rest } = loadPlan.parse(plan);
  const plain = scenarios.map(({ description: _description, ...scenario }) => scenario);
  return { ...rest, notes: notes.length, scenarios: plain };
}
