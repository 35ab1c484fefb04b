// Tests of request bodies and the order of scenarios.
import { expect, it } from "vitest";
import { planLoad } from "#policy/advice/load-plan.ts";
import { loadConfig, type LoadPlan } from "#schema/load.ts";
import { bodyFor, scenarioPicker, withSandboxAt } from "../../scripts/load/fill.ts";

const action = {
  type: "webhook",
  config: { url: "http://127.0.0.1:8788/sink/a?to={{ execution.variables.who }}", payload: "{{ n }}" },
  variables: { order: "o-{{ n }}-{{load}}", nested: { list: ["{{ n }}", 1, null] } },
};

function plan(over: object = {}): LoadPlan {
  const config = { concurrency: 2, duration: 5_000, rampUpTime: 1_000, draw: { who: ["Ada", "Grace"] }, ...over };
  const planned = planLoad(action, loadConfig.parse(config));
  if (!planned.ok) throw new Error(JSON.stringify(planned.findings));
  return planned.plan;
}

function scenario(name: string) {
  const found = plan().scenarios.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

it("fills in numbers and drawn variables, keeps numbers as numbers, and keeps the engine's templates", () => {
  const { draw } = plan();
  expect(bodyFor(scenario("steady"), draw, { n: 3, load: "l1" })).toEqual({
    type: "webhook",
    config: action.config,
    correlationId: "load-l1",
    variables: { n: 3, order: "o-3-l1", nested: { list: [3, 1, null] }, who: "Grace" },
  });
  expect(bodyFor(scenario("steady"), draw, { n: 4, load: "l1" }).variables).toMatchObject({ n: 4, who: "Ada" });
});

it("gives each pair of duplicates its own key, which no other load test uses", () => {
  const { draw } = plan();
  expect(bodyFor(scenario("duplicates"), draw, { n: 7, load: "l1" }).dedupKey).toBe("load-l1-7");
});

it("yields the scenarios in turn, each as often as its weight", () => {
  const { scenarios } = plan();
  const next = scenarioPicker(scenarios);
  const total = scenarios.reduce((sum, { weight }) => sum + weight, 0);
  const taken = Array.from({ length: total }, () => next().name);
  for (const { name, weight } of scenarios) expect(taken.filter((each) => each === name)).toHaveLength(weight);
  const gaps = taken.flatMap((name, n) => (name === "bad_config" ? [n] : [])).map((n, i, all) => n - (all[i - 1] ?? 0));
  expect(Math.max(...gaps)).toBeLessThanOrEqual(total / 5 + 5);
});

it("replaces the sandbox's address in scripts and configs, and nothing else", () => {
  const there = "http://127.0.0.1:9999";
  const moved = withSandboxAt(plan(), there);
  for (const { dispatch, sandbox } of moved.scenarios) {
    expect(JSON.stringify(dispatch)).not.toContain("8788");
    expect(sandbox === null || sandbox.origin === there).toBe(true);
  }
  const steady = moved.scenarios.find(({ name }) => name === "steady");
  expect(steady?.dispatch.config).toMatchObject({ url: `${there}/sink/a?to={{ execution.variables.who }}` });
  const plain = plan({ scenarios: ["steady"] });
  expect(withSandboxAt(plain, there)).toEqual(plain);
});
