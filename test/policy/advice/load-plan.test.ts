// Tests load plans: the ramp, the scenarios of an action, refused requests, and that equal requests give equal plans.
import { describe, expect, it, test } from "vitest";
import { planLoad, stagesOf } from "#policy/advice/load-plan.ts";
import type { LoadAction } from "#policy/advice/load-scenarios.ts";
import { loadConfig, loadPlan } from "#schema/load.ts";
import { naming } from "#test/support/matchers/naming.ts";

const SINK = "http://127.0.0.1:8788/sink/orders";
const webhook: LoadAction = { type: "webhook", config: { url: SINK, payload: { id: 1 } } };
const delay: LoadAction = { type: "delay", config: {} };
const minute = { concurrency: 50, duration: "PT1M", rampUpTime: 10_000 };

function plan(action: LoadAction, config: object = minute) {
  const planned = planLoad(action, loadConfig.parse(config));
  if (!planned.ok) throw new Error(JSON.stringify(planned.findings));
  return loadPlan.parse(planned.plan);
}

function findings(action: LoadAction, config: object) {
  const planned = planLoad(action, loadConfig.parse(config));
  return planned.ok ? [] : planned.findings;
}

const scenario = (action: LoadAction, name: string) => {
  const found = plan(action).scenarios.find((each) => each.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
};

describe("ramp-up stages", () => {
  test.each([
    [1, 0, [[0, 1]]],
    [50, 0, [[0, 50]]],
    [1, 5_000, [[0, 1]]],
    [
      2,
      5_000,
      [
        [0, 1],
        [5_000, 2],
      ],
    ],
    [
      3,
      1_000,
      [
        [0, 1],
        [500, 2],
        [1_000, 3],
      ],
    ],
  ])("of a concurrency of %d within %d ms", (concurrency, ramp, wanted) =>
    expect(stagesOf(concurrency, ramp).map((stage) => [stage.atMs, stage.concurrency])).toEqual(wanted),
  );

  it("are at most ten, and the last one reaches the full load at the end of the ramp", () => {
    const stages = stagesOf(500, 60_000);
    expect(stages).toHaveLength(10);
    expect(stages[0]).toEqual({ atMs: 0, concurrency: 50 });
    expect(stages.at(-1)).toEqual({ atMs: 60_000, concurrency: 500 });
  });
});

const scripted = ["provider_slow", "provider_errors", "rate_limited"];
const everywhere = ["steady", "batch", "duplicates", "bad_config"];
const all = ["steady", "batch", "duplicates", ...scripted, "bad_config"];
const names = (action: LoadAction, config: object = minute) => plan(action, config).scenarios.map(({ name }) => name);
const at = (url: unknown, type = "webhook") => ({ type, config: { url } }) as LoadAction;

describe("the scenarios", () => {
  test.each<readonly [string, LoadAction, readonly string[]]>([
    ["a webhook to the sandbox", webhook, all],
    ["an API call to the sandbox", at(SINK, "api_call"), all],
    ["localhost by name", at("http://localhost:8788/sink"), all],
    ["localhost by IPv6", at("http://[::1]:8788"), all],
    ["a path that is a template", at("http://127.0.0.1:8788/sink/{{ execution.variables.n }}"), all],
    ["a real receiver", at("https://example.com/hook"), everywhere],
    ["a receiver whose host only looks local", at("http://127.0.0.1.example.com/"), everywhere],
    ["a user name that looks like a host", at("http://localhost@example.com/"), everywhere],
    ["a host that only a template determines", at("{{ execution.variables.url }}"), everywhere],
    ["no url at all", at(undefined), everywhere],
    ["an action type without HTTP", delay, everywhere],
  ])("of %s", (_fact, action, wanted) => expect(names(action)).toEqual(wanted));

  it("are the requested ones in the plan's order, without notes on the others", () => {
    const asked = plan(delay, { ...minute, scenarios: ["bad_config", "steady", "steady"] });
    expect(asked.scenarios.map(({ name }) => name)).toEqual(["steady", "bad_config"]);
    expect(asked.notes).toEqual([]);
  });

  it("that cannot be used are noted with the reason", () => {
    expect(plan(delay).notes).toEqual(scripted.map((name) => naming(name, "webhook", "api_call")));
    expect(plan(at("https://example.com")).notes[0]).toEqual(naming("http://127.0.0.1:8788/sink/load"));
  });

  it("send the action with the number of the request and the name of the load test", () => {
    expect(scenario(webhook, "steady")).toMatchObject({
      batch: null,
      copies: 1,
      sandbox: null,
      expect: { status: [201], repeated: 0, ends: ["ok"] },
      dispatch: { ...webhook, correlationId: "load-{{ load }}", variables: { n: "{{ n }}" } },
    });
    const own = { ...webhook, correlationId: "mine", variables: { n: 7, who: "Ada" } };
    expect(scenario(own, "steady").dispatch).toEqual(own);
    expect(scenario({ ...webhook, variables: ["no object"] }, "steady").dispatch.variables).toEqual({ n: "{{ n }}" });
  });

  it("send as many actions per batch as requested", () => {
    const [batch] = plan(webhook, { ...minute, batch: 25, scenarios: ["batch"] }).scenarios;
    expect(batch).toMatchObject({ batch: 25, description: naming(25) });
  });

  it("send duplicates under one key and expect one of two to be a repeat", () => {
    expect(scenario(webhook, "duplicates")).toMatchObject({
      copies: 2,
      dispatch: { dedupKey: "load-{{ load }}-{{ n }}" },
      expect: { status: [200, 201], repeated: 1, ends: ["ok"] },
    });
  });

  it("include a config that every runner refuses", () => {
    const bad = scenario(webhook, "bad_config");
    expect(bad.dispatch.config).toEqual({ ...webhook.config, load_plan_unknown_field: true });
    expect(bad.expect).toEqual({ status: [400, 422], repeated: 0, ends: [] });
  });

  test.each([
    ["provider_slow", { ratio: { share: 1, step: { delayMs: 2_000 } } }, ["ok"]],
    ["provider_errors", { ratio: { share: 0.2, step: { status: 503 } } }, ["ok", "failed"]],
    ["rate_limited", { steps: [{ status: 429, headers: { "Retry-After": "1" } }] }, ["ok", "failed"]],
  ])("send %s to a path of its own", (name, script, ends) => {
    const made = scenario(webhook, name);
    const path = `/sink/load/${name}`;
    expect(made.sandbox).toEqual({ origin: "http://127.0.0.1:8788", script: { path, ...script } });
    expect(made.dispatch.config).toEqual({ url: `http://127.0.0.1:8788${path}`, payload: { id: 1 } });
    expect(made.expect.ends).toEqual(ends);
  });

  it("expect the responses that the sandbox sends", () => {
    const config = { url: SINK, expectedStatusCodes: [202], responseMapping: { id: "/id" } };
    const made = scenario({ type: "api_call", config }, "provider_slow");
    expect(made.dispatch.config).toEqual({ url: "http://127.0.0.1:8788/sink/load/provider_slow" });
  });

  test.each([
    [1_000, 500],
    [60_000, 2_000],
    [undefined, 2_000],
  ])("with a timeout of %s respond after %d ms", (timeout, delayMs) => {
    const action = { ...webhook, ...(timeout === undefined ? {} : { timeout }) };
    expect(scenario(action, "provider_slow").sandbox?.script).toMatchObject({ ratio: { step: { delayMs } } });
  });

  test.each([[{ condition: true }], [{ validUntil: 0 }], [{ maxLateness: 1_000 }]])(
    "allow an action with %j to be skipped",
    (term) => expect(scenario({ ...webhook, ...term }, "steady").expect.ends).toEqual(["ok", "skipped"]),
  );

  it("leave out duplicates if the action has a dedup key", () => {
    const keyed = { ...webhook, dedupKey: "order-{{ n }}" };
    expect(names(keyed)).not.toContain("duplicates");
    expect(plan(keyed).notes).toEqual([naming("duplicates", "dedupKey")]);
    expect(findings(keyed, { ...minute, scenarios: ["steady", "duplicates"] })).toEqual([
      expect.objectContaining({ pointer: "/config/scenarios/1", code: "scenario_not_possible" }),
    ]);
  });
});

describe("the plan", () => {
  it("contains duration and ramp-up in milliseconds", () => {
    expect(plan({ ...webhook, actionId: "notify" })).toMatchObject({
      v: 1,
      actionId: "notify",
      concurrency: 50,
      duration: 60_000,
      rampUpTime: 10_000,
      draw: {},
      limits: { requestsPerSecond: null, followedAtOnce: 200, drainMs: 30_000 },
      notes: [],
    });
  });

  it("uses the type as its name if the action has none, and keeps the rate limit and the draw lists", () => {
    const draw = { who: ["Ada", "Grace"] };
    const made = plan(webhook, { ...minute, requestsPerSecond: 100, draw });
    expect(made).toMatchObject({ actionId: "webhook", draw, limits: { requestsPerSecond: 100 } });
  });

  it("is the same for the same request", () => expect(plan(webhook)).toEqual(plan(webhook)));

  test.each([
    ["email", { concurrency: 1, duration: 5_000, rampUpTime: 1 }],
    ["contract_call", { concurrency: 1, duration: 5_000, rampUpTime: 1 }],
    ["delay", { concurrency: 1, duration: 5_000 }],
  ])("for %s contains a warning", (type, config) =>
    expect(plan({ type, config: {} }, { ...config, scenarios: ["steady"] }).notes).toHaveLength(1),
  );

  it("contains a note about the action's delay", () => {
    expect(plan({ ...webhook, delay: "PT1M" }).notes).toHaveLength(1);
  });
});

describe("a plan is refused for", () => {
  test.each([
    ["too short", { concurrency: 1, duration: 999 }, "/config/duration", 999],
    ["too long", { concurrency: 1, duration: "PT61M" }, "/config/duration", "LOAD_DURATION_MS_MAX"],
    ["negative", { concurrency: 1, duration: "-PT5M" }, "/config/duration", -300_000],
    ["all ramp", { concurrency: 1, duration: 5_000, rampUpTime: 5_000 }, "/config/rampUpTime", 5_000],
    ["ramp backwards", { concurrency: 1, duration: 5_000, rampUpTime: "-PT1S" }, "/config/rampUpTime", -1_000],
  ])("a load that is %s", (_fact, config, pointer, words) =>
    expect(findings(webhook, config)).toEqual([
      { pointer, code: "out_of_range", message: naming(words), hint: expect.any(String) },
    ]),
  );

  it("a scenario that is not possible, with a hint", () => {
    const asked = { ...minute, scenarios: ["steady", "provider_slow"] };
    expect(findings(at("https://example.com"), asked)).toEqual([
      {
        pointer: "/config/scenarios/1",
        code: "scenario_not_possible",
        message: naming("provider_slow"),
        hint: naming("127.0.0.1:8788"),
      },
    ]);
  });

  it("a constant dedup key", () => {
    expect(findings({ ...webhook, dedupKey: "order" }, minute)).toEqual([
      expect.objectContaining({ pointer: "/action/dedupKey", code: "not_distinct" }),
    ]);
  });
});
