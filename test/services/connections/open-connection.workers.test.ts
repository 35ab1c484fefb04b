// Opening a connection for a run: faults on the way, and the leases that the run releases.
import { describe, expect, test } from "vitest";
import type { AcquireItem, Gate, ReleaseItem } from "#schema/gate.ts";
import type { Hold, Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { openDb } from "#catalog/db.ts";
import { createConnection } from "#services/connections/connections.ts";
import { openConnections, type OpenedConnection } from "#services/connections/open-connection.ts";
import { absentGate, brokenBinding, callerOf, newTenant, NOW, world } from "#test/support/catalog.ts";

const ok: Outcome = { ok: true, result: null, events: [], startedAt: NOW, endedAt: NOW };

function failed(type: string, more: object = {}): Outcome {
  return { ok: false, error: { type, message: "no", retryable: true }, startedAt: NOW, endedAt: NOW, ...more };
}

function refused(type: string, status: number, more: object = {}): Outcome {
  return failed(type, { error: { type, message: "no", retryable: false, details: { status } }, ...more });
}

/** Whoever keeps a file of the message had trouble, and its provider was not called. */
function fileTrouble(type: string, code: string, status?: number): Outcome {
  const error = { type, message: "no", retryable: true, code, details: status === undefined ? {} : { status } };
  return failed(type, { error, retryAfterMs: 60_000 });
}

/** As a runner answers that could not open its connection. */
function outcomeOf(opened: OpenedConnection): Outcome {
  return opened.ok ? ok : { ok: false, ...opened.failure, startedAt: NOW, endedAt: NOW };
}

const limits = { concurrency: 1, rateLimit: { perSecond: 1 } };

async function connected(gate: Partial<Gate>, over: Partial<Ticket> = {}, how: object = limits) {
  const deps = world({ gate: () => ({ ...absentGate, ...gate }) });
  const tenant = newTenant();
  const body = { name: "crm", provider: "http", ...how };
  await createConnection(deps, callerOf(tenant), { body, dryRun: false });
  const ticket = { tenant, execution: "exe_1", run: "1.0", attempt: 1, deadlineAt: NOW + 30_000, ...over } as Ticket; // all it looks at
  return { deps, tenant, opener: openConnections(deps, ticket, { secrets: [], bounds: [] }) };
}

const lets: Partial<Gate> = { acquire: async (_terms, items) => items.map(({ key }) => ({ ok: true, lease: key })) };

describe("a run is held, and keeps its attempt,", () => {
  const unavailable = { reason: "unavailable", until: NOW + 15_000, connection: "crm" };

  test("if its connection's object does not answer", async () => {
    const { opener, deps } = await connected({});
    const outcome = await opener.close(outcomeOf(await opener.open("crm", "http")));
    expect(outcome).toMatchObject({ ok: false, held: unavailable, retryAfterMs: 15_000 });
    expect(outcome).toMatchObject({ error: { type: "service_unavailable", code: "connection_held", retryable: true } });
    expect(deps.lines).toContainEqual(expect.objectContaining({ event: "connection_unavailable" }));
  });

  test("if D1 does not answer and nothing is cached", async () => {
    const { tenant } = await connected({});
    const down = world({ db: openDb(brokenBinding) });
    const opener = openConnections(down, { tenant: `${tenant}-cold`, execution: "e", run: "1" } as Ticket, {
      secrets: [],
      bounds: [],
    }); // all it looks at
    expect(await opener.close(outcomeOf(await opener.open("crm", "http")))).toMatchObject({ held: unavailable });
  });

  test("but not for a bug of the engine, which fails the attempt", async () => {
    const acquire = async (): Promise<never> => {
      throw new TypeError("items is not iterable");
    };
    const { opener } = await connected({ acquire });
    const outcome = await opener.close(outcomeOf(await opener.open("crm", "http")));
    expect(outcome).toMatchObject({ error: { code: "engine_mistake", retryable: true } });
    expect(outcome).not.toHaveProperty("held");
  });

  test("unless its runner returns another error", async () => {
    const { opener } = await connected({});
    await opener.open("crm", "http");
    // It says over which connection it came.
    const connection = expect.stringMatching(/^con_/);
    expect(await opener.close(failed("not_found"))).toEqual({
      ...failed("not_found"),
      error: { type: "not_found", message: "no", retryable: true, connection },
    });
  });
});

test("with D1 down a cached connection opens", async () => {
  const { opener, deps, tenant } = await connected(lets);
  await opener.open("crm", "http");
  deps.clock.now += 60_000;
  const ticket = { tenant, execution: "exe_2", run: "1.0", deadlineAt: NOW + 90_000 } as Ticket; // all it looks at
  const cold = openConnections({ ...deps, db: openDb(brokenBinding) }, ticket, { secrets: [], bounds: [] });
  expect(await cold.open("crm", "http")).toMatchObject({ ok: true, connection: { name: "crm", sandbox: false } });
});

test("a short wait happens in place; a longer wait holds the run", async () => {
  const asked: (number | null)[] = [];
  const acquire: Gate["acquire"] = async (_terms, items) =>
    items.map(({ key, promisedAt }) => {
      asked.push(promisedAt);
      return asked.length === 2
        ? { ok: true, lease: key }
        : { ok: false, hold: { reason: "rate_limited", until: NOW + 30 } };
    });
  const held = { reason: "rate_limited", until: NOW - 5, connection: "crm" } as const;
  const { opener } = await connected({ acquire }, { held });
  expect((await opener.open("crm", "http")).ok).toBe(true);
  expect(asked).toEqual([NOW - 5, NOW + 30]);
});

test("a connection opened twice takes one lease and releases it once", async () => {
  const keys: string[] = [];
  const released: ReleaseItem[] = [];
  const acquire: Gate["acquire"] = async (_terms, items) =>
    items.map(({ key }) => (keys.push(key), { ok: true, lease: key }));
  const release: Gate["release"] = async (_terms, items) => void released.push(...items);
  const { opener } = await connected({ acquire, release });
  await opener.open("crm", "http");
  await opener.open("crm", "http");
  expect(await opener.close(ok)).toBe(ok);
  expect(keys).toEqual([expect.stringMatching(/^exe_1\/1\.0\/1\/dlv_/)]);
  expect(released).toEqual([{ lease: keys[0], outcome: "ok", retryAfterMs: null }]);
});

test("another attempt, and a redelivered one, ask for slots of their own", async () => {
  const keys: string[] = [];
  const acquire: Gate["acquire"] = async (_terms, items) =>
    items.map(({ key }) => (keys.push(key), { ok: true, lease: key }));
  const { deps, tenant } = await connected({ acquire });
  for (const attempt of [1, 1, 2]) {
    const ticket = { tenant, execution: "exe_1", run: "1.0", attempt, deadlineAt: NOW + 30_000 } as Ticket; // all it looks at
    await openConnections(deps, ticket, { secrets: [], bounds: [] }).open("crm", "http");
  }
  expect(new Set(keys).size).toBe(3);
  expect(keys.map((key) => key.split("/")[2])).toEqual(["1", "1", "2"]);
});

test("a lease whose answer was lost is released", async () => {
  const [asked, released]: [string[], ReleaseItem[]] = [[], []];
  const acquire: Gate["acquire"] = async (_terms, items) => {
    asked.push(...items.map(({ key }) => key));
    throw new Error("the answer was lost");
  };
  const { opener } = await connected({ acquire, release: async (_terms, items) => void released.push(...items) });
  await opener.close(outcomeOf(await opener.open("crm", "http")));
  expect(released).toEqual([{ lease: asked[0], outcome: "ignored", retryAfterMs: null }]);
});

test.each<[string, Partial<AcquireItem>]>([
  ["rate_limited", { promisedAt: NOW - 5, promisedFor: "rate_limited" }],
  ["concurrency", { promisedAt: NOW - 5, promisedFor: "concurrency" }],
  ["retry_after", { promisedAt: NOW - 5, promisedFor: "retry_after" }],
  ["circuit_open", { promisedAt: NOW - 5, promisedFor: "circuit_open" }],
  ["unavailable", { promisedAt: null }],
  ["awaiting_receipt", { promisedAt: null }],
])("a run held before as %s names its reserved slot", async (reason, said) => {
  const items: AcquireItem[] = [];
  const acquire: Gate["acquire"] = async (_terms, all) =>
    all.map((item) => (items.push(item), { ok: true, lease: item.key }));
  const held = { reason, until: NOW - 5, connection: "crm" } as Hold;
  const { opener } = await connected({ acquire }, { held });
  await opener.open("crm", "http");
  expect(items).toMatchObject([said]);
  expect("promisedFor" in (items[0] ?? {})).toBe("promisedFor" in said);
});

test.each<[Outcome, Partial<ReleaseItem>]>([
  [failed("timeout"), { outcome: "failed" }],
  [failed("network_error"), { outcome: "failed" }],
  [failed("service_unavailable", { retryAfterMs: 5 }), { outcome: "failed", retryAfterMs: null }],
  [fileTrouble("service_unavailable", "file_unavailable", 503), { outcome: "ignored", retryAfterMs: null }],
  [fileTrouble("rate_limit", "file_unavailable", 429), { outcome: "ignored", retryAfterMs: null }],
  [fileTrouble("timeout", "file_timeout"), { outcome: "ignored", retryAfterMs: null }],
  [failed("rate_limit", { retryAfterMs: 900 }), { outcome: "ignored", retryAfterMs: 900 }],
  [failed("malformed_request"), { outcome: "ignored" }],
  [refused("not_found", 404), { outcome: "ignored", answered: true }],
  [refused("unknown_error", 202), { outcome: "ignored", answered: true }],
  [refused("service_unavailable", 503), { outcome: "failed" }],
  [refused("service_unavailable", 503, { retryAfterMs: 800 }), { outcome: "failed", retryAfterMs: 800 }],
  [refused("not_found", 404, { retryAfterMs: 800 }), { outcome: "ignored", answered: true, retryAfterMs: null }],
])("an outcome reports the provider's health: %#", async (outcome, told) => {
  const released: ReleaseItem[] = [];
  const { opener } = await connected({ ...lets, release: async (_terms, items) => void released.push(...items) });
  await opener.open("crm", "http");
  await opener.close(outcome);
  expect(released).toMatchObject([told]);
  expect(released[0]?.answered).toBe(told.answered);
});

describe("a pause that the provider requested is reported to the gate", () => {
  const quiet = failed("rate_limit", { retryAfterMs: 900 });
  const told = { outcome: "ignored", retryAfterMs: 900, lease: expect.stringMatching(/^exe_1\/1\.0\/1\/dlv_/) };
  const freely: Gate["acquire"] = async (_terms, items) => items.map(() => ({ ok: true, lease: null }));

  test.each([
    ["a rate only", { rateLimit: { perSecond: 1 } }],
    ["no limit at all", {}],
  ])("of a connection with %s, and nothing else does", async (_what, how) => {
    const released: ReleaseItem[] = [];
    const gate = {
      acquire: freely,
      release: async (_terms: unknown, items: readonly ReleaseItem[]) => void released.push(...items),
    };
    const { opener, deps, tenant } = await connected(gate, {}, how);
    await opener.open("crm", "http");
    await opener.close(ok);
    expect(released).toEqual([]);
    const ticket = { tenant, execution: "exe_1", run: "1.0", attempt: 1, deadlineAt: NOW + 30_000 } as Ticket; // all it looks at
    const next = openConnections(deps, ticket, { secrets: [], bounds: [] });
    await next.open("crm", "http");
    await next.close(quiet);
    expect(released).toMatchObject([told]);
  });

  test("a gate without limits is called every five seconds, and each time after a requested pause", async () => {
    let [asked, isQuiet] = [0, false];
    const acquire: Gate["acquire"] = async (_terms, items) =>
      items.map(() => {
        asked += 1;
        return isQuiet
          ? { ok: false, hold: { reason: "retry_after", until: NOW + 60_000 } }
          : { ok: true, lease: null };
      });
    const { deps, tenant } = await connected({ acquire, release: async () => {} }, {}, {});
    const run = async (outcome: Outcome) => {
      const ticket = { tenant, execution: "exe_1", run: "1.0", attempt: 1, deadlineAt: deps.now() + 30_000 } as Ticket; // all it looks at
      const opener = openConnections(deps, ticket, { secrets: [], bounds: [] });
      const opened = await opener.open("crm", "http");
      return opener.close(opened.ok ? outcome : outcomeOf(opened));
    };
    for (const _ of [1, 2, 3]) await run(ok);
    expect(asked).toBe(1);
    deps.clock.now += 5_000;
    await run(ok);
    expect(asked).toBe(2);
    await run(quiet);
    isQuiet = true;
    expect(await run(ok)).toMatchObject({
      held: { reason: "retry_after", until: NOW + 60_000, connection: "crm" },
      error: { type: "rate_limit", code: "connection_held", message: expect.stringContaining("Retry-After") },
    });
    expect(await run(ok)).toMatchObject({ held: { reason: "retry_after" } });
    expect(asked).toBe(4);
  });

  test("a gate without limits that does not answer holds no run", async () => {
    const { opener, deps } = await connected({}, {}, {});
    expect((await opener.open("crm", "http")).ok).toBe(true);
    expect(await opener.close(ok)).toBe(ok);
    expect(deps.lines).toContainEqual(expect.objectContaining({ event: "gate_not_reached" }));
  });
});

test("a lease that cannot be released does not change the outcome", async () => {
  const { opener, deps } = await connected(lets);
  await opener.open("crm", "http");
  expect(await opener.close(ok)).toBe(ok);
  expect(deps.lines).toContainEqual(expect.objectContaining({ event: "lease_not_released" }));
});
