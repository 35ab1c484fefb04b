// Generated from the OpenAPI document: every endpoint without a key, without its scope, and with another tenant's key.
// A new route is covered automatically.
import { beforeAll, describe, expect, test } from "vitest";
import { access, type EndpointId } from "#routes/http/endpoint-access.ts";
import { scopes } from "#services/deps.ts";
import { keyOf, must, tenantWithKey } from "#test/support/api.ts";
import { bodyOf, endpoints } from "#test/support/endpoints.ts";
import { addressIn, oneOfEach, type World } from "#test/support/one-of-each.ts";

const guarded = endpoints.filter(({ isGuarded }) => isGuarded);

/** Endpoints whose path names a tenant's resource. All others only concern the caller's own tenant. */
const ofResources = guarded
  .filter(({ path }) => path.includes("{"))
  // PUT creates a missing resource, so another tenant's key creates its own resource with that name.
  .filter(({ method }) => method !== "PUT");

let made: World["made"];
let owner: World["owner"];
let names: World["names"];

beforeAll(async () => {
  ({ made, owner, names } = await oneOfEach());
});

const addressOf = (path: string): string => addressIn(names, path);

const call = (endpoint: (typeof guarded)[number], key: string | null) =>
  made.ask(endpoint.method, addressOf(endpoint.path), {
    key,
    headers: endpoint.path.endsWith("/live") ? { Upgrade: "websocket" } : {},
    ...(/^(POST|PUT|PATCH)$/.test(endpoint.method) ? { body: bodyOf(endpoint) } : {}),
  });

test("the access table has exactly the guarded endpoints", () => {
  expect(guarded.map((endpoint) => endpoint.operationId).sort()).toEqual(Object.keys(access).sort());
});

test("only health needs no key", () => {
  const open = endpoints.filter(({ isGuarded }) => !isGuarded);
  expect(open.map((endpoint) => endpoint.operationId)).toEqual(["getHealth"]);
});

describe.each(guarded)("$operationId", (endpoint) => {
  test("without a key is 401", async () => {
    const refused = await must(401, call(endpoint, null));
    expect(refused.body.code).toBe("unauthenticated");
    expect(refused.headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
    expect((await must(401, call(endpoint, "esk_made-up"))).body.code).toBe("unauthenticated");
  });

  const { scope } = access[endpoint.operationId as EndpointId];
  test.skipIf(scope === null)("with every scope but its own is 403", async () => {
    const key = await keyOf(
      made,
      owner.tenant,
      scopes.filter((other) => other !== scope),
    );
    const refused = await must(403, call(endpoint, key));
    expect(refused.body).toMatchObject({ code: "scope_missing", details: { scope } });
  });

  test("with a key that names another tenant is 404", async () => {
    const address = addressOf(endpoint.path);
    const other = await tenantWithKey(made);
    const headers = { "X-Tenant": owner.tenant };
    const refused = await must(404, made.ask(endpoint.method, address, { key: other.key, headers }));
    expect(refused.body.code).toBe("not_found");
  });
});

const aboutATenant = guarded.filter(({ operationId }) => access[operationId as EndpointId].tenant);

describe.each(aboutATenant)("$operationId", (endpoint) => {
  test("with the root key that names no tenant is 400", async () => {
    const refused = await must(400, made.ask(endpoint.method, addressOf(endpoint.path)));
    expect(refused.body).toMatchObject({ code: "invalid_input", errors: [{ pointer: "X-Tenant" }] });
  });
});

/** Erasing a subject is repeatable: it also succeeds for a key that has no subject. */
const forgets = ofResources.filter(({ operationId }) => operationId === "eraseSubject");

describe.each(forgets)("$operationId", (endpoint) => {
  test("with another tenant's key erases nothing", async () => {
    const other = await tenantWithKey(made);
    const { body } = await must(200, call(endpoint, other.key));
    expect(body).toMatchObject({ once: [], executions: [] });
    const { status } = await made.ask("GET", addressOf(endpoint.path), { key: owner.key });
    expect(status).toBe(200);
  });
});

test("the root key names a tenant in a header or in the query, and is refused without one", async () => {
  const at = addressOf("/v1/executions/{id}");
  await must(200, made.ask("GET", at, { headers: { "X-Tenant": owner.tenant } }));
  await must(200, made.ask("GET", `${at}?tenant=${owner.tenant}`));
  const refused = await must(400, made.ask("GET", at));
  expect(refused.body).toMatchObject({ errors: [{ pointer: "X-Tenant" }], hint: expect.stringContaining("X-Tenant") });
  expect((await must(404, made.ask("GET", at, { headers: { "X-Tenant": "../x" } }))).body.code).toBe("not_found");
});

test("only the root key creates and lists tenants", async () => {
  const body = { id: "intruder", name: "x" };
  expect((await must(403, made.ask("POST", "/v1/tenants", { key: owner.key, body }))).body.code).toBe("scope_missing");
  expect((await must(403, made.ask("GET", "/v1/tenants", { key: owner.key }))).body.code).toBe("scope_missing");
  expect((await must(200, made.ask("GET", `/v1/tenants/${owner.tenant}`, { key: owner.key }))).body.id).toBe(
    owner.tenant,
  );
});

/** Deletions come last, because the other requests need the resource. */
const deletionsLast = ofResources
  .filter((endpoint) => !forgets.includes(endpoint))
  .toSorted((one, other) => Number(one.method === "DELETE") - Number(other.method === "DELETE"));

describe.each(deletionsLast)("$operationId", (endpoint) => {
  test("with another tenant's key is 404, with all scopes", async () => {
    const other = await tenantWithKey(made);
    const refused = await must(404, call(endpoint, other.key));
    expect(refused.body.code).toBe("not_found");
  });

  test("with the owner's key is found", async () => {
    const { status } = await call(endpoint, owner.key);
    // The caller's own tenant exists, and only the root key may change it.
    const isRoots = /^(change|suspend|resume)Tenant$/.test(endpoint.operationId);
    expect(isRoots ? [403] : [101, 200, 201, 204, 409, 422]).toContain(status);
  });
});
