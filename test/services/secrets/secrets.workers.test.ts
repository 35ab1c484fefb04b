// Secrets behind the API: their stored form, how runs get their values, and key replacement.
import { describe, expect, it } from "vitest";
import { openDb } from "#catalog/db.ts";
import { findSecret } from "#catalog/secrets.ts";
import { render } from "#kernel/language/render.ts";
import type { Json, JsonObject } from "#schema/json.ts";
import type { Result } from "#schema/refusal.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { deleteSecret, setSecret } from "#services/secrets/secrets.ts";
import type { Deps } from "#services/deps.ts";
import { fillTicket } from "#services/actions/fill-ticket.ts";
import { openSecrets } from "#services/secrets/open-secrets.ts";
import { reencryptSecrets } from "#services/secrets/reencrypt-secrets.ts";
import { withTimeLimit } from "#services/time-limit.ts";
import { brokenBinding, callerOf, database, newTenant, root, world } from "#test/support/catalog.ts";
import { naming, namingPattern } from "#test/support/matchers/naming.ts";

const key = (letter: string): string => btoa(letter.repeat(32));
const OLD = `k1:${key("k")}`;
const ROTATED = `k2:${key("n")},${OLD}`;

function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.refusal.message);
  return result.value;
}

function here(over: Partial<Deps> = {}) {
  const deps = world(over);
  const tenant = newTenant();
  const caller = callerOf(tenant);
  const set = async (name: string, value: string, dryRun = false) =>
    valueOf(await setSecret(deps, caller, { name, value, hosts: undefined, dryRun }));
  const fill = (config: JsonObject, as: Partial<Deps> = {}) =>
    fillTicket({ ...deps, ...as }, ticketOf(tenant, config), () => "link");
  return { deps, tenant, caller, set, fill };
}

/** Frozen the way a claim freezes it. */
function ticketOf(tenant: string, config: Json): Ticket {
  const frozen = render(config, { execution: { id: "exe_1" } });
  if (!frozen.ok) throw new Error(frozen.error.message);
  const identity = { execution: "exe_1", run: "1.0", attempt: 1, action: "call", type: "webhook" };
  const rest = { idempotencyKey: "exe_1/1.0", timeoutMs: 1_000, deadlineAt: 1_000, incarnation: 0 };
  return { tenant, ...identity, ...rest, config: frozen.value as JsonObject };
}

describe("a secret", () => {
  it("is stored encrypted, each time with another IV, and counts its versions", async () => {
    const { set, tenant, deps } = here();
    expect(await set("token", "s3cr3t-value")).toMatchObject({ name: "token", version: 1 });
    const first = await findSecret(deps.db, tenant, "token");
    deps.clock.now += 1_000;
    const second = await set("token", "s3cr3t-value");
    expect(second).toMatchObject({ version: 2, createdAt: first?.createdAt, updatedAt: deps.clock.now });
    const row = await findSecret(deps.db, tenant, "token");
    expect(row?.iv).not.toBe(first?.iv);
    expect(row?.ciphertext).not.toBe(first?.ciphertext);
    for (const table of ["secrets", "audit"]) {
      const { results } = await database().prepare(`SELECT * FROM ${table} WHERE tenant = ?`).bind(tenant).all();
      expect(results.length).toBeGreaterThan(0);
      expect(JSON.stringify(results)).not.toContain("s3cr3t");
    }
  });

  it("set by two concurrent requests has two versions", async () => {
    const { set } = here();
    const both = await Promise.all([set("token", "value-1"), set("token", "value-2")]);
    expect(both.map(({ version }) => version).sort()).toEqual([1, 2]);
  });
});

describe("a run", () => {
  const config = {
    url: "https://example.com/{{ secrets.path }}?t={{ secrets.token }}",
    headers: { Authorization: "Bearer {{ secrets.token }}" },
    payload: { list: ["{{ secrets.token }}", 5], $secret: [{ name: "other" }] },
  };

  it("gets the secrets that its config names anywhere, and no others", async () => {
    const { set, fill } = here();
    for (const name of ["path", "token", "other"]) await set(name, `value-of-${name}`);
    expect(await fill(config)).toMatchObject({
      ok: true,
      ticket: {
        config: {
          url: "https://example.com/value-of-path?t=value-of-token",
          headers: { Authorization: "Bearer value-of-token" },
          payload: { list: ["value-of-token", 5], $secret: [{ name: "other" }] },
        },
      },
      secrets: ["value-of-path", "value-of-token"],
    });
  });

  it("whose config names no secret reads none", async () => {
    const { fill } = here({ db: openDb(brokenBinding), secretsKeys: null });
    expect(await fill({ url: "x" })).toMatchObject({ ok: true, secrets: [] });
  });

  it("gets the names that are not set, other tenants' included", async () => {
    const { set } = here();
    await set("token", "of another tenant");
    const { fill, set: setMine } = here();
    const error = { type: "invalid_configuration", retryable: false, details: { missing: ["path", "token"] } };
    expect(await fill(config)).toMatchObject({ error });
    // Setting them is the cure, and works at once.
    await Promise.all([setMine("path", "mine"), setMine("token", "mine")]);
    expect(await fill(config)).toMatchObject({ ok: true });
  });

  it("uses cached secrets for ten minutes while D1 is down", async () => {
    const { set, fill, deps } = here();
    await set("token", "first");
    const one = { url: "{{ secrets.token }}" };
    expect(await fill(one)).toMatchObject({ secrets: ["first"] });
    const down = { db: openDb(brokenBinding) };
    deps.clock.now += 10 * 60_000 - 1;
    expect(await fill(one, down)).toMatchObject({ secrets: ["first"] });
    // One who asks lets the others go on for five seconds.
    deps.clock.now += 5_000;
    const error = { type: "service_unavailable", retryable: true, code: "catalog_unavailable" };
    expect(await fill(one, down)).toMatchObject({ error });
    expect(JSON.stringify(deps.lines)).toContain("token");
    expect(JSON.stringify(deps.lines)).not.toContain("first");
  });

  it("uses a change from another isolate within half a minute, and a change from its own at once", async () => {
    const { set, fill, deps, tenant, caller } = here();
    const one = { url: "{{ secrets.token }}" };
    await set("token", "first");
    await fill(one);
    await set("token", "second");
    expect(await fill(one)).toMatchObject({ secrets: ["second"] });
    await database().prepare("DELETE FROM secrets WHERE tenant = ?").bind(tenant).run();
    deps.clock.now += 29_999;
    expect(await fill(one)).toMatchObject({ secrets: ["second"] });
    deps.clock.now += 1;
    expect(await fill(one)).toMatchObject({ error: { details: { missing: ["token"] } } });
    await set("token", "third");
    await fill(one);
    valueOf(await deleteSecret(deps, caller, { name: "token", reason: null, dryRun: false }));
    expect(await fill(one)).toMatchObject({ ok: false });
  });

  it.each<[Partial<Deps>, values: string[], logged: string[]]>([
    [{ secretsKeys: null }, [], []],
    [{ secretsKeys: `k2:${key("n")}` }, ["token", '"k1"', "SECRETS_KEYS"], ["key_missing"]],
    [{ secretsKeys: `k1:${key("z")}` }, ["token"], ["damaged"]],
  ])("may be tried again where the installation cannot open them: %j", async (over, values, logged) => {
    const { set, fill, deps } = here();
    await set("token", "value");
    const error = { type: "service_unavailable", message: naming(...values), retryable: true };
    expect(await fill({ url: "{{ secrets.token }}" }, over)).toMatchObject({ error });
    expect(deps.lines).toMatchObject(logged.map((reason) => ({ name: "token", reason })));
  });

  it("cannot decrypt a row copied from another tenant", async () => {
    const { set, tenant } = here();
    await set("token", "theirs");
    const { fill, tenant: thief, deps } = here();
    await database().prepare("UPDATE secrets SET tenant = ? WHERE tenant = ?").bind(thief, tenant).run();
    expect(await fill({ url: "{{ secrets.token }}" })).toMatchObject({ error: { code: "secrets_unreadable" } });
    expect(await openSecrets(deps, thief, [])).toEqual({ ok: true, values: {}, bounds: [], setAt: 0 });
  });

  it("does not wait for a stalled D1", async () => {
    await expect(withTimeLimit(5, new Promise(() => {}))).rejects.toThrow(namingPattern(5));
    expect(await withTimeLimit(5_000, Promise.resolve("in time"))).toBe("in time");
  });
});

describe("a new key", () => {
  const names = ["a", "b", "c", "d", "e"];
  const all = { cursor: null, limit: 50, dryRun: false };

  it("re-encrypts page by page; a second pass changes nothing", async () => {
    const { deps, set, caller, tenant, fill } = here();
    for (const name of names) await set(name, `value-${name}`);
    const rotated = { ...deps, secretsKeys: ROTATED };
    const dry = valueOf(await reencryptSecrets(rotated, caller, { ...all, dryRun: true }));
    expect(dry).toEqual({ keyId: "k2", reencrypted: 5, remaining: 0, unreadable: [], nextCursor: null });
    expect((await findSecret(deps.db, tenant, "a"))?.keyId).toBe("k1");
    const first = valueOf(await reencryptSecrets(rotated, caller, { ...all, limit: 3 }));
    expect(first).toMatchObject({ reencrypted: 3, remaining: 2 });
    const next = valueOf(await reencryptSecrets(rotated, caller, { ...all, cursor: first.nextCursor, limit: 3 }));
    expect(next).toMatchObject({ reencrypted: 2, remaining: 0, nextCursor: null });
    expect(valueOf(await reencryptSecrets(rotated, caller, all))).toMatchObject({ reencrypted: 0, remaining: 0 });
    expect(await findSecret(deps.db, tenant, "e")).toMatchObject({ keyId: "k2", version: 1 });
    expect(await fill({ url: "{{ secrets.e }}" }, { secretsKeys: `k2:${key("n")}` })).toMatchObject({ ok: true });
    const audit = await database()
      .prepare("SELECT * FROM audit WHERE tenant = ? AND verb = 'secret.reencrypt'")
      .bind(tenant)
      .all();
    expect(audit.results).toHaveLength(2);
    expect(JSON.stringify(audit.results)).not.toContain("value-");
  });

  it("leaves and reports secrets that no key of the ring decrypts, and continues after them", async () => {
    const { deps, set, caller, tenant } = here();
    for (const name of names) await set(name, "value");
    const lost = { ...deps, secretsKeys: `k2:${key("n")}` };
    const page = valueOf(await reencryptSecrets(lost, caller, { ...all, limit: 2 }));
    expect(page).toMatchObject({ reencrypted: 0, remaining: 5, unreadable: [{ tenant, name: "a", keyId: "k1" }, {}] });
    expect(page.nextCursor).not.toBeNull();
    const last = await reencryptSecrets(lost, caller, { ...all, cursor: page.nextCursor });
    expect(last).toMatchObject({ value: { unreadable: { length: 3 }, nextCursor: null } });
  });

  it("the root key re-encrypts all tenants, a tenant's key only its own", async () => {
    const [one, other] = [here(), here()];
    await one.set("a", "value");
    await other.set("b", "value");
    const rotated = { ...one.deps, secretsKeys: ROTATED };
    await reencryptSecrets(rotated, one.caller, all);
    expect((await findSecret(one.deps.db, one.tenant, "a"))?.keyId).toBe("k2");
    expect((await findSecret(one.deps.db, other.tenant, "b"))?.keyId).toBe("k1");
    const page = valueOf(await reencryptSecrets(rotated, root, { ...all, limit: 200 }));
    expect(page.nextCursor).toBeNull();
    expect((await findSecret(one.deps.db, other.tenant, "b"))?.keyId).toBe("k2");
  });

  it("a value set meanwhile is unchanged", async () => {
    const { deps, set, caller, tenant, fill } = here();
    await set("a", "old-value");
    const meanwhile = { ...deps, secretsKeys: ROTATED, randomBytes: deps.randomBytes };
    let raced = false;
    const db = new Proxy(deps.db, {
      get: (target, name) => {
        if (name !== "batch" || raced) return Reflect.get(target, name) as unknown;
        raced = true;
        return async (...statements: Parameters<typeof target.batch>) => {
          await set("a", "new-value");
          return target.batch(...statements);
        };
      },
    });
    const done = valueOf(await reencryptSecrets({ ...meanwhile, db }, caller, all));
    expect(done).toMatchObject({ reencrypted: 0, remaining: 1 });
    expect(await findSecret(deps.db, tenant, "a")).toMatchObject({ version: 2, keyId: "k1" });
    expect(await fill({ url: "{{ secrets.a }}" })).toMatchObject({ secrets: ["new-value"] });
  });

  it("needs a keyring, and one of its own cursors", async () => {
    const { deps, caller } = here();
    const unset = await reencryptSecrets({ ...deps, secretsKeys: null }, caller, all);
    expect(unset).toMatchObject({ refusal: { code: "not_configured" } });
    const strange = await reencryptSecrets(deps, caller, { ...all, cursor: "zzz" });
    expect(strange).toMatchObject({ refusal: { code: "invalid_input" } });
  });
});
