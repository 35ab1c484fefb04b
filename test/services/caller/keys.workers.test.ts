// Tenants and API keys: who may create them, which parts are stored, and how long isolates cache them.
import { expect, it } from "vitest";
import { openDb } from "#catalog/db.ts";
import { listAudit } from "#catalog/audit.ts";
import type { Result } from "#schema/refusal.ts";
import { authenticate } from "#services/caller/authenticate.ts";
import { createKey, listKeys, revokeKey } from "#services/caller/keys.ts";
import { createTenant, getTenant, listTenants } from "#services/caller/tenants.ts";
import { brokenBinding, callerOf, database, newTenant, NOW, root, ROOT_KEY, world } from "#test/support/catalog.ts";

const key = { name: "deploys", scopes: ["read", "write"], expiresAt: null, dryRun: false } as const;

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value;
}

const UNKNOWN = `esk_${"x".repeat(43)}`;

/** Why a key is refused; all have the same code. */
async function refusalOf(deps: Parameters<typeof authenticate>[0], secret: string): Promise<string> {
  const refused = await authenticate(deps, secret);
  expect(refused).toMatchObject({ ok: false, refusal: { code: "unauthenticated" } });
  return refused.ok ? "" : refused.refusal.message;
}

async function tenantWithKey(over: Partial<Parameters<typeof createKey>[2]> = {}) {
  const deps = world();
  const tenant = newTenant();
  await createTenant(deps, root, { id: tenant, name: "Acme", retentionDays: null, dryRun: false });
  const created = valueOf(await createKey(deps, { ...root, tenant }, { ...key, ...over }));
  return { deps, tenant, id: created.key.id, secret: created.secret ?? "" };
}

it("a new key authenticates its tenant with its scopes, and only its hash is stored", async () => {
  const { deps, tenant, id, secret } = await tenantWithKey();
  expect(secret).toMatch(/^esk_[\w-]{43}$/);
  expect(await authenticate(deps, secret)).toEqual({
    ok: true,
    value: { actor: { kind: "key", id }, tenant, scopes: ["read", "write"] },
  });
  const { results } = await database().prepare("SELECT * FROM keys WHERE tenant = ?").bind(tenant).all();
  expect(JSON.stringify(results)).not.toContain(secret);
  expect(JSON.stringify(await listKeys(deps, callerOf(tenant), { cursor: null, limit: 9 }))).not.toContain("hash");
});

it.each([
  [["read"], ["read", "payloads"]],
  [["tasks"], ["tasks"]],
] as const)("a key with %j that is older than the scope payloads has %j", async (stored, scopes) => {
  const { deps, tenant, secret } = await tenantWithKey({ scopes: stored });
  await database().prepare("UPDATE keys SET exact_scopes = NULL WHERE tenant = ?").bind(tenant).run();
  expect(await authenticate(deps, secret)).toMatchObject({ value: { scopes } });
  expect(await listKeys(deps, callerOf(tenant), { cursor: null, limit: 9 })).toMatchObject({
    value: { data: [{ scopes }] },
  });
});

it("a key of a person authenticates that person", async () => {
  const { deps, tenant, id, secret } = await tenantWithKey({ actor: "ada@example.com" });
  expect(await authenticate(deps, secret)).toMatchObject({
    value: { actor: { kind: "key", id, person: "ada@example.com" } },
  });
  const audit = valueOf(await listAudit(deps.db, tenant, { verb: "key.create" }, null, 9));
  expect(JSON.parse(audit.data[0]?.details ?? "")).toMatchObject({ actor: "ada@example.com", scopes: key.scopes });
});

it("the root key is a caller without a tenant and with every scope", async () => {
  const caller = valueOf(await authenticate(world(), ROOT_KEY));
  expect(caller).toMatchObject({
    actor: { kind: "root" },
    tenant: null,
    scopes: ["read", "payloads", "write", "tasks", "operate", "admin"],
  });
});

it("without a root key in the installation no key is root", async () => {
  expect(await authenticate(world({ rootKey: "" }), "")).toMatchObject({ refusal: { code: "unauthenticated" } });
});

it.each([null, "", "esk_unknown", "x".repeat(600)])("the key %s is refused", async (bearer) => {
  expect(await authenticate(world(), bearer)).toMatchObject({ ok: false, refusal: { code: "unauthenticated" } });
});

it("a revoked key is refused at once in the revoking isolate, and keeps the first instant", async () => {
  const { deps, tenant, id, secret } = await tenantWithKey();
  await authenticate(deps, secret);
  const input = { id, reason: "leaked", dryRun: false };
  expect(await revokeKey(deps, callerOf(tenant), { ...input, dryRun: true })).toMatchObject({ ok: true });
  expect(await authenticate(deps, secret)).toMatchObject({ ok: true });
  await revokeKey(deps, callerOf(tenant), input);
  deps.clock.now += 5;
  expect(await revokeKey(deps, callerOf(tenant), input)).toMatchObject({ value: { revokedAt: NOW } });
  expect(await refusalOf(deps, secret)).not.toBe(await refusalOf(deps, UNKNOWN));
  const audit = await listAudit(deps.db, tenant, { verb: "key.revoke" }, null, 9);
  expect(valueOf(audit).data).toMatchObject([{ target: id, reason: "leaked", actor: "key:key_test" }]);
});

it("a key revoked in another isolate is refused within half a minute", async () => {
  const { deps, tenant, secret } = await tenantWithKey();
  await authenticate(deps, secret);
  await database().prepare("UPDATE keys SET revoked_at = 1 WHERE tenant = ?").bind(tenant).run();
  deps.clock.now += 29_000;
  expect(await authenticate(deps, secret)).toMatchObject({ ok: true });
  deps.clock.now += 1_000;
  expect(await authenticate(deps, secret)).toMatchObject({ ok: false });
});

it("a key is refused from the instant of its expiry, cached or not", async () => {
  const { deps, secret } = await tenantWithKey({ expiresAt: NOW + 1_000 });
  deps.clock.now += 999;
  expect(await authenticate(deps, secret)).toMatchObject({ ok: true });
  deps.clock.now += 1;
  const expired = await refusalOf(deps, secret);
  const revoked = await tenantWithKey();
  await revokeKey(revoked.deps, callerOf(revoked.tenant), { id: revoked.id, reason: null, dryRun: false });
  const others = [await refusalOf(deps, UNKNOWN), await refusalOf(revoked.deps, revoked.secret)];
  expect(new Set([expired, ...others]).size).toBe(3);
});

it("with D1 down a cached key works for ten minutes, and an uncached one is refused as unavailable", async () => {
  const { deps, secret } = await tenantWithKey();
  const down = { ...deps, db: openDb(brokenBinding) };
  expect(await authenticate(down, secret)).toMatchObject({ refusal: { code: "unavailable" } });
  await authenticate(deps, secret);
  for (const elapsed of [60_000, 300_000, 239_999]) {
    deps.clock.now += elapsed;
    expect(await authenticate(down, secret)).toMatchObject({ ok: true });
  }
  deps.clock.now += 10_000;
  expect(await authenticate(down, secret)).toMatchObject({ refusal: { code: "unavailable" } });
});

it("while one request refreshes a key, other requests use the cached one", async () => {
  const { deps, secret } = await tenantWithKey();
  await authenticate(deps, secret);
  deps.clock.now += 31_000;
  const stalled = { ...brokenBinding, prepare: () => new Proxy({}, stalledStatement) } as unknown as D1Database;
  void authenticate({ ...deps, db: openDb(stalled) }, secret);
  expect(await authenticate({ ...deps, db: openDb(brokenBinding) }, secret)).toMatchObject({ ok: true });
});
const never = new Promise(() => {});
const stalledStatement: ProxyHandler<object> = { get: (_, name) => (name === "then" ? undefined : () => never) };

it("an unknown key is looked up once in five seconds", async () => {
  const deps = world();
  expect(await authenticate(deps, "esk_nobody")).toMatchObject({ refusal: { code: "unauthenticated" } });
  const down = { ...deps, db: openDb(brokenBinding) };
  expect(await authenticate(down, "esk_nobody")).toMatchObject({ refusal: { code: "unauthenticated" } });
  deps.clock.now += 5_000;
  expect(await authenticate(down, "esk_nobody")).toMatchObject({ refusal: { code: "unavailable" } });
});

it("a key needs an existing tenant and an expiry in the future", async () => {
  const { deps, tenant } = await tenantWithKey();
  expect(await createKey(deps, { ...root, tenant: "nobody" }, key)).toMatchObject({ refusal: { code: "not_found" } });
  const past = { ...key, expiresAt: NOW };
  expect(await createKey(deps, callerOf(tenant), past)).toMatchObject({
    refusal: { errors: [{ pointer: "/expiresAt" }] },
  });
  expect(await createKey(deps, callerOf(tenant), { ...key, dryRun: true })).toMatchObject({ value: { secret: null } });
  expect(valueOf(await listKeys(deps, callerOf(tenant), { cursor: null, limit: 9 })).data).toHaveLength(1);
});

it("another tenant can neither see nor revoke a key", async () => {
  const { deps, id, secret } = await tenantWithKey();
  const other = callerOf(newTenant());
  expect(await revokeKey(deps, other, { id, reason: null, dryRun: false })).toMatchObject({
    refusal: { code: "not_found" },
  });
  expect(valueOf(await listKeys(deps, other, { cursor: null, limit: 9 })).data).toEqual([]);
  expect(await authenticate(deps, secret)).toMatchObject({ ok: true });
});

it("keys are listed newest first, page by page", async () => {
  const { deps, tenant, id } = await tenantWithKey();
  deps.clock.now += 1;
  const second = valueOf(await createKey(deps, callerOf(tenant), key)).key.id;
  const first = valueOf(await listKeys(deps, callerOf(tenant), { cursor: null, limit: 1 }));
  expect(first.data.map((shown) => shown.id)).toEqual([second]);
  const next = valueOf(await listKeys(deps, callerOf(tenant), { cursor: first.nextCursor, limit: 1 }));
  expect([next.data.map((shown) => shown.id), next.nextCursor]).toEqual([[id], null]);
});

it("only the root key creates and lists tenants; a tenant can read itself", async () => {
  const { deps, tenant } = await tenantWithKey();
  const mine = callerOf(tenant);
  const input = { id: tenant, name: "again", retentionDays: 7, dryRun: false };
  expect(await createTenant(deps, mine, input)).toMatchObject({ refusal: { code: "scope_missing" } });
  expect(await createTenant(deps, root, input)).toMatchObject({ refusal: { code: "already_exists" } });
  expect(await listTenants(deps, mine, { cursor: null, limit: 9 })).toMatchObject({
    refusal: { code: "scope_missing" },
  });
  expect(await listTenants(deps, root, { cursor: null, limit: 9 })).toMatchObject({ ok: true });
  expect(await getTenant(deps, mine, { id: tenant })).toMatchObject({ value: { id: tenant, retentionDays: 90 } });
  expect(await getTenant(deps, root, { id: tenant })).toMatchObject({ ok: true });
  expect(await getTenant(deps, callerOf(newTenant()), { id: tenant })).toMatchObject({
    refusal: { code: "not_found" },
  });
  const dry = { ...input, id: newTenant(), dryRun: true };
  expect(await createTenant(deps, root, dry)).toMatchObject({ value: { id: dry.id, retentionDays: 7 } });
  expect(await getTenant(deps, root, { id: dry.id })).toMatchObject({ ok: false });
});
