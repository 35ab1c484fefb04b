// Connections over HTTP: created, read, updated by a merge patch, and deleted.
import { describe, expect, test } from "vitest";
import type { Gate } from "#schema/gate.ts";
import type { Deps } from "#services/deps.ts";
import { api, must, tenantWithKey } from "#test/support/api.ts";
import { absentGate, NOW } from "#test/support/catalog.ts";
import { naming } from "#test/support/matchers/naming.ts";

const sendgrid = {
  name: "mail",
  provider: "sendgrid",
  credentials: { apiKey: "sendgrid_key" },
  rateLimit: { perSecond: 10, burst: 5 },
  breaker: { openMs: 5_000 },
};
const oauth2 = {
  name: "crm",
  provider: "http",
  baseUrl: "https://crm.example.com/api",
  credentials: { clientId: "crm_id", clientSecret: "crm_secret" },
  auth: { type: "oauth2", grant: "client_credentials", tokenEndpoint: "https://login.example.com/token" },
};

async function shop(over: Partial<Deps> = {}) {
  const made = api(over);
  const { key, tenant } = await tenantWithKey(made);
  const at = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    made.ask(method, `/v1/connections${path}`, { key, headers, ...(body === undefined ? {} : { body }) });
  return { ...made, key, tenant, at };
}

describe("a connection", () => {
  test("is created once, read by name and id, and listed by name and provider", async () => {
    const { at } = await shop();
    const made = (await must(201, at("POST", "", sendgrid))).body;
    expect(made).toEqual({
      ...sendgrid,
      id: made.id,
      status: "ok",
      attention: null,
      createdAt: "2026-11-18T12:00:00.000Z",
      updatedAt: "2026-11-18T12:00:00.000Z",
    });
    expect(made.id).toMatch(/^con_/);
    await must(201, at("POST", "", oauth2));
    const callbacks = { callbackUrl: null, callbackCredential: "webhookKey" };
    for (const ref of ["mail", made.id])
      expect((await must(200, at("GET", `/${ref}`))).body).toEqual({ ...made, state: null, ...callbacks });
    const names = async (query: string) =>
      (await must(200, at("GET", query))).body.data.map(({ name }: { name: string }) => name);
    expect([await names(""), await names("?provider=http"), await names("?provider=slack")]).toEqual([
      ["crm", "mail"],
      ["crm"],
      [],
    ]);
    const page = (await must(200, at("GET", "?limit=1"))).body;
    expect((await must(200, at("GET", `?limit=1&cursor=${page.nextCursor}`))).body.data).toEqual([made]);
    const taken = await must(409, at("POST", "", sendgrid));
    expect(taken.body).toMatchObject({ code: "already_exists", errors: [{ pointer: "/name" }] });
  });

  test("is not created by a dry run, which refuses a taken name", async () => {
    const { at } = await shop();
    await must(200, at("POST", "?dryRun=true", sendgrid));
    await must(404, at("GET", "/mail"));
    await must(201, at("POST", "", sendgrid));
    await must(409, at("POST", "?dryRun=true", sendgrid));
  });

  test("a repeat with the same Idempotency-Key returns the same connection", async () => {
    const { at } = await shop();
    const headers = { "Idempotency-Key": "c-1" };
    const first = await must(201, at("POST", "", sendgrid, headers));
    expect((await must(201, at("POST", "", sendgrid, headers))).body).toEqual(first.body);
    await must(422, at("POST", "", { ...sendgrid, name: "other" }, headers));
  });

  test.each<[string, object, pointer: string, ...(string | number)[]]>([
    ["a capital letter", { name: "Mail" }, "/name"],
    ["a name like an id", { name: "con_1" }, "/name", "con_"],
    ["an unknown field", { rateLimt: {} }, "/rateLimt", "rateLimt"],
    ["two rates", { rateLimit: { perSecond: 1, perMinute: 1 } }, "/rateLimit", "perSecond", "perMinute"],
    ["no rate", { rateLimit: {} }, "/rateLimit", "perSecond", "perMinute"],
    ["a secret's value", { credentials: { apiKey: "SG.abc def" } }, "/credentials/apiKey"],
    ["user and password in the address", { baseUrl: "https://a:b@example.com" }, "/baseUrl", "credentials"],
    ["an invalid address", { baseUrl: "example.com" }, "/baseUrl", "https:"],
    [
      "basic without a password",
      { auth: { type: "basic" }, credentials: { username: "u" } },
      "/credentials/password",
      "basic",
    ],
    [
      "oauth2 by refresh token without one",
      { ...oauth2, auth: { ...oauth2.auth, grant: "refresh_token" } },
      "/credentials/refreshToken",
      "oauth2",
    ],
    [
      "an API key without header and query",
      { auth: { type: "api_key" }, credentials: { apiKey: "k" } },
      "/auth",
      "header",
      "query",
    ],
    ["a breaker that never closes", { breaker: { halfOpenProbes: 0 } }, "/breaker/halfOpenProbes", 1],
    ["selfHeal without a breaker", { breaker: undefined, selfHeal: {} }, "/selfHeal", "breaker"],
    ["selfHeal too often", { breaker: {}, selfHeal: { times: 11 } }, "/selfHeal/times", 10],
  ])("with %s is refused, with a pointer", async (_what, over, pointer, ...values) => {
    const { at } = await shop();
    const refused = await must(400, at("POST", "", { ...sendgrid, ...over }));
    expect(refused.body.errors).toContainEqual(expect.objectContaining({ pointer, message: naming(...values) }));
  });

  test("settings above the size limit are refused", async () => {
    const { at } = await shop();
    const big = { ...sendgrid, settings: { text: "x".repeat(17_000) } };
    expect((await must(422, at("POST", "", big))).body).toMatchObject({
      code: "limit_exceeded",
      errors: [{ pointer: "/settings" }],
    });
  });
});

describe("updating", () => {
  test("a new rate or authentication method replaces the other kind", async () => {
    const { at } = await shop();
    await must(201, at("POST", "", sendgrid));
    const change = async (patch: object) => (await must(200, at("PATCH", "/mail", patch))).body;
    expect((await change({ rateLimit: { perMinute: 6, burst: 1 } })).rateLimit).toEqual({ perMinute: 6, burst: 1 });
    expect((await change({ rateLimit: { burst: 2 } })).rateLimit).toEqual({ perMinute: 6, burst: 2 });
    expect((await change({ rateLimit: { perSecond: 3 } })).rateLimit).toEqual({ perSecond: 3, burst: 2 });
    await must(400, at("PATCH", "/mail", { rateLimit: { perSecond: 1, perMinute: 1 } }));
    const http = { name: "crm", provider: "http", baseUrl: "https://crm.example.com", credentials: { token: "t" } };
    await must(
      201,
      at("POST", "", { ...http, auth: { type: "api_key", header: "X-Key" }, credentials: { apiKey: "k" } }),
    );
    const auth = { type: "bearer" };
    const changed = await must(200, at("PATCH", "/crm", { auth, credentials: { apiKey: null, token: "t" } }));
    expect(changed.body.auth).toEqual(auth);
  });

  test("merges the patch, null removes, and the result is checked", async () => {
    const { at, ask, key, world } = await shop();
    const { id } = (await must(201, at("POST", "", sendgrid))).body;
    world.clock.now += 1_000;
    const patch = { rateLimit: { perSecond: 2, burst: null }, breaker: null, sandbox: true, name: "post" };
    const dry = await must(200, at("PATCH", "/mail?dryRun=true", patch));
    expect((await must(200, at("GET", "/mail"))).body.rateLimit).toEqual(sendgrid.rateLimit);
    const changed = await must(200, at("PATCH", "/mail?reason=quieter", patch));
    expect(changed.body).toEqual(dry.body);
    expect(changed.body).toMatchObject({
      id,
      name: "post",
      rateLimit: { perSecond: 2 },
      sandbox: true,
      updatedAt: "2026-11-18T12:00:01.000Z",
    });
    expect(changed.body).not.toHaveProperty("breaker");
    await must(404, at("GET", "/mail"));
    const refused = await must(400, at("PATCH", "/post", { rateLimit: { perMinute: 3 }, colour: "red" }));
    expect(refused.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(
      expect.arrayContaining(["/colour"]),
    );
    expect((await must(400, at("PATCH", "/post", { provider: "resend" }))).body.errors[0]).toMatchObject({
      pointer: "/provider",
    });
    await must(400, at("PATCH", "/post", { name: null }));
    await must(400, at("PATCH", "/post", []));
    const audit = await must(200, ask("GET", "/v1/audit?verb=connection.update", { key }));
    expect(audit.body.data).toMatchObject([{ target: id, reason: "quieter" }]);
  });

  test("to a taken name is refused", async () => {
    const { at } = await shop();
    await must(201, at("POST", "", sendgrid));
    await must(201, at("POST", "", oauth2));
    expect((await must(409, at("PATCH", "/crm", { name: "mail" }))).body.errors[0].pointer).toBe("/name");
    await must(404, at("PATCH", "/none", { sandbox: true }));
  });
});

describe("deleting", () => {
  test("frees the name and clears the object; a dry run changes nothing", async () => {
    const forgotten: string[] = [];
    const gate: Deps["gate"] = (name) => ({ ...absentGate, forget: async () => void forgotten.push(name) });
    const { at, tenant } = await shop({ gate });
    const { id } = (await must(201, at("POST", "", sendgrid))).body;
    await must(200, at("DELETE", "/mail?dryRun=true"));
    expect(forgotten).toEqual([]);
    expect((await must(200, at("DELETE", "/mail?reason=moved"))).body.id).toBe(id);
    expect(forgotten).toEqual([`${tenant}/${id}`]);
    for (const ref of ["mail", id]) await must(404, at("GET", `/${ref}`));
    await must(404, at("DELETE", "/mail"));
    expect((await must(201, at("POST", "", sendgrid))).body.id).not.toBe(id);
  });
});

test("a read includes the state of its object", async () => {
  const breaker = { status: "open", until: NOW + 1_000, calls: 0, failed: 0 } as const;
  const view = { breaker, inUse: 2, waiting: 7, nextAt: NOW, token: { obtainedAt: NOW, expiresAt: NOW + 60_000 } };
  const asked: unknown[] = [];
  const gate: Deps["gate"] = () => ({ ...absentGate, read: async (terms) => (asked.push(terms), view) }) satisfies Gate;
  const { at } = await shop({ gate });
  await must(201, at("POST", "", sendgrid));
  expect((await must(200, at("GET", "/mail"))).body.state).toEqual({
    breaker: { ...breaker, until: "2026-11-18T12:00:01.000Z" },
    inUse: 2,
    waiting: 7,
    nextAt: "2026-11-18T12:00:00.000Z",
    token: { obtainedAt: "2026-11-18T12:00:00.000Z", expiresAt: "2026-11-18T12:01:00.000Z" },
  });
  expect(asked).toEqual([
    {
      rate: { calls: 10, perMs: 1_000, burst: 5 },
      concurrency: null,
      breaker: { failureRatio: 0.5, windowMs: 60_000, minimumCalls: 10, openMs: 5_000, halfOpenProbes: 1 },
    },
  ]);
});
