// What a run gets of its connection, where the way to it is rough, and what it gives back.
import { describe, expect, test } from "vitest";
import type { Gate, ReleaseItem } from "#schema/gate.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { openDb } from "#catalog/db.ts";
import { createConnection } from "#services/connections/create-connection.ts";
import { openerFor, type Opened } from "#services/connections/open-connection.ts";
import { absentGate, brokenBinding, callerOf, newTenant, NOW, world } from "#test/support/catalog.ts";

const ok: Outcome = { ok: true, result: null, events: [], startedAt: NOW, endedAt: NOW };

function failed(type: string, more: object = {}): Outcome {
  return { ok: false, error: { type, message: "no", retryable: true }, startedAt: NOW, endedAt: NOW, ...more };
}

/** As a runner answers that could not open its connection. */
function outcomeOf(opened: Opened): Outcome {
  return opened.ok ? ok : { ok: false, ...opened.failure, startedAt: NOW, endedAt: NOW };
}

async function connected(gate: Partial<Gate>, over: Partial<Ticket> = {}) {
  const deps = world({ gate: () => ({ ...absentGate, ...gate }) });
  const tenant = newTenant();
  const body = { name: "crm", provider: "http", concurrency: 1, rateLimit: { perSecond: 1 } };
  await createConnection(deps, callerOf(tenant), { body, dryRun: false });
  const ticket = { tenant, execution: "exe_1", run: "1.0", deadlineAt: NOW + 30_000, ...over } as Ticket; // all it looks at
  return { deps, tenant, opener: openerFor(deps, ticket, []) };
}

const lets: Partial<Gate> = { acquire: async (_terms, items) => items.map(({ key }) => ({ ok: true, lease: key })) };

describe("a run is held, and spends no attempt,", () => {
  const unavailable = { reason: "unavailable", until: NOW + 15_000, connection: "crm" };

  test("where its connection's object does not answer", async () => {
    const { opener, deps } = await connected({});
    const outcome = await opener.close(outcomeOf(await opener.open("crm", "http")));
    expect(outcome).toMatchObject({ ok: false, held: unavailable, retryAfterMs: 15_000 });
    expect(outcome).toMatchObject({ error: { type: "service_unavailable", code: "connection_held", retryable: true } });
    expect(deps.lines).toContainEqual(expect.objectContaining({ event: "connection_unavailable" }));
  });

  test("where D1 does not answer and nothing is remembered", async () => {
    const { tenant } = await connected({});
    const down = world({ db: openDb(brokenBinding) });
    const opener = openerFor(down, { tenant: `${tenant}-cold`, execution: "e", run: "1" } as Ticket, []); // all it looks at
    expect(await opener.close(outcomeOf(await opener.open("crm", "http")))).toMatchObject({ held: unavailable });
  });

  test("and what its runner makes of it in the end decides: another error is another error", async () => {
    const { opener } = await connected({});
    await opener.open("crm", "http");
    expect(await opener.close(failed("not_found"))).toEqual(failed("not_found"));
  });
});

test("with D1 down a warm connection opens", async () => {
  const { opener, deps, tenant } = await connected(lets);
  await opener.open("crm", "http");
  deps.clock.now += 60_000;
  const ticket = { tenant, execution: "exe_2", run: "1.0", deadlineAt: NOW + 90_000 } as Ticket; // all it looks at
  const cold = openerFor({ ...deps, db: openDb(brokenBinding) }, ticket, []);
  expect(await cold.open("crm", "http")).toMatchObject({ ok: true, connection: { name: "crm", sandbox: false } });
});

test("a wait that is soon over is waited out; who was told to come back says so", async () => {
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

test("opened twice is taken once, and given back once", async () => {
  const keys: string[] = [];
  const released: ReleaseItem[] = [];
  const acquire: Gate["acquire"] = async (_terms, items) =>
    items.map(({ key }) => (keys.push(key), { ok: true, lease: key }));
  const release: Gate["release"] = async (_terms, items) => void released.push(...items);
  const { opener } = await connected({ acquire, release });
  await opener.open("crm", "http");
  await opener.open("crm", "http");
  expect(await opener.close(ok)).toBe(ok);
  expect([keys, released]).toEqual([["exe_1/1.0"], [{ lease: "exe_1/1.0", outcome: "ok", retryAfterMs: null }]]);
});

test.each<[Outcome, Partial<ReleaseItem>]>([
  [failed("timeout"), { outcome: "failed" }],
  [failed("network_error"), { outcome: "failed" }],
  [failed("service_unavailable", { retryAfterMs: 5 }), { outcome: "failed", retryAfterMs: null }],
  [failed("rate_limit", { retryAfterMs: 900 }), { outcome: "ignored", retryAfterMs: 900 }],
  [failed("malformed_request"), { outcome: "ignored" }],
])("an outcome tells the connection how its provider does: %#", async (outcome, told) => {
  const released: ReleaseItem[] = [];
  const { opener } = await connected({ ...lets, release: async (_terms, items) => void released.push(...items) });
  await opener.open("crm", "http");
  await opener.close(outcome);
  expect(released).toMatchObject([told]);
});

test("a lease that cannot be given back changes nothing about the outcome", async () => {
  const { opener, deps } = await connected(lets);
  await opener.open("crm", "http");
  expect(await opener.close(ok)).toBe(ok);
  expect(deps.lines).toContainEqual(expect.objectContaining({ event: "lease_not_given_back" }));
});
