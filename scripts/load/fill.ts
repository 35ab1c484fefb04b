// Request bodies: fills in an action's number, the load test's name and the drawn variables. Pure functions.
import type { Json, JsonObject } from "#schema/json.ts";
import type { LoadPlan, LoadScenario } from "#schema/load.ts";

/**
 * `n`: the action's number within the load test. `load`: the test's random name, so that its keys differ from those of
 * other tests.
 */
export type Numbered = { readonly n: number; readonly load: string };

export function bodyFor({ dispatch }: LoadScenario, draw: LoadPlan["draw"], { n, load }: Numbered): JsonObject {
  const filled = (value: Json): Json => fill(value, { n, load });
  const { variables = {}, correlationId, dedupKey } = dispatch;
  return {
    ...dispatch,
    variables: { ...(filled(variables) as JsonObject), ...drawVariables(draw, n) }, // a filled object stays an object
    ...(correlationId === undefined ? {} : { correlationId: String(filled(correlationId)) }),
    ...(dedupKey === undefined ? {} : { dedupKey: String(filled(dedupKey)) }),
  };
}

/** Returns the plan with the sandbox's addresses replaced by `origin`. */
export function withSandboxAt(plan: LoadPlan, origin: string): LoadPlan {
  const origins = plan.scenarios.flatMap(({ sandbox }) => (sandbox === null ? [] : [sandbox.origin]));
  const moved = (scenario: LoadScenario): LoadScenario => {
    const { config } = scenario.dispatch;
    const url = isObject(config) && typeof config.url === "string" ? config.url : "";
    const from = origins.find((each) => url.startsWith(each));
    const sandbox = scenario.sandbox === null ? null : { ...scenario.sandbox, origin };
    if (from === undefined || !isObject(config)) return { ...scenario, sandbox };
    const there = { ...config, url: origin + url.slice(from.length) };
    return { ...scenario, sandbox, dispatch: { ...scenario.dispatch, config: there } };
  };
  return { ...plan, scenarios: plan.scenarios.map(moved) };
}

/** Returns a function that yields the scenarios in turn, each as often as its weight, spread evenly. */
export function scenarioPicker(scenarios: readonly LoadScenario[]): () => LoadScenario {
  const total = scenarios.reduce((sum, { weight }) => sum + weight, 0);
  const credits = scenarios.map((scenario) => ({ scenario, credit: 0 }));
  return () => {
    for (const each of credits) each.credit += each.scenario.weight;
    const chosen = credits.reduce((best, each) => (each.credit > best.credit ? each : best));
    chosen.credit -= total;
    return chosen.scenario;
  };
}

function fill(value: Json, { n, load }: Numbered): Json {
  // A value that consists of {{ n }} only becomes a number.
  if (typeof value === "string" && /^\{\{ *n *\}\}$/.test(value)) return n;
  if (typeof value === "string") return value.replace(/\{\{ *n *\}\}/g, String(n)).replace(/\{\{ *load *\}\}/g, load);
  if (Array.isArray(value)) return value.map((item: Json) => fill(item, { n, load }));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, fill(item, { n, load })]));
}

function drawVariables(draw: LoadPlan["draw"], n: number): JsonObject {
  const entries = Object.entries(draw);
  // the schema refuses empty lists, so the index is valid
  return Object.fromEntries(entries.map(([name, values]) => [name, values[n % values.length] ?? null]));
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
