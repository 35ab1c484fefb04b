// Tenants, keys, definitions and the audit log over HTTP.
import { describe, expect, test } from "vitest";
import { quotas } from "#schema/limits/tenants/tenant-quotas.ts";
import { api, must, order, shop, tenantWithKey } from "#test/support/api.ts";
import { database, newTenant } from "#test/support/catalog.ts";
import { naming } from "#test/support/matchers/naming.ts";

describe("tenants", () => {
  test("are created once, listed and read", async () => {
    const { ask } = api();
    const id = newTenant();
    const body = { id, name: "Acme", retentionDays: 30 };
    const created = await must(201, ask("POST", "/v1/tenants", { body }));
    expect(created.body).toEqual({
      ...body,
      createdAt: "2026-11-18T12:00:00.000Z",
      limits: quotas,
      origins: [],
      suspended: null,
    });
    expect((await must(409, ask("POST", "/v1/tenants", { body }))).body.code).toBe("already_exists");
    expect((await must(200, ask("GET", `/v1/tenants/${id}`))).body).toEqual(created.body);
    const listed: unknown[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const from: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const { body: page } = await must(200, ask("GET", `/v1/tenants?limit=200${from}`));
      listed.push(...page.data);
      cursor = page.nextCursor;
    }
    expect(listed).toContainEqual(created.body);
    expect(
      (await must(400, ask("POST", "/v1/tenants", { body: { id: "A/B", name: "x" } }))).body.errors[0].pointer,
    ).toBe("/id");
  });

  test("are not created by a dry run", async () => {
    const { ask } = api();
    const id = newTenant();
    await must(200, ask("POST", "/v1/tenants?dryRun=true", { body: { id, name: "x" } }));
    await must(404, ask("GET", `/v1/tenants/${id}`));
  });

  test("a repeat returns the first response; the same key with another body is refused", async () => {
    const { ask } = api();
    const id = newTenant();
    const headers = { "Idempotency-Key": `make-${id}` };
    const first = await must(201, ask("POST", "/v1/tenants", { body: { id, name: "x" }, headers }));
    const again = await must(201, ask("POST", "/v1/tenants", { body: { name: "x", id }, headers }));
    expect(again.body).toEqual(first.body);
    const other = await must(422, ask("POST", "/v1/tenants", { body: { id, name: "y" }, headers }));
    expect(other.body).toMatchObject({ code: "idempotency_conflict", errors: [{ pointer: "Idempotency-Key" }] });
  });

  test("a refused creation does not use up its Idempotency-Key", async () => {
    const { ask } = api();
    const id = newTenant();
    await must(201, ask("POST", "/v1/tenants", { body: { id, name: "x" } }));
    const headers = { "Idempotency-Key": `again-${id}` };
    await must(409, ask("POST", "/v1/tenants", { body: { id, name: "x" }, headers }));
    await must(201, ask("POST", "/v1/tenants", { body: { id: newTenant(), name: "x" }, headers }));
  });

  test("a repeat during the first request gets 503; a repeat after an abandoned request makes the change", async () => {
    const { ask, world } = api();
    const id = newTenant();
    const key = `held-${id}`;
    await must(201, ask("POST", "/v1/tenants", { body: { id, name: "x" }, headers: { "Idempotency-Key": key } }));
    await database().prepare("UPDATE stored_responses SET status = NULL, body = NULL WHERE key = ?").bind(key).run();
    const ahead = { body: { id, name: "x" }, headers: { "Idempotency-Key": key } };
    const held = await must(503, ask("POST", "/v1/tenants", ahead));
    expect(held.headers.get("Retry-After")).toBe("1");
    world.clock.now += 61_000;
    expect((await must(409, ask("POST", "/v1/tenants", ahead))).body.code).toBe("already_exists");
  });
});

describe("keys", () => {
  test("the secret is returned once, and authenticates", async () => {
    const made = api();
    const { key } = await tenantWithKey(made);
    const body = { name: "checkout", scopes: ["read", "write"], expiresAt: "2026-12-01T00:00:00Z" };
    const created = await must(201, made.ask("POST", "/v1/keys", { key, body }));
    expect(created.body.key).toMatchObject({ name: "checkout", scopes: ["read", "write"], revokedAt: null });
    expect(created.body.key.expiresAt).toBe("2026-12-01T00:00:00.000Z");
    await must(200, made.ask("GET", "/v1/definitions", { key: created.body.secret }));
    const listed = await must(200, made.ask("GET", "/v1/keys", { key }));
    expect(listed.body.data).toContainEqual(created.body.key);
    expect(JSON.stringify(listed.body)).not.toContain(created.body.secret);
  });

  test("a repeat returns the key without its secret, which is not stored", async () => {
    const made = api();
    const { key } = await tenantWithKey(made);
    const ask = { key, body: { name: "n", scopes: ["read"] }, headers: { "Idempotency-Key": "key-1" } };
    const first = await must(201, made.ask("POST", "/v1/keys", ask));
    const again = await must(201, made.ask("POST", "/v1/keys", ask));
    expect(again.body).toMatchObject({ key: first.body.key, secret: null, note: expect.any(String) });
    const { results } = await database().prepare("SELECT * FROM stored_responses").all();
    expect(JSON.stringify(results)).toContain(first.body.key.id);
    expect(JSON.stringify(results)).not.toContain(first.body.secret);
  });

  test("a revoked key is refused at once; a dry run revokes nothing", async () => {
    const made = api();
    const { key } = await tenantWithKey(made);
    const created = await must(201, made.ask("POST", "/v1/keys", { key, body: { name: "n", scopes: ["read"] } }));
    const { key: kept, secret: other } = created.body;
    await must(200, made.ask("DELETE", `/v1/keys/${kept.id}?dryRun=true`, { key }));
    await must(200, made.ask("GET", "/v1/definitions", { key: other }));
    const revoked = await must(200, made.ask("DELETE", `/v1/keys/${kept.id}?reason=lost`, { key }));
    expect(revoked.body.revokedAt).toBe("2026-11-18T12:00:00.000Z");
    expect((await must(401, made.ask("GET", "/v1/definitions", { key: other }))).body.code).toBe("unauthenticated");
    const audit = await must(200, made.ask("GET", `/v1/audit?verb=key.revoke`, { key }));
    expect(audit.body.data).toMatchObject([{ target: kept.id, reason: "lost", at: "2026-11-18T12:00:00.000Z" }]);
  });

  test("unknown scopes are refused, and so is an expiry in the past", async () => {
    const made = api();
    const { key } = await tenantWithKey(made);
    const scope = await must(400, made.ask("POST", "/v1/keys", { key, body: { name: "n", scopes: ["root"] } }));
    expect(scope.body.errors[0].pointer).toBe("/scopes/0");
    const past = { name: "n", scopes: ["read"], expiresAt: "2020-01-01T00:00:00Z" };
    expect((await must(400, made.ask("POST", "/v1/keys", { key, body: past }))).body.errors[0].pointer).toBe(
      "/expiresAt",
    );
  });
});

describe("definitions", () => {
  test("each new content is a new version; the same content is the same version", async () => {
    const made = api();
    const { key } = await tenantWithKey(made);
    const first = await must(201, made.ask("POST", "/v1/definitions", { key, body: order }));
    expect(first.body).toMatchObject({ created: true, dryRun: false, definition: { name: "order", version: 1 } });
    const same = await must(200, made.ask("POST", "/v1/definitions", { key, body: order }));
    expect(same.body).toMatchObject({ created: false, definition: { version: 1 } });
    const body = { ...order, variables: { total: 1 } };
    const dry = await must(200, made.ask("POST", "/v1/definitions?dryRun=true", { key, body }));
    expect(dry.body).toMatchObject({ created: true, dryRun: true, definition: { version: 2 } });
    await must(201, made.ask("POST", "/v1/definitions", { key, body, headers: { "Idempotency-Key": "v2" } }));
    await must(201, made.ask("POST", "/v1/definitions", { key, body, headers: { "Idempotency-Key": "v2" } }));
    const versions = await must(200, made.ask("GET", "/v1/definitions/order/versions", { key }));
    expect(versions.body.data.map((row: { version: number }) => row.version)).toEqual([2, 1]);
    const list = await must(200, made.ask("GET", "/v1/definitions", { key }));
    expect(list.body.data).toMatchObject([{ name: "order", version: 2 }]);
  });

  test("`$schema` is not stored and makes no new version", async () => {
    const made = api();
    const { key } = await tenantWithKey(made);
    await must(201, made.ask("POST", "/v1/definitions", { key, body: order }));
    const body = { $schema: "http://localhost:8787/schemas/definition.json", ...order };
    const same = await must(200, made.ask("POST", "/v1/definitions", { key, body }));
    expect(same.body).toMatchObject({ created: false, definition: { version: 1 } });
    const named = await must(201, made.ask("POST", "/v1/definitions", { key, body: { ...body, name: "named" } }));
    expect(named.body.created).toBe(true);
    const read = await must(200, made.ask("GET", "/v1/definitions/named", { key }));
    expect(read.body.body).not.toHaveProperty("$schema");
    const wrong = await must(422, made.ask("POST", "/v1/definitions", { key, body: { ...body, $schema: 1 } }));
    expect(wrong.body.errors).toMatchObject([{ pointer: "/$schema" }]);
  });

  test("are read by name, by name and version, and by id", async () => {
    const made = api();
    const { key } = await shop(made);
    const byName = await must(200, made.ask("GET", "/v1/definitions/order", { key }));
    expect(byName.body).toMatchObject({ version: 1, archivedAt: null, body: { kind: "machine", initial: "open" } });
    for (const ref of ["order@1", byName.body.id, "order/versions/1"]) {
      expect((await must(200, made.ask("GET", `/v1/definitions/${ref}`, { key }))).body).toEqual(byName.body);
    }
    await must(404, made.ask("GET", "/v1/definitions/order/versions/9", { key }));
    await must(400, made.ask("GET", "/v1/definitions/order/versions/first", { key }));
  });

  test("invalid definitions are refused with pointers; validation reports the same and stores nothing", async () => {
    const made = api();
    const { key } = await tenantWithKey(made);
    const body = { ...order, initial: "opne", retension: "P1D" };
    const refused = await must(422, made.ask("POST", "/v1/definitions", { key, body }));
    expect(refused.body).toMatchObject({
      code: "definition_invalid",
      errors: [{ pointer: "/retension" }, { pointer: "/initial" }],
    });
    const said = await must(200, made.ask("POST", "/v1/definitions/validate", { key, body }));
    expect(said.body).toMatchObject({ valid: false, findings: refused.body.errors });
    const sound = { ...order, actions: order.actions.map((action) => ({ ...action, onExhausted: "pause" })) };
    const fine = await must(200, made.ask("POST", "/v1/definitions/validate", { key, body: sound }));
    expect(fine.body).toEqual({ valid: true, findings: [], warnings: [] });
    const guard = { "<=": [{ var: "message.payload.amount" }, 100] };
    const always = { target: "paid", guard };
    const doubtful = { ...sound, states: { ...order.states, open: { ...order.states.open, on: { paid: always } } } };
    const warned = await must(200, made.ask("POST", "/v1/definitions/validate", { key, body: doubtful }));
    expect(warned.body).toMatchObject({
      valid: true,
      findings: [],
      warnings: [
        {
          severity: "warning",
          pointer: "/states/open/on/paid/guard/<=/0",
          code: "ordering_of_nothing",
          message: naming("message.payload.amount", 0, "<="),
          fix: naming('{ "exists": "message.payload.amount" }'),
        },
      ],
    });
    expect((await must(200, made.ask("GET", "/v1/definitions", { key }))).body.data).toEqual([]);
  });

  test("are archived, and not by a dry run", async () => {
    const made = api();
    const { key } = await shop(made);
    const dry = await must(200, made.ask("POST", "/v1/definitions/order@1/archive?dryRun=true", { key }));
    expect(dry.body).toEqual({ name: "order", archived: 1, dryRun: true });
    const done = await must(200, made.ask("POST", "/v1/definitions/order@1/archive", { key, body: { reason: "old" } }));
    expect(done.body).toEqual({ name: "order", archived: 1, dryRun: false });
    await must(404, made.ask("POST", "/v1/definitions/none/archive", { key }));
  });
});

describe("the root key", () => {
  test("acts for existing tenants only", async () => {
    const { ask } = api();
    const nobody = { headers: { "X-Tenant": newTenant() } };
    expect((await must(404, ask("GET", "/v1/executions", nobody))).body.code).toBe("not_found");
    await must(404, ask("POST", "/v1/definitions", { ...nobody, body: order }));
  });
});
