// URLs that the egress guard refuses at each attempt are refused when they are written: in creation, update, dry run
// and validation. A local engine accepts loopback addresses.
import { describe, expect, test } from "vitest";
import { configFindings } from "#runners/draft.ts";
import { actionTypes } from "#runners/registry.ts";
import type { Deps } from "#services/deps.ts";
import { api, must, order, tenantWithKey } from "#test/support/api.ts";

const bad = [
  "https://0x7f.1/",
  "http://169.254.169.254/",
  "http://[::ffff:10.0.0.1]/",
  "https://user:pw@host.example/",
  "file:///etc/passwd",
  "ftp://files.example.com/",
];

async function office(allowLoopback = false) {
  const terms = { allowLoopback };
  const over: Partial<Deps> = {
    ...terms,
    actionTypes,
    configFindings: (type, config) => configFindings(type, config, terms),
  };
  const made = api(over);
  const { key } = await tenantWithKey(made);
  const ask = (method: string, path: string, body: unknown) => made.ask(method, path, { key, body });
  return { ask };
}

const machine = (url: string, type = "webhook") => ({
  ...order,
  actions: [
    { actionId: "notify", type, triggerState: "paid", config: type === "webhook" ? { url } : { url, method: "GET" } },
  ],
});
const journey = (url: string) => ({
  kind: "journey",
  name: "wedding",
  initial: "a",
  nodes: { a: { type: "webhook", config: { url } } },
});
const channel = (url: string) => ({ name: "ops", channel: { kind: "webhook", config: { url } } });
const recurring = (url: string) => ({
  cron_expr: "0 9 * * *",
  provider: "webhook",
  action_type: "x",
  payload: { url },
});
const poller = (url: string) => ({
  name: "polls",
  kind: "poller",
  target: { kind: "start", definition: "order" },
  poll: { request: { url }, every: "PT5M", id: "/id" },
});

describe.each(bad)("%s", (url) => {
  test("is refused as a connection's URL, at creation and update", async () => {
    const { ask } = await office();
    const made = (over: object) => ({ name: "crm", provider: "http", ...over });
    for (const query of ["", "?dryRun=true"])
      expect(
        (await must(400, ask("POST", `/v1/connections${query}`, made({ baseUrl: url })))).body.errors,
      ).toMatchObject([{ pointer: "/baseUrl" }]);
    const oauth2 = { type: "oauth2", grant: "client_credentials", tokenEndpoint: url };
    const credentials = { clientId: "a_secret", clientSecret: "b_secret" };
    const refused = await must(400, ask("POST", "/v1/connections", made({ auth: oauth2, credentials })));
    expect(refused.body.errors).toMatchObject([{ pointer: "/auth/tokenEndpoint" }]);
    await must(201, ask("POST", "/v1/connections", made({ baseUrl: "https://crm.example.com" })));
    await must(400, ask("PATCH", "/v1/connections/crm", { baseUrl: url }));
  });

  test("is refused in a definition's action and in a standalone action", async () => {
    const { ask } = await office();
    for (const [body, pointer] of [
      [machine(url), "/actions/0/config/url"],
      [machine(url, "api_call"), "/actions/0/config/url"],
      [journey(url), "/nodes/a/config/url"],
    ] as const) {
      const errors = expect.arrayContaining([expect.objectContaining({ pointer, code: "egress_refused" })]);
      for (const query of ["", "?dryRun=true", "?draft=true"])
        expect((await must(422, ask("POST", `/v1/definitions${query}`, body))).body).toMatchObject({ errors });
      expect((await must(200, ask("POST", "/v1/definitions/validate", body))).body).toMatchObject({
        valid: false,
        findings: errors,
      });
    }
    const action = { type: "webhook", config: { url } };
    for (const query of ["", "?dryRun=true"])
      expect((await must(422, ask("POST", `/v1/actions${query}`, action))).body.errors).toMatchObject([
        { pointer: "/config/url", code: "egress_refused" },
      ]);
  });

  test("is refused in alert channels, recurring actions and pollers", async () => {
    const { ask } = await office();
    await must(201, ask("POST", "/v1/definitions", machine("https://example.com")));
    for (const query of ["", "?dryRun=true"]) {
      const alerts = await must(400, ask("POST", `/v1/alert-channels${query}`, channel(url)));
      expect(alerts.body.errors).toMatchObject([{ pointer: "/channel/config/url", code: "egress_refused" }]);
      const recurs = await must(400, ask("POST", `/v1/recurring${query}`, recurring(url)));
      expect(recurs.body.errors).toMatchObject([{ pointer: "/payload/url", code: "egress_refused" }]);
      const polls = await must(400, ask("POST", `/v1/triggers${query}`, poller(url)));
      expect(polls.body.errors).toMatchObject([{ pointer: "/poll/request/url", code: "egress_refused" }]);
    }
    const { body } = await must(201, ask("POST", "/v1/alert-channels", channel("https://ops.example.com")));
    await must(400, ask("PATCH", `/v1/alert-channels/${body.id}`, channel(url)));
  });
});

test("a template's value is checked at each attempt, its literal part when written", async () => {
  const { ask } = await office();
  const valid = async (url: string) =>
    (await must(200, ask("POST", "/v1/definitions/validate", machine(url)))).body.valid;
  expect(await valid("{{ execution.variables.url }}")).toBe(true);
  expect(await valid("https://{{ execution.variables.host }}/hook")).toBe(true);
  expect(await valid("https://10.0.0.1/{{ execution.id }}")).toBe(false);
});

test("a local engine accepts loopback, and no other private address", async () => {
  const { ask } = await office(true);
  const loopback = "http://127.0.0.1:8788/sink";
  await must(201, ask("POST", "/v1/definitions", machine(loopback)));
  await must(201, ask("POST", "/v1/connections", { name: "crm", provider: "http", baseUrl: loopback }));
  await must(201, ask("POST", "/v1/alert-channels", channel(loopback)));
  await must(422, ask("POST", "/v1/definitions", machine("http://10.0.0.1/")));
  await must(400, ask("POST", "/v1/connections", { name: "erp", provider: "http", baseUrl: "http://10.0.0.1/" }));
});

test("a local engine warns of http: where a deployed engine refuses it", async () => {
  const { ask } = await office(true);
  const warnings = async (url: string) =>
    (await must(200, ask("POST", "/v1/definitions/validate", machine(url)))).body.warnings.map(
      ({ code, pointer }: { code: string; pointer: string }) => `${code} ${pointer}`,
    );
  expect(await warnings("http://shop.example.com/hook")).toContain("plain_http /actions/0/config/url");
  for (const url of ["https://shop.example.com/hook", "http://127.0.0.1:8788/sink", "http://localhost:8788/sink"])
    expect(await warnings(url)).not.toContain("plain_http /actions/0/config/url");
});
