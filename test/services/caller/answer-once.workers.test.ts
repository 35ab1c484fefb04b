// Changes with an Idempotency-Key are made once, even if answers or D1 fail, and however often a request is repeated.
import { expect, it } from "vitest";
import { openDb } from "#catalog/db.ts";
import { listKeys } from "#catalog/keys.ts";
import { insertTenant } from "#catalog/tenants.ts";
import { answerOnce } from "#services/caller/stored-responses.ts";
import { createKey, type CreatedKey } from "#services/caller/keys.ts";
import { auditRow } from "#services/audit/audit.ts";
import { RESPONSE_RESERVED_MS } from "#schema/limits/executions.ts";
import { refuse, type Result } from "#schema/refusal.ts";
import type { Deps } from "#services/deps.ts";
import { callerOf, catalog, database, newTenant, world, type World } from "#test/support/catalog.ts";

const lost = (): never => {
  throw new Error("D1_ERROR: Network connection lost.");
};

type Fault = "before" | "after" | null;
/** What D1 does with the next changes: with batches that hold a key, and with single statements on reservations. */
type Trouble = { change: Fault; keep: boolean; release: boolean };

/** D1 that loses what it is asked, or what it answers. */
function troubled(trouble: Trouble): D1Database {
  const real = database();
  const sqlOf = new WeakMap<object, string>();
  const isChange = (statements: readonly object[]): boolean =>
    statements.some((each) => (sqlOf.get(each) ?? "").startsWith('insert into "keys"'));
  const failing = (sql: string): boolean =>
    (trouble.keep && sql.startsWith('update "stored_responses"')) ||
    (trouble.release && sql.startsWith('delete from "stored_responses"'));
  const spelled = (statement: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const made = new Proxy(statement, {
      get: (target, name) => {
        if (name === "bind") return (...values: unknown[]) => spelled(target.bind(...values), sql);
        if (failing(sql) && ["run", "all", "raw", "first"].includes(String(name))) return async () => lost();
        const member = Reflect.get(target, name) as unknown;
        return typeof member === "function" ? (member.bind(target) as unknown) : member;
      },
    });
    sqlOf.set(made, sql);
    plain.set(made, statement);
    return made;
  };
  const plain = new WeakMap<object, D1PreparedStatement>();
  return {
    prepare: (sql: string) => spelled(real.prepare(sql), sql),
    batch: async (statements: D1PreparedStatement[]) => {
      const fault = isChange(statements) ? trouble.change : null;
      if (fault === "before") lost();
      const results = await real.batch(statements.map((each) => plain.get(each) ?? each));
      if (fault === "after") lost();
      return results;
    },
  } as unknown as D1Database; // all that is asked for here
}

type Shop = {
  readonly deps: World;
  readonly trouble: Trouble;
  readonly tenant: string;
  readonly keys: () => Promise<number>;
  readonly ask: (change?: (deps: Deps) => Promise<Result<CreatedKey>>) => Promise<Result<CreatedKey>>;
  readonly create: (deps: Deps) => Promise<Result<CreatedKey>>;
};

async function shop(): Promise<Shop> {
  const trouble: Trouble = { change: null, keep: false, release: false };
  const deps = world({ db: openDb(troubled(trouble)) });
  const tenant = newTenant();
  const caller = callerOf(tenant);
  const audit = auditRow(deps, caller, "tenant.create", tenant);
  await insertTenant(catalog(), { id: tenant, name: tenant, createdAt: deps.now(), retentionDays: 30 } as never, audit);
  const input = { name: "ci", scopes: ["read"], expiresAt: null, dryRun: false } as const;
  const create = (with_: Deps): Promise<Result<CreatedKey>> => createKey(with_, caller, input);
  const once = {
    key: "k-1",
    route: "POST /v1/keys",
    body: input as never,
    keep: (made: CreatedKey) => ({ ...made, secret: null }),
  };
  return {
    deps,
    trouble,
    tenant,
    create,
    ask: (change = create) => answerOnce(deps, caller, once, change),
    keys: async () => {
      const page = await listKeys(catalog(), tenant, null, 100);
      return page.ok ? page.value.data.length : -1;
    },
  };
}

const later = ({ deps }: Shop): void => void (deps.clock.now += RESPONSE_RESERVED_MS);
const codeOf = (answer: Result<unknown>): string => (answer.ok ? "ok" : answer.refusal.code);
const idOf = (answer: Result<CreatedKey>): string => (answer.ok ? answer.value.key.id : "");

it("a repeat gets the first answer, without its secrets", async () => {
  const here = await shop();
  const first = await here.ask();
  const again = await here.ask();
  expect(first).toMatchObject({ ok: true, value: { secret: expect.stringContaining("esk_") } });
  expect(again).toMatchObject({ ok: true, value: { secret: null, key: { id: idOf(first) } } });
  expect(await here.keys()).toBe(1);
});

it("of two retries of an abandoned request one makes the change", async () => {
  const here = await shop();
  here.trouble.change = "before";
  here.trouble.release = true;
  await expect(here.ask()).rejects.toThrow("Network connection lost");
  here.trouble.change = null;
  expect(codeOf(await here.ask())).toBe("unavailable");
  later(here);
  const answers = await Promise.all([here.ask(), here.ask(), here.ask()]);
  expect(answers.map(codeOf).toSorted()).toEqual(["ok", "unavailable", "unavailable"]);
  expect(await here.keys()).toBe(1);
});

it("a slow first request changes nothing after another request has taken over its key", async () => {
  const here = await shop();
  let go = (): void => {};
  const waits = new Promise<void>((resolve) => (go = resolve));
  const slow = here.ask(async (deps) => {
    await waits;
    return here.create(deps);
  });
  await expect.poll(async () => codeOf(await here.ask())).toBe("unavailable");
  later(here);
  const second = await here.ask();
  go();
  expect(codeOf(await slow)).toBe("unavailable");
  expect(await here.keys()).toBe(1);
  expect(idOf(await here.ask())).toBe(idOf(second));
});

it("a slow first request that has made its change is not made again, although its answer is not stored yet", async () => {
  const here = await shop();
  let go = (): void => {};
  const waits = new Promise<void>((resolve) => (go = resolve));
  const slow = here.ask(async (deps) => {
    const made = await here.create(deps);
    await waits;
    return made;
  });
  await expect.poll(() => here.keys()).toBe(1);
  later(here);
  const second = await here.ask();
  go();
  expect(idOf(second)).toBe(idOf(await slow));
  expect(await here.keys()).toBe(1);
});

it("an answer is stored in the same batch as its change", async () => {
  const here = await shop();
  here.trouble.keep = true;
  const first = await here.ask();
  expect(first).toMatchObject({ ok: true, value: { secret: expect.stringContaining("esk_") } });
  expect(here.deps.lines).toMatchObject([{ event: "response_not_stored", key: "k-1" }]);
  expect(await here.ask()).toMatchObject({ ok: true, value: { secret: null, key: { id: idOf(first) } } });
  expect(await here.keys()).toBe(1);
});

it("if an answer can neither be stored with the change nor afterwards, the repeat is refused and the key stays used", async () => {
  const here = await shop();
  here.trouble.keep = true;
  const unsaid = ({ answerWith: _none, ...deps }: Deps): Promise<Result<CreatedKey>> => here.create(deps);
  expect(codeOf(await here.ask(unsaid))).toBe("ok");
  here.trouble.keep = false;
  expect(codeOf(await here.ask(unsaid))).toBe("unavailable");
  later(here);
  expect(await here.ask(unsaid)).toMatchObject({
    ok: false,
    refusal: { code: "answer_lost", details: { madeAfter: "2026-11-18T12:00:00.000Z" } },
  });
  expect(await here.keys()).toBe(1);
});

it("a repeat gets the stored answer if the first client never got it", async () => {
  const here = await shop();
  here.trouble.change = "after";
  await expect(here.ask()).rejects.toThrow("Network connection lost");
  here.trouble.change = null;
  expect(await here.ask()).toMatchObject({ ok: true, value: { secret: null, key: { name: "ci" } } });
  expect(await here.keys()).toBe(1);
});

it("a repeat makes the change if it never reached D1", async () => {
  const here = await shop();
  here.trouble.change = "before";
  await expect(here.ask()).rejects.toThrow("Network connection lost");
  here.trouble.change = null;
  expect(codeOf(await here.ask())).toBe("ok");
  expect(await here.keys()).toBe(1);
});

it("a refused change releases its key", async () => {
  const here = await shop();
  const refusal = refuse({ code: "limit_exceeded", message: "too many" });
  expect(codeOf(await here.ask(async () => refusal))).toBe("limit_exceeded");
  expect(codeOf(await here.ask())).toBe("ok");
});

it("a batch without an effect leaves the reservation unchanged", async () => {
  const here = await shop();
  const caller = callerOf(here.tenant);
  // The same id again: nothing is inserted, and nothing noted.
  const taken = async (deps: Deps): Promise<Result<CreatedKey>> => {
    deps.answerWith?.({ wrong: true });
    const row = { id: here.tenant, name: "x", createdAt: 0, retentionDays: 1 } as never;
    expect(await insertTenant(deps.db, row, auditRow(deps, caller, "tenant.create", here.tenant))).toBe(false);
    return refuse({ code: "already_exists", message: "taken" });
  };
  expect(codeOf(await here.ask(taken))).toBe("already_exists");
  expect(codeOf(await here.ask())).toBe("ok");
});
