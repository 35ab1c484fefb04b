// Tests who may call with a session or a short-lived token, and what GET /v1/me answers.
import { beforeEach, expect, test } from "vitest";
import { lengthMs } from "#schema/definition/duration-text.ts";
import { sessionLifetime, tokenLifetime } from "#schema/limits/sessions.ts";
import { api, keyOf, must, shop, tenantWithKey } from "#test/support/api.ts";
import { NOW, ROOT_KEY } from "#test/support/catalog.ts";

let now = NOW;
const made = api({ now: () => now });

beforeEach(() => {
  now = NOW;
});

async function signedIn(url = "https://api.test") {
  const owner = await tenantWithKey(made, ["read", "write", "admin"]);
  const response = await made.fetch(`${url}/v1/sessions`, {
    method: "POST",
    headers: { Authorization: `Bearer ${owner.key}` },
  });
  const set = response.headers.get("Set-Cookie") ?? "";
  const [cookie = ""] = set.split(";");
  const session: { id: string } = await response.json();
  const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: object) =>
    made.ask(method, path, { key: null, headers: { Cookie: cookie, ...headers }, ...(body ? { body } : {}) });
  return { ...owner, status: response.status, set, cookie, session, ask };
}

test("GET /v1/me describes a key, its tenant and its quotas", async () => {
  const { tenant, key } = await tenantWithKey(made, ["tasks"]);
  expect((await must(200, made.ask("GET", "/v1/me", { key }))).body).toMatchObject({
    caller: { kind: "key", name: "test", via: "key", session: null, execution: null, expiresAt: null },
    tenant: { id: tenant, suspended: null, limits: { keys: expect.any(Number) } },
    scopes: ["tasks"],
    serverTime: expect.any(String),
  });
});

test("GET /v1/me describes the root key without and with a tenant", async () => {
  expect((await must(200, made.ask("GET", "/v1/me"))).body).toMatchObject({ caller: { kind: "root" }, tenant: null });
  const { tenant } = await tenantWithKey(made);
  const named = await must(200, made.ask("GET", "/v1/me", { headers: { "X-Tenant": tenant } }));
  expect(named.body.tenant.id).toBe(tenant);
});

test("a session acts as its key, from the engine's own pages only", async () => {
  const { status, set, session, tenant, ask } = await signedIn();
  expect([status, set]).toEqual([201, expect.stringMatching(/^__Host-escapement=ess_[\w-]{43};/)]);
  for (const flag of ["HttpOnly", "Secure", "SameSite=Strict", "Path=/"]) expect(set).toContain(flag);
  const me = await must(200, ask("GET", "/v1/me"));
  expect(me.body).toMatchObject({ caller: { via: "session", session: session.id }, tenant: { id: tenant } });
  const template = { name: "welcome", text: "Welcome" };
  await must(201, ask("POST", "/v1/templates", { Origin: "https://api.test" }, template));
  await must(403, ask("POST", "/v1/templates", {}, template));
  await must(403, ask("POST", "/v1/templates", { Origin: "https://other.test" }, template));
  const other = await must(403, ask("GET", "/v1/templates", { "Sec-Fetch-Site": "cross-site" }));
  expect(other.body.code).toBe("origin_not_allowed");
  await must(200, ask("GET", "/v1/templates", { "Sec-Fetch-Site": "same-origin" }));
  await must(403, ask("GET", "/v1/executions/exe_1/live", { Upgrade: "websocket" }));
});

test("over plain HTTP, the cookie has no prefix that browsers refuse there", async () => {
  const { set, cookie } = await signedIn("http://localhost:8787");
  expect([set.includes("Secure"), cookie.startsWith("escapement=")]).toEqual([false, true]);
  const response = await made.fetch("http://localhost:8787/v1/me", { headers: { Cookie: cookie } });
  expect(response.status).toBe(200);
});

test("a session ends when it is ended, and the cookie is deleted", async () => {
  const { ask } = await signedIn();
  const ended = await must(204, ask("DELETE", "/v1/sessions/current", { Origin: "https://api.test" }));
  expect(ended.headers.get("Set-Cookie")).toMatch(/^__Host-escapement=;.*Max-Age=0/);
  expect((await must(401, ask("GET", "/v1/me"))).body.code).toBe("unauthenticated");
});

test("an administrator lists and ends sessions, after a dry run that ends nothing", async () => {
  const { key, session, ask } = await signedIn();
  const listed = await must(200, made.ask("GET", "/v1/sessions", { key }));
  expect(listed.body.data).toEqual([session]);
  await must(200, made.ask("DELETE", `/v1/sessions/${session.id}?dryRun=true`, { key }));
  await must(200, ask("GET", "/v1/me"));
  await must(200, made.ask("DELETE", `/v1/sessions/${session.id}?reason=lost`, { key }));
  await must(401, ask("GET", "/v1/me"));
  await must(404, made.ask("DELETE", `/v1/sessions/${session.id}`, { key }));
  const { body } = await must(200, made.ask("GET", "/v1/audit?verb=session.end", { key }));
  expect(body.data).toMatchObject([{ target: session.id, reason: "lost" }]);
});

test("a session ends with its key", async () => {
  const { key, ask } = await signedIn();
  const { body } = await must(200, ask("GET", "/v1/me"));
  await must(200, made.ask("DELETE", `/v1/keys/${body.caller.id}`, { key }));
  await must(401, ask("GET", "/v1/me"));
});

test("a session expires", async () => {
  const { ask } = await signedIn();
  now += lengthMs(sessionLifetime.default);
  await must(401, ask("GET", "/v1/me"));
});

test("the root key, a session and a token cannot open sessions or issue tokens", async () => {
  const { tenant, ask, key } = await signedIn();
  const issue = { scopes: ["read"] };
  const headers = { "X-Tenant": tenant };
  await must(403, made.ask("POST", "/v1/sessions", { key: ROOT_KEY, headers }));
  await must(403, made.ask("POST", "/v1/tokens", { key: ROOT_KEY, headers, body: issue }));
  await must(403, ask("POST", "/v1/sessions", { Origin: "https://api.test" }));
  const { token } = (await must(201, made.ask("POST", "/v1/tokens", { key, body: issue }))).body;
  await must(403, made.ask("POST", "/v1/sessions", { key: token }));
});

test("a token has at most the scopes of its key, and no others", async () => {
  const { tenant, key } = await tenantWithKey(made, ["read"]);
  const refused = await must(403, made.ask("POST", "/v1/tokens", { key, body: { scopes: ["read", "write"] } }));
  expect(refused.body).toMatchObject({ code: "scope_missing", errors: [{ pointer: "/scopes" }] });
  const { body } = await must(201, made.ask("POST", "/v1/tokens", { key, body: { scopes: ["read"] } }));
  const me = await must(200, made.ask("GET", "/v1/me", { key: body.token }));
  expect(me.body).toMatchObject({ caller: { via: "token", expiresAt: body.expiresAt }, tenant: { id: tenant } });
  const write = made.ask("POST", "/v1/templates", { key: body.token, body: { name: "n", text: "t" } });
  expect((await must(403, write)).body.details).toEqual({ scope: "write" });
});

test("a token for one execution reads that execution only", async () => {
  const owner = await shop(made);
  const start = () => made.ask("POST", "/v1/executions", { key: owner.key, body: { definition: "order" } });
  const [one, two] = [(await must(201, start())).body.execution.id, (await must(201, start())).body.execution.id];
  const body = { scopes: ["read"], execution: one };
  const { token } = (await must(201, made.ask("POST", "/v1/tokens", { key: owner.key, body }))).body;
  const shown = await must(200, made.ask("GET", `/v1/executions/${one}`, { key: token }));
  expect(shown.body.variables).toMatchObject({ hidden: true });
  await must(200, made.ask("GET", `/v1/executions/${one}/journal`, { key: token }));
  await must(403, made.ask("GET", `/v1/executions/${two}`, { key: token }));
  await must(403, made.ask("GET", "/v1/executions", { key: token }));
  await must(200, made.ask("GET", "/v1/me", { key: token }));
});

test("a token ends with its time, with its key, and when one of its characters is changed", async () => {
  const { key } = await tenantWithKey(made, ["read", "admin"]);
  const body = { scopes: ["read"], lifetime: "PT1H" };
  const { token } = (await must(201, made.ask("POST", "/v1/tokens", { key, body }))).body;
  const changed = token.replace(/.(?=\.)/, (letter: string) => (letter === "A" ? "B" : "A"));
  await must(401, made.ask("GET", "/v1/me", { key: changed }));
  const me = await must(200, made.ask("GET", "/v1/me", { key: token }));
  await must(200, made.ask("DELETE", `/v1/keys/${me.body.caller.id}`, { key }));
  await must(401, made.ask("GET", "/v1/me", { key: token }));
  const other = await tenantWithKey(made, ["read"]);
  const late = (await must(201, made.ask("POST", "/v1/tokens", { key: other.key, body }))).body.token;
  now += lengthMs(tokenLifetime.max);
  await must(401, made.ask("GET", "/v1/me", { key: late }));
});

test.each([
  [{ scopes: ["read"], lifetime: "PT2H" }, "/lifetime"],
  [{ scopes: ["read"], lifetime: "soon" }, "/lifetime"],
  [{ scopes: [] }, "/scopes"],
  [{ scopes: ["read", "admin"] }, "/scopes/1"],
  [{ scopes: ["read", "write"], execution: "exe_1" }, "/scopes"],
])("%j is refused", async (body, pointer) => {
  const key = await keyOf(made, (await tenantWithKey(made)).tenant, ["read", "write"]);
  const refused = await must(400, made.ask("POST", "/v1/tokens", { key, body }));
  expect(refused.body).toMatchObject({ code: "invalid_input", errors: [{ pointer }] });
});
