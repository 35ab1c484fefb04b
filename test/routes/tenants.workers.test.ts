// Quotas over HTTP: limits that the root key sets, refusals, usage; and suspension of a tenant.
import { describe, expect, test } from "vitest";
import { api, must, order, pooledOrder, tenantWithKey, type Api } from "#test/support/api.ts";
import { NOW, ROOT_KEY } from "#test/support/catalog.ts";

async function limited(limits: object = {}) {
  const made = api();
  const { tenant, key } = await tenantWithKey(made);
  for (const body of [order, pooledOrder]) await must(201, made.ask("POST", "/v1/definitions", { key, body }));
  const change = (body: object) => made.ask("PATCH", `/v1/tenants/${tenant}`, { body });
  await must(200, change({ limits }));
  const usage = async () => (await must(200, made.ask("GET", `/v1/tenants/${tenant}/usage`, { key }))).body.limits;
  const start = (definition = "pooled-order") => made.ask("POST", "/v1/executions", { key, body: { definition } });
  return { ...made, tenant, key, change, usage, start };
}

type Made = Awaited<ReturnType<typeof limited>>;
const webhook = { name: "ops", channel: { kind: "webhook", config: { url: "https://ops.example.com" } } };

const allDay = { from: "00:00", to: "24:00", timezone: "UTC" };

/** Creates the n-th resource of each kind. */
const kinds: { readonly [quota: string]: (made: Made, n: number) => ReturnType<Api["ask"]> } = {
  definitions: ({ ask, key }, n) => ask("POST", "/v1/definitions", { key, body: { ...order, name: `o${n}` } }),
  keys: ({ ask, key }, n) => ask("POST", "/v1/keys", { key, body: { name: `k${n}`, scopes: ["read"] } }),
  secrets: ({ ask, key }, n) => ask("PUT", `/v1/secrets/s${n}`, { key, body: { value: "the-value" } }),
  templates: ({ ask, key }, n) => ask("POST", "/v1/templates", { key, body: { name: `t${n}`, text: "Hello" } }),
  connections: ({ ask, key }, n) => ask("POST", "/v1/connections", { key, body: { name: `c${n}`, provider: "http" } }),
  policies: ({ ask, key }, n) =>
    ask("PUT", `/v1/policies/p${n}`, { key, body: { kind: "quiet_hours", types: ["webhook"], window: allDay } }),
  suppressions: ({ ask, key }, n) =>
    ask("POST", "/v1/suppressions", {
      key,
      body: { suppressions: [{ channel: "email", address: `a${n}@x.example` }] },
    }),
  alertChannels: ({ ask, key }, n) => ask("POST", "/v1/alert-channels", { key, body: { ...webhook, name: `a${n}` } }),
};

describe.each(Object.entries(kinds))("the quota of %s", (quota, make) => {
  test("admits as many concurrent requests as the quota allows, and refuses the others with a hint", async () => {
    const made = await limited();
    const before = (await made.usage())[quota].used;
    await must(200, made.change({ limits: { [quota]: before + 3 } }));
    const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => make(made, n)));
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(3);
    const refused = answers.find(({ status }) => status >= 300);
    expect(refused).toMatchObject({
      status: 429,
      body: { code: "quota_exceeded", details: { limit: quota, used: before + 3, max: before + 3 } },
    });
    expect(refused?.body.hint).toContain(`{"limits":{"${quota}":…}}`);
    expect([refused?.headers.get("Retry-After"), refused?.headers.get("RateLimit")]).toEqual([
      "3600",
      `"${quota}";r=0;t=3600`,
    ]);
    expect((await made.usage())[quota]).toEqual({ used: before + 3, max: before + 3, warning: true });
    await must(200, made.change({ limits: { [quota]: null } }));
    expect((await make(made, 99)).status).toBeLessThan(300);
  });
});

describe("a deleted, revoked or existing resource", () => {
  test("does not count against the quota", async () => {
    const made = await limited({ secrets: 1, keys: 2 });
    await must(200, made.ask("PUT", "/v1/secrets/one", { key: made.key, body: { value: "the-value" } }));
    await must(200, made.ask("PUT", "/v1/secrets/one", { key: made.key, body: { value: "another-value" } }));
    const other = await must(201, kinds.keys?.(made, 1) ?? Promise.reject(new Error("no keys")));
    await must(429, kinds.keys?.(made, 2) ?? Promise.reject(new Error("no keys")));
    await must(200, made.ask("DELETE", `/v1/keys/${other.body.key.id}`, { key: made.key }));
    await must(201, kinds.keys?.(made, 3) ?? Promise.reject(new Error("no keys")));
    expect(made.world.lines.filter(({ event }) => event === "quota_near")).toMatchObject([
      { tenant: made.tenant, limit: "secrets", used: 1, max: 1 },
      { tenant: made.tenant, limit: "keys", used: 2, max: 2 },
      { tenant: made.tenant, limit: "keys", used: 2, max: 2 },
    ]);
  });
});

describe("starts", () => {
  test("report the remaining number, and are refused until the window ends", async () => {
    const made = await limited({ startsPerSecond: 1 });
    const first = await must(201, made.start());
    expect(first.headers.get("RateLimit-Policy")).toBe(
      '"startsPerSecond";q=10;w=10, "actionsPerDay";q=10000000;w=86400',
    );
    expect(first.headers.get("RateLimit")).toBe('"startsPerSecond";r=9;t=10, "actionsPerDay";r=10000000;t=43200');
    for (let n = 1; n < 10; n++) await must(201, made.start());
    const refused = await must(429, made.start());
    expect(refused.body).toMatchObject({
      code: "quota_exceeded",
      retryable: true,
      details: { limit: "startsPerSecond", used: 10, max: 10 },
    });
    expect(refused.headers.get("Retry-After")).toBe("10");
    expect((await made.usage()).startsPerSecond).toEqual({ used: 10, max: 10, windowSeconds: 10, warning: true });
    made.world.clock.now += 10_000;
    await must(201, made.start());
  });

  test("of a batch are admitted up to the quota, with a result for each item", async () => {
    const made = await limited({ startsPerSecond: 1 });
    const body = { executions: Array.from({ length: 14 }, () => ({ definition: "pooled-order" })) };
    const batch = await must(200, made.ask("POST", "/v1/executions/batch", { key: made.key, body }));
    expect([batch.body.started, batch.body.refused]).toEqual([10, 4]);
    expect(batch.body.results.at(-1).problem).toMatchObject({ status: 429, details: { limit: "startsPerSecond" } });
    const actions = { actions: [{ type: "webhook", config: { url: "https://example.com" } }] };
    const more = await must(200, made.ask("POST", "/v1/actions/batch", { key: made.key, body: actions }));
    expect(more.body.results[0].problem.code).toBe("quota_exceeded");
  });

  test("above the limit of live executions are refused; dry runs do not count", async () => {
    const made = await limited({ liveExecutions: 3 });
    for (let n = 0; n < 3; n++) await must(201, made.start());
    const refused = await must(429, made.start());
    expect(refused.body.details).toMatchObject({ limit: "liveExecutions", used: 3, max: 3 });
    const body = { definition: "pooled-order" };
    await must(200, made.ask("POST", "/v1/executions?dryRun=true", { key: made.key, body }));
    expect((await made.usage()).liveExecutions).toMatchObject({ used: 3, max: 3, warning: true });
  });

  test("are admitted from the isolate's lease, with few calls of the tenant's object", async () => {
    const made = await limited();
    await must(201, made.start());
    const before = made.world.meters.reports.length;
    for (let n = 0; n < 40; n++) await must(201, made.start());
    expect(made.world.meters.reports.length - before).toBeLessThanOrEqual(3);
  });

  test("continue while the tenant's object does not answer, and are reported later", async () => {
    const made = await limited({ startsPerSecond: 2 });
    made.world.meters.isSilent = true;
    for (let n = 0; n < 30; n++) await must(201, made.start());
    expect(made.world.lines.filter(({ event }) => event === "quota_use_not_reported").length).toBe(1);
    made.world.meters.isSilent = false;
    made.world.clock.now += 5_000;
    expect((await made.usage()).startsPerSecond.used).toBe(30);
  });
});

describe("changing a tenant", () => {
  test("requires the root key, merges limits, and is audited", async () => {
    const made = await limited({ keys: 7, secrets: 8 });
    const changed = await must(200, made.change({ name: "New", limits: { keys: null, templates: 0 }, reason: "why" }));
    expect(changed.body).toMatchObject({
      name: "New",
      limits: { keys: 1_000, secrets: 8, templates: 0 },
      suspended: null,
    });
    const dry = await must(
      200,
      made.ask("PATCH", `/v1/tenants/${made.tenant}?dryRun=true`, {
        body: { limits: { secrets: null }, retentionDays: 3 },
      }),
    );
    expect(dry.body).toMatchObject({ retentionDays: 3, limits: { secrets: 1_000, templates: 0 } });
    expect((await must(200, made.ask("GET", `/v1/tenants/${made.tenant}`))).body.limits.secrets).toBe(8);
    await must(403, made.ask("PATCH", `/v1/tenants/${made.tenant}`, { key: made.key, body: { limits: { keys: 1 } } }));
    await must(404, made.ask("PATCH", "/v1/tenants/nobody", { body: { limits: { keys: 1 } } }));
    await must(404, made.ask("PATCH", "/v1/tenants/nobody?dryRun=true", { body: { limits: { keys: 1 } } }));
    const audit = await must(200, made.ask("GET", "/v1/audit?verb=tenant.update", { key: made.key }));
    expect(audit.body.data.find(({ reason }: { reason: string | null }) => reason === "why")).toMatchObject({
      actor: "root:root",
      details: { name: "New", limits: { keys: null, templates: 0 } },
    });
  });

  test.each<[string, object, string]>([
    ["an unknown quota", { limits: { kees: 1 } }, "/limits/kees"],
    ["a negative limit", { limits: { keys: -1 } }, "/limits/keys"],
    ["a fraction", { limits: { keys: 0.5 } }, "/limits/keys"],
    ["a limit above the maximum", { limits: { keys: 1e12 } }, "/limits/keys"],
  ])("with %s is refused, with a pointer", async (_what, body, pointer) => {
    const { change } = await limited();
    expect((await must(400, change(body))).body.errors[0].pointer).toBe(pointer);
  });
});

describe("a suspended tenant", () => {
  const suspend = (made: Made, verb = "suspend", key: string = ROOT_KEY) =>
    made.ask("POST", `/v1/tenants/${made.tenant}/${verb}`, { key, body: { reason: "mails to strangers" } });

  test("starts nothing, can be read, and continues after resume", async () => {
    const made = await limited();
    const { execution } = (await must(201, made.start("order"))).body;
    const suspended = await must(200, suspend(made));
    expect(suspended.body.suspended).toEqual({ at: new Date(NOW).toISOString(), reason: "mails to strangers" });
    const refused = await must(403, made.start());
    expect(refused.body).toMatchObject({
      code: "tenant_suspended",
      detail: expect.stringMatching(/mails to strangers/),
    });
    const action = { type: "webhook", config: { url: "https://example.com" } };
    await must(403, made.ask("POST", "/v1/actions", { key: made.key, body: action }));
    await must(201, kinds.connections?.(made, 1) ?? Promise.reject(new Error("no connections")));
    await must(403, made.ask("POST", "/v1/connections/c1/test", { key: made.key }));
    await must(200, made.ask("GET", `/v1/executions/${execution.id}`, { key: made.key }));
    await must(
      200,
      made.ask("POST", `/v1/executions/${execution.id}/events`, { key: made.key, body: { type: "paid" } }),
    );
    await must(200, suspend(made));
    expect((await must(200, suspend(made, "resume"))).body.suspended).toBe(null);
    await must(201, made.start());
    const audit = await must(200, made.ask("GET", `/v1/audit?target=${made.tenant}`, { key: made.key }));
    expect(audit.body.data.map(({ verb, reason }: { verb: string; reason: string | null }) => [verb, reason])).toEqual(
      expect.arrayContaining([
        ["tenant.suspend", "mails to strangers"],
        ["tenant.resume", "mails to strangers"],
      ]),
    );
    expect(audit.body.data.filter(({ verb }: { verb: string }) => verb === "tenant.suspend")).toHaveLength(1);
  });

  test("suspension requires the root key and a reason, and a dry run changes nothing", async () => {
    const made = await limited();
    await must(403, suspend(made, "suspend", made.key));
    await must(400, made.ask("POST", `/v1/tenants/${made.tenant}/suspend`, { body: {} }));
    await must(404, made.ask("POST", "/v1/tenants/nobody/suspend", { body: { reason: "r" } }));
    const dry = made.ask("POST", `/v1/tenants/${made.tenant}/suspend?dryRun=true`, { body: { reason: "r" } });
    expect((await must(200, dry)).body.suspended).not.toBe(null);
    await must(201, made.start());
  });
});
