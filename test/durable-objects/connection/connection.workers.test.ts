// Tests the connection object in workerd: its rows, and its state after an eviction.
import { runInDurableObject } from "cloudflare:test";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import { ConnectionWork } from "#entrypoints/connection-work.ts";
import type { Gate, TokenRenewalAnswer, ConnectionLimits } from "#schema/gate.ts";
import { bindings, until } from "#test/flows/engine.ts";
import { countRows } from "#test/durable-objects/rows-written.ts";

const free: ConnectionLimits = { rate: null, concurrency: null, breaker: null };
const breaker = { failureRatio: 0.5, windowMs: 60_000, minimumCalls: 2, openMs: 60_000, halfOpenProbes: 1 };
let objects = 0;

function open() {
  const stub = bindings.CONNECTIONS.getByName(`t/con_${++objects}`);
  const gate = stub as unknown as Gate; // RPC stubs answer what the class declares
  const acquire = async (terms: ConnectionLimits, key: string, promisedAt: number | null = null) => {
    const [answer] = await gate.acquire(terms, [{ key, expiresAt: Date.now() + 60_000, promisedAt }]);
    return answer;
  };
  const release = (terms: ConnectionLimits, key: string, outcome: "ok" | "failed") =>
    gate.release(terms, [{ lease: key, outcome, retryAfterMs: null }]);
  return { stub, gate, acquire, release, sleep: () => evict(stub) };
}

/** Waits until the object has written its changes, if it writes any. */
const settled = () => scheduler.wait(1_100);

const hundred = Array.from({ length: 100 }, (_, n) => `k${n}`);

/** Together: one by one they may take longer than a second. */
const acquireAll = (gate: Gate, terms: ConnectionLimits) =>
  gate.acquire(
    terms,
    hundred.map((key) => ({ key, expiresAt: Date.now() + 60_000, promisedAt: null })),
  );
const releaseAll = (gate: Gate, terms: ConnectionLimits) =>
  gate.release(
    terms,
    hundred.map((lease) => ({ lease, outcome: "ok" as const, retryAfterMs: null })),
  );

describe("rows of a connection", () => {
  test("a hundred calls that acquire and release within a second write nothing", async () => {
    const { gate, stub } = open();
    const rows = await countRows(stub);
    const terms = { ...free, concurrency: 200, rate: { calls: 1_000, perMs: 1_000, burst: 200 }, breaker };
    expect(await acquireAll(gate, terms)).toEqual(hundred.map((lease) => ({ ok: true, lease })));
    await releaseAll(gate, terms);
    await settled();
    expect(rows.count).toBe(0);
  });

  test("leases that last are one row for all calls, and one more when they are released", async () => {
    const { gate, stub } = open();
    const rows = await countRows(stub);
    const terms = { ...free, concurrency: 200 };
    await acquireAll(gate, terms);
    await settled();
    // Two rows belong to the new table, and one is the lease row.
    expect(rows.count).toBe(3);
    await releaseAll(gate, terms);
    await settled();
    expect(rows.count).toBe(4);
  });

  test("a breaker that opens is written at once", async () => {
    const { acquire, release, stub } = open();
    const rows = await countRows(stub);
    const terms = { ...free, breaker };
    for (const key of ["a", "b"]) await acquire(terms, key);
    await release(terms, "a", "failed");
    expect(rows.count).toBe(0);
    await release(terms, "b", "failed");
    // Two rows belong to the new table. The others are the breaker and the outage.
    expect(rows.count).toBe(4);
  });

  test("a read of an unused connection stores nothing", async () => {
    const { gate, stub } = open();
    const rows = await countRows(stub);
    expect(await gate.read(free)).toMatchObject({ breaker: { status: "closed" }, inUse: 0, token: null });
    await gate.forget();
    expect(rows.count).toBe(0);
    expect(
      await runInDurableObject(stub, (_object, { storage }) =>
        storage.sql.exec("SELECT name FROM sqlite_master").toArray(),
      ),
    ).toEqual([]);
  });
});

describe("after an eviction", () => {
  test("a connection keeps its breaker, its leases and its used rate", async () => {
    const { acquire, release, gate, sleep } = open();
    const terms = { rate: { calls: 2, perMs: 60_000, burst: 2 }, concurrency: 2, breaker };
    await acquire(terms, "a");
    await settled();
    await sleep();
    expect(await gate.read(terms)).toMatchObject({ inUse: 1 });
    expect(await acquire(terms, "b")).toEqual({ ok: true, lease: "b" });
    const held = await acquire(terms, "c");
    expect(held).toMatchObject({ ok: false, hold: { reason: "concurrency" } });
    await release(terms, "b", "ok");
    await settled();
    await sleep();
    const promisedAt = held?.ok === false ? held.hold.until : null;
    expect(await acquire(terms, "c", promisedAt)).toMatchObject({ ok: false, hold: { reason: "rate_limited" } });
    await release(terms, "a", "failed");
    expect((await gate.read(terms)).breaker.status).toBe("open");
    await sleep();
    expect(await acquire(terms, "c")).toMatchObject({ ok: false, hold: { reason: "circuit_open" } });
  });

  test("a forgotten connection keeps nothing", async () => {
    const { acquire, release, gate, sleep } = open();
    const terms = { ...free, breaker };
    for (const key of ["a", "b"]) await acquire(terms, key);
    for (const key of ["a", "b"]) await release(terms, key, "failed");
    expect((await gate.read(terms)).breaker.status).toBe("open");
    await gate.forget();
    await sleep();
    expect((await gate.read(terms)).breaker.status).toBe("closed");
  });
});

test("the token of a deleted connection is refused, and the refusal is cached shortly", async () => {
  const { gate } = open();
  const ask = { key: "k", refused: null };
  const [first, second] = await gate.token([ask, ask]);
  expect(first).toMatchObject({ ok: false, error: { type: "invalid_configuration", code: "auth_missing" } });
  expect(second).toEqual(first);
  expect(await until("the same again", () => gate.token([ask]))).toEqual([first]);
});

test("a token that arrives after its connection was deleted is discarded", async () => {
  const { gate, stub } = open();
  const renewal = Promise.withResolvers<TokenRenewalAnswer>();
  const spy = vi.spyOn(ConnectionWork.prototype, "renew").mockImplementation(() => renewal.promise);
  onTestFinished(() => spy.mockRestore());
  const waiting = gate.token([{ key: "k", refused: null }]);
  await until("the call is out", () => (spy.mock.calls.length > 0 ? true : null));
  await gate.forget();
  renewal.resolve({ ok: true, token: "sealed", refresh: "sealed too", expiresAt: Date.now() + 3_600_000 });
  expect(await waiting).toMatchObject([{ ok: false, error: { code: "connection_changed", retryable: true } }]);
  const tables = await runInDurableObject(stub, (_object, { storage }) =>
    storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'rows'").toArray(),
  );
  expect([tables, (await gate.read(free)).token]).toEqual([[], null]);
});

test.each([
  { isIdle: false, method: "setAlarm", event: "alarm_not_set" },
  { isIdle: true, method: "deleteAll", event: "token_cache_not_cleared" },
] as const)("an alarm whose $method fails logs $event", async ({ isIdle, method, event }) => {
  const stub = bindings.CONNECTIONS.getByName(`t/tok_${(++objects).toString(16).padStart(32, "0")}`);
  const expiresAt = Date.now() + 3_600_000;
  const renewals = vi.spyOn(ConnectionWork.prototype, "renew");
  const lines = vi.spyOn(console, "error").mockImplementation(() => {});
  onTestFinished(() => void vi.restoreAllMocks());
  renewals.mockResolvedValue({ ok: true, token: "sealed", refresh: null, expiresAt });
  await (stub as unknown as Gate).token([{ key: "k", refused: null }]); // RPC stubs answer what the class declares
  if (isIdle) vi.useFakeTimers({ toFake: ["Date"], now: expiresAt + 48 * 3_600_000 });
  onTestFinished(() => void vi.useRealTimers());
  await runInDurableObject(stub, async (object, { storage }) => {
    vi.spyOn(storage, method).mockRejectedValue(new Error("the storage is away"));
    await object.alarm?.();
  });
  expect(lines.mock.calls.map(([line]) => JSON.parse(String(line)))).toMatchObject([{ event }]);
});
