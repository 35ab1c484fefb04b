// Secrets over HTTP: they are written and never returned.
import { describe, expect, test } from "vitest";
import { openDb } from "#catalog/db.ts";
import { SECRET_BYTES_MAX } from "#schema/limits/outgoing/secret-sizes.ts";
import { api, must, tenantWithKey } from "#test/support/api.ts";
import { brokenBinding, database, SECRETS_KEYS } from "#test/support/catalog.ts";
import { naming } from "#test/support/matchers/naming.ts";

const VALUE = "sk_live_do-not-show";

async function here(...over: Parameters<typeof api>) {
  const made = api(...over);
  const owner = await tenantWithKey(made);
  const ask = (method: string, path: string, body?: unknown, headers = {}) =>
    made.ask(method, path, { key: owner.key, headers, ...(body === undefined ? {} : { body }) });
  const put = (raw: string) =>
    made.ask("PUT", "/v1/secrets/token", { key: owner.key, raw, headers: { "Content-Type": "application/json" } });
  return { ...made, ...owner, ask, put };
}

describe("secrets", () => {
  test("are set, listed by name, and set again as a new version; no response contains a value", async () => {
    const { ask, world } = await here();
    const at = "2026-11-18T12:00:00.000Z";
    const first = await must(200, ask("PUT", "/v1/secrets/crm_api_token", { value: VALUE }));
    expect(first.body).toEqual({
      name: "crm_api_token",
      version: 1,
      hosts: null,
      createdAt: at,
      updatedAt: at,
      dryRun: false,
    });
    world.clock.now += 60_000;
    const second = await must(200, ask("PUT", "/v1/secrets/crm_api_token", { value: VALUE }));
    expect(second.body).toMatchObject({ version: 2, createdAt: at, updatedAt: "2026-11-18T12:01:00.000Z" });
    await must(200, ask("PUT", "/v1/secrets/A-1", { value: "other-value" }));
    const listed = await must(200, ask("GET", "/v1/secrets?limit=1"));
    expect(listed.body.data).toMatchObject([{ name: "A-1", version: 1 }]);
    const rest = await must(200, ask("GET", `/v1/secrets?cursor=${listed.body.nextCursor}`));
    const { dryRun: _, ...shown } = second.body;
    expect(rest.body).toEqual({ data: [shown], nextCursor: null });
    const audit = await must(200, ask("GET", "/v1/audit?target=crm_api_token"));
    expect(audit.body.data.map(({ verb }: { verb: string }) => verb)).toEqual(["secret.set", "secret.set"]);
    const said = JSON.stringify(
      [first, second, listed, rest, audit, world.lines].map((one) => ("body" in one ? one.body : one)),
    );
    expect(said).not.toContain("do-not-show");
  });

  test("are not set by a dry run, which returns the result", async () => {
    const { ask } = await here();
    const dry = await must(200, ask("PUT", "/v1/secrets/token?dryRun=true", { value: VALUE }));
    expect(dry.body).toMatchObject({ version: 1, dryRun: true });
    expect((await must(200, ask("GET", "/v1/secrets"))).body.data).toEqual([]);
    await must(200, ask("PUT", "/v1/secrets/token", { value: VALUE }));
    expect((await must(200, ask("PUT", "/v1/secrets/token?dryRun=true", { value: VALUE }))).body.version).toBe(2);
  });

  test("are deleted once, and not by a dry run", async () => {
    const { ask } = await here();
    await must(200, ask("PUT", "/v1/secrets/token", { value: VALUE }));
    expect((await must(200, ask("DELETE", "/v1/secrets/token?dryRun=true"))).body).toMatchObject({ dryRun: true });
    const gone = await must(200, ask("DELETE", "/v1/secrets/token?reason=leaked"));
    expect(gone.body).toMatchObject({ name: "token", version: 1, dryRun: false });
    const again = await must(404, ask("DELETE", "/v1/secrets/token"));
    expect(again.body).toMatchObject({ code: "not_found", detail: naming("token") });
    const audit = await must(200, ask("GET", "/v1/audit?verb=secret.delete"));
    expect(audit.body.data).toMatchObject([{ target: "token", reason: "leaked" }]);
  });

  test("belong to their tenant: the same name is a different secret of another tenant", async () => {
    const made = await here();
    await must(200, made.ask("PUT", "/v1/secrets/token", { value: VALUE }));
    const other = await tenantWithKey(api());
    const theirs = (method: string, path: string, body?: unknown) =>
      api().ask(method, path, { key: other.key, ...(body === undefined ? {} : { body }) });
    expect((await must(200, theirs("GET", "/v1/secrets"))).body.data).toEqual([]);
    await must(404, theirs("DELETE", "/v1/secrets/token"));
    expect((await must(200, theirs("PUT", "/v1/secrets/token", { value: "theirs" }))).body.version).toBe(1);
    expect((await must(200, made.ask("GET", "/v1/secrets"))).body.data).toMatchObject([{ version: 1 }]);
  });

  test("a name is any that templates accept, also 'reencrypt'", async () => {
    const { ask } = await here();
    await must(200, ask("PUT", "/v1/secrets/reencrypt", { value: VALUE }));
    await must(200, ask("DELETE", "/v1/secrets/reencrypt"));
  });
});

describe("a secret is refused", () => {
  test.each<[string, unknown, number, string, string]>([
    ["token", {}, 400, "invalid_input", "/value"],
    ["token", { value: 12345678 }, 400, "invalid_input", "/value"],
    ["token", { value: "abc" }, 400, "invalid_input", "/value"],
    ["token", { valeu: VALUE }, 400, "invalid_input", "/value"],
    ["token", { value: VALUE, name: "x" }, 400, "invalid_input", "/name"],
    ["token", VALUE, 400, "invalid_input", ""],
    ["1token", { value: VALUE }, 400, "invalid_input", "{name}"],
    ["a.b", { value: VALUE }, 400, "invalid_input", "{name}"],
    ["x".repeat(101), { value: VALUE }, 400, "invalid_input", "{name}"],
    ["token", { value: `${VALUE}${"€".repeat(6_000)}` }, 422, "limit_exceeded", "/value"],
  ])("as %s: %.60j", async (name, body, status, code, pointer) => {
    const { ask } = await here();
    const refused = await must(status, ask("PUT", `/v1/secrets/${name}`, body));
    expect(refused.body).toMatchObject({ code });
    expect(refused.body.errors.map((found: { pointer: string }) => found.pointer)).toContain(pointer);
    expect(JSON.stringify(refused.body)).not.toMatch(/do-not-show|12345678/);
    expect((await must(200, ask("GET", "/v1/secrets"))).body.data).toEqual([]);
  });

  test("with its size and the limit", async () => {
    const { ask } = await here();
    const value = "x".repeat(SECRET_BYTES_MAX + 1);
    const refused = await must(422, ask("PUT", "/v1/secrets/token", { value }));
    expect(refused.body.details).toEqual({ field: "value", size: 16_385, limit: 16_384 });
    await must(200, ask("PUT", "/v1/secrets/token", { value: value.slice(1) }));
  });

  test("when the body is not JSON, without repeating the body", async () => {
    const made = await here();
    const refused = await must(400, made.put(`{"value": "${VALUE}" "x"`));
    expect(refused.body.code).toBe("malformed_json");
    expect(JSON.stringify([refused.body, made.world.lines])).not.toContain("do-not-show");
  });

  test.each([null, "", "k1:short"])(
    "where the keyring is %j, and the answer says how to set it",
    async (secretsKeys) => {
      const { ask } = await here({ secretsKeys });
      for (const dryRun of ["", "?dryRun=true"]) {
        const refused = await must(501, ask("PUT", `/v1/secrets/token${dryRun}`, { value: VALUE }));
        expect(refused.body).toMatchObject({ code: "not_configured", retryable: false });
        expect(refused.body.hint).toContain("wrangler secret put SECRETS_KEYS");
        expect(refused.headers.get("Retry-After")).toBeNull();
      }
      expect((await must(501, ask("POST", "/v1/secrets/reencrypt"))).body.code).toBe("not_configured");
    },
  );

  test("while the catalog is down, and its value is not logged", async () => {
    const made = await here();
    const down = api({ db: openDb(brokenBinding) });
    const refused = await must(503, down.ask("PUT", "/v1/secrets/token", { key: made.key, body: { value: VALUE } }));
    expect(refused.body.code).toBe("unavailable");
    expect(JSON.stringify([refused.body, down.world.lines])).not.toContain("do-not-show");
  });
});

describe("re-encrypting", () => {
  test("is paginated, for one tenant or all, and repeats its response for the same key", async () => {
    const made = await here();
    await must(200, made.ask("PUT", "/v1/secrets/a", { value: VALUE }));
    await must(200, made.ask("PUT", "/v1/secrets/b", { value: VALUE }));
    const rotated = api({ secretsKeys: `k2:${btoa("n".repeat(32))},${SECRETS_KEYS}` });
    const path = "/v1/secrets/reencrypt";
    const dry = await must(200, rotated.ask("POST", `${path}?dryRun=true`, { key: made.key }));
    const nothing = { keyId: "k2", unreadable: [], nextCursor: null };
    expect(dry.body).toEqual({ ...nothing, reencrypted: 2, remaining: 0, dryRun: true });
    const headers = { "Idempotency-Key": "rotate-1" };
    const first = await must(200, rotated.ask("POST", `${path}?limit=1`, { key: made.key, headers }));
    expect(first.body).toMatchObject({ reencrypted: 1, remaining: 1 });
    const repeat = await must(200, rotated.ask("POST", `${path}?limit=1`, { key: made.key, headers }));
    expect(repeat.body).toEqual(first.body);
    for (let cursor: string | null = ""; cursor !== null;) {
      const from: string = cursor === "" ? "" : `?cursor=${cursor}`;
      cursor = (await must(200, rotated.ask("POST", `${path}${from}`))).body.nextCursor;
    }
    const done = await must(200, rotated.ask("POST", path, { key: made.key }));
    expect(done.body).toEqual({ ...nothing, reencrypted: 0, remaining: 0, dryRun: false });
    for (const table of ["secrets", "stored_responses", "audit"]) {
      const { results } = await database().prepare(`SELECT * FROM ${table}`).all();
      expect(results.length, table).toBeGreaterThan(0);
      expect(JSON.stringify(results)).not.toContain("do-not-show");
    }
    expect((await must(400, rotated.ask("POST", `${path}?cursor=zzz`))).body.code).toBe("invalid_input");
  });
});
