// Load plans over HTTP: the contents of a plan, and refused plans. Nothing is dispatched.
import { expect, test } from "vitest";
import { createClient } from "#client/client.ts";
import { loadPlan } from "#schema/load.ts";
import { api, must, tenantWithKey } from "#test/support/api.ts";
import { naming } from "#test/support/matchers/naming.ts";

const AT = "/v1/actions/load-plan";
const action = { type: "webhook", config: { url: "http://127.0.0.1:8788/sink/a" }, variables: { who: "Ada" } };
const config = { concurrency: 20, duration: "PT30S", rampUpTime: "PT5S" };

async function here() {
  const made = api();
  const { key, tenant } = await tenantWithKey(made, ["read"]);
  return { made, key, tenant, ask: (body: unknown) => made.ask("POST", AT, { key, body }) };
}

test("a plan is readable by the load runner, and dispatches nothing", async () => {
  const { made, key, ask } = await here();
  const { body } = await must(200, ask({ action, config }));
  const plan = loadPlan.parse(body);
  expect(plan).toMatchObject({ v: 1, actionId: "webhook", concurrency: 20, duration: 30_000, rampUpTime: 5_000 });
  expect(plan.scenarios.map(({ name }) => name)).toContain("provider_errors");
  const listed = await must(200, made.ask("GET", "/v1/executions?definition=def_action", { key }));
  expect(listed.body.data).toEqual([]);
});

test("the client returns the same plan", async () => {
  const { made, key } = await here();
  const client = createClient({ baseUrl: "https://api.test", key, fetch: made.fetch });
  const plan = await client.planLoad({ action, config: { ...config, scenarios: ["steady"], draw: { who: ["a", 1] } } });
  expect(plan.scenarios.map(({ name }) => name)).toEqual(["steady"]);
  expect(plan.draw).toEqual({ who: ["a", 1] });
});

test("all findings of the action and the load are returned at once, with pointers", async () => {
  const { ask } = await here();
  const wrong = { action: { type: "webhook", config: {}, delay: "soon" }, config: { ...config, duration: 10 } };
  const { body } = await must(422, ask(wrong));
  expect(body.code).toBe("action_invalid");
  expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
    "/action/config/url",
    "/action/delay",
    "/config/duration",
  ]);
});

test.each([
  [{ concurrency: 501 }, "/config/concurrency"],
  [{ concurrency: 0 }, "/config/concurrency"],
  [{ requestsPerSecond: 0 }, "/config/requestsPerSecond"],
  [{ batch: 101 }, "/config/batch"],
  [{ duration: "PT2H" }, "/config/duration"],
  [{ rampUpTime: "PT1M" }, "/config/rampUpTime"],
  [{ scenarios: ["stedy"] }, "/config/scenarios/0"],
  [{ scenarios: [] }, "/config/scenarios"],
  [{ draw: { who: [] } }, "/config/draw/who"],
])("a load of %j is refused at %s", async (over, pointer) => {
  const { ask } = await here();
  const { body } = await must(400, ask({ action, config: { ...config, ...over } }));
  expect(body).toMatchObject({ code: "invalid_input", errors: [{ pointer }] });
});

test("an impossible scenario is refused with a hint", async () => {
  const { ask } = await here();
  const remote = { ...action, config: { url: "https://example.com" } };
  const { body } = await must(400, ask({ action: remote, config: { ...config, scenarios: ["rate_limited"] } }));
  expect(body.errors).toEqual([
    {
      pointer: "/config/scenarios/0",
      code: "scenario_not_possible",
      message: expect.stringContaining("rate_limited"),
      hint: expect.stringContaining("http://127.0.0.1:8788/sink/load"),
    },
  ]);
});

test("a mistyped field is refused with a suggestion", async () => {
  const { ask } = await here();
  const { body } = await must(400, ask({ action, config: { ...config, concurency: 5 } }));
  expect(body.errors[0]).toMatchObject({ pointer: "/config/concurency", hint: naming("concurrency") });
});
