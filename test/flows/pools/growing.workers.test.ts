// Pools that grow and shrink under a tenant's keys: what was begun once is answered from where it lives, whoever asks, and
// however old the view is that he has.
import { afterEach, expect, it, test, vi } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import type { StartItem } from "#schema/engine/cell.ts";
import { POOL_FENCE_KEPT_MS, POOL_STARTS_PER_S_MAX, POOL_WINDOW_MS } from "#schema/limits/pool-cells.ts";
import { ExecutionObject } from "../../../src/index.ts";
import { bindings, engine, provider, until, type Engine } from "../engine.ts";
import { replace } from "../queues.ts";
import { cellOf, poolOf, resized } from "./tenants-pool.ts";
import { runInDurableObject, runDurableObjectAlarm } from "cloudflare:test";

const waits = {
  kind: "machine",
  name: "order",
  placement: "pooled",
  initial: "open",
  states: { open: { on: { pay: "paid" } }, paid: { type: "final" } },
};
const action = { actionId: "tell", type: "webhook", config: { url: "https://provider.example.com/tell" } };

afterEach(() => void vi.useRealTimers());

async function startKeyed(shop: Engine, key: string, status = 201): Promise<string> {
  const headers = { "Idempotency-Key": key };
  const { execution } = await shop.must(status, "POST", "/v1/executions", { body: { definition: "order" }, headers });
  return execution.id;
}

const stubOf = (shop: Engine, cell: number) => bindings.EXECUTIONS.getByName(`${shop.tenant}/pool/${cell}`);
const rowsOf = (shop: Engine, cell: number): Promise<number> =>
  runInDurableObject(stubOf(shop, cell), (_object, { storage: { sql } }) => {
    const tables = sql.exec("SELECT name FROM sqlite_master WHERE name = 'rows'").toArray();
    return tables.length === 0 ? 0 : Number(sql.exec("SELECT COUNT(*) AS n FROM rows").one()["n"]);
  });

it("a quiet tenant has one cell, for what has a key and what has none, and nothing is stored about its pool", async () => {
  provider();
  const shop = await engine(waits);
  const ids = [];
  for (let n = 0; n < 6; n++) ids.push(await startKeyed(shop, `k${n}`), await shop.start("order"));
  const body = { actions: [action, { ...action, dedupKey: "d" }, { ...action, idempotencyKey: "i" }] };
  const { results } = await shop.must(200, "POST", "/v1/actions/batch", { body });
  for (const { id } of results) ids.push(id);
  expect(new Set(ids.map(cellOf))).toEqual(new Set([101]));
  expect(await poolOf(shop)).toEqual({ epoch: 0, size: 1, layers: [1] });
  const own = await runInDurableObject(stubOf(shop, 101), (_object, { storage: { sql } }) =>
    sql.exec("SELECT COUNT(*) AS n FROM rows WHERE execution LIKE 'pool:%'").one(),
  );
  expect(own).toEqual({ n: 0 });
});

it("a key that began something before its pool grew, or shrank, is answered from there", async () => {
  provider();
  const shop = await engine(waits);
  const keys = Array.from({ length: 8 }, (_, n) => `before-${n}`);
  const first = new Map<string, string>();
  for (const key of keys) first.set(key, await startKeyed(shop, key));
  for (const size of [4, 64, 2, 1]) {
    await resized(shop, size);
    for (const key of keys) expect(await startKeyed(shop, key, 200)).toBe(first.get(key));
    const added = `at-${size}`;
    first.set(added, await startKeyed(shop, added));
    keys.push(added);
    expect(cellOf(first.get(added) ?? "")).toBeGreaterThanOrEqual(100 + size);
    expect(cellOf(first.get(added) ?? "")).toBeLessThan(100 + 2 * size);
  }
  for (const id of first.values())
    await shop.must(200, "POST", `/v1/executions/${id}/events`, { body: { type: "pay" } });
});

it("a list of starts goes to where each of its keys leads", async () => {
  const shop = await engine(waits);
  const list = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, n) => ({ definition: "order", idempotencyKey: `b-${from + n}` }));
  const before = await shop.must(200, "POST", "/v1/executions/batch", { body: { executions: list(0, 10) } });
  await resized(shop, 8);
  const after = await shop.must(200, "POST", "/v1/executions/batch", { body: { executions: list(0, 20) } });
  const ids = (answer: typeof after): string[] => answer.results.map(({ id }: { id: string }) => id);
  expect(ids(after).slice(0, 10)).toEqual(ids(before));
  expect(
    ids(after)
      .slice(10)
      .every((id) => cellOf(id) >= 108 && cellOf(id) <= 115),
  ).toBe(true);
});

it("an action with a dedup key is not done twice because its pool grew", async () => {
  const { calls } = provider();
  const shop = await engine();
  const ask = () =>
    shop.must(200, "POST", "/v1/actions/batch", { body: { actions: [{ ...action, dedupKey: "o-17" }] } });
  const { results: first } = await ask();
  await resized(shop, 16);
  const { results: again } = await ask();
  expect(again[0].id).toBe(first[0].id);
  await shop.reaches(first[0].id, "completed");
  expect(calls).toHaveLength(1);
});

it("whoever has an older view is told which pool is the right one, and what has begun is answered all the same", async () => {
  const shop = await engine(waits);
  const old = await startKeyed(shop, "old");
  const pool = await poolOf(shop);
  const read = await shop.cell(old).read(old);
  if (!read.ok) throw new Error("it is there");
  const { definition, receipts, variables } = read.value;
  const actor = { kind: "key", id: "key_late" } as const;
  const late = (execution: string, inputId: string): StartItem => ({
    definition: JSON.stringify(waits),
    pool,
    command: {
      kind: "start",
      inputId,
      execution,
      definition,
      variables,
      actor,
      tenant: shop.tenant,
      namespace: "default",
      placement: "pooled",
      correlationId: null,
      fingerprint: receipts[0]?.fingerprint ?? "",
    },
  });
  const later = await resized(shop, 2);
  // Both cells of the new size have keys of their own by then.
  for (let n = 0; n < 12; n++) await startKeyed(shop, `new-${n}`);
  const unknown = old.replace(/k[0-9A-Z]{5}/, "k0AB12");
  for (const isAwake of [true, false]) {
    if (!isAwake) await evict(stubOf(shop, 101));
    expect(await shop.cell(old).start([late(old, "old"), late(unknown, "unknown")])).toMatchObject([
      { ok: true, value: { repeated: true, state: { id: old } } },
      { ok: false, refusal: { code: "unavailable", details: { why: "pool_moved", pool: later } } },
    ]);
  }
});

it("while the cell before does not answer, keys wait and everything else starts", async () => {
  const shop = await engine(waits);
  const old = await startKeyed(shop, "old");
  await resized(shop, 4);
  const spy = vi.spyOn(ExecutionObject.prototype, "yieldKeys").mockRejectedValue(new Error("overloaded"));
  const headers = { "Idempotency-Key": "new" };
  const refused = await shop.ask("POST", "/v1/executions", { body: { definition: "order" }, headers });
  expect(refused).toMatchObject({ status: 503, body: { code: "unavailable", retryable: true } });
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThan(0);
  expect(cellOf(await shop.start("order"))).toBeGreaterThanOrEqual(104);
  spy.mockRestore();
  expect(cellOf(await startKeyed(shop, "new"))).toBeGreaterThanOrEqual(104);
  expect(await startKeyed(shop, "old", 200)).toBe(old);
});

it("with the catalog down, keys go on being found by the size that was known last", async () => {
  const shop = await engine(waits);
  const first = await startKeyed(shop, "first");
  await resized(shop, 4);
  const second = await startKeyed(shop, "second");
  const down = () => Promise.reject(new Error("D1_ERROR: Network connection lost."));
  for (const method of ["run", "all", "raw", "first"]) replace(bindings.DB.prepare("SELECT 1"), method, down);
  replace(bindings.DB, "batch", down);
  expect(await startKeyed(shop, "first", 200)).toBe(first);
  expect(await startKeyed(shop, "second", 200)).toBe(second);
  expect(cellOf(await startKeyed(shop, "third"))).toBeGreaterThanOrEqual(104);
});

it("an empty cell that gave way goes when nobody can come with an older view any more", async () => {
  const shop = await engine(waits);
  await startKeyed(shop, "a");
  await resized(shop, 2);
  await resized(shop, 4);
  const id = await startKeyed(shop, "b");
  const empty = cellOf(id) < 106 ? 102 : 103;
  expect(await rowsOf(shop, empty)).toBe(1);
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + POOL_FENCE_KEPT_MS + 1_000 });
  expect(await runDurableObjectAlarm(stubOf(shop, empty))).toBe(true);
  expect(await rowsOf(shop, empty)).toBe(0);
});

test("a cell that is given too much says so, and its tenant's pool grows", { timeout: 60_000 }, async () => {
  const shop = await engine({ ...waits, initial: "paid", name: "order" });
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
  const executions = Array.from({ length: 100 }, () => ({ definition: "order" }));
  const given = 1.2 * POOL_STARTS_PER_S_MAX * (POOL_WINDOW_MS / 1_000);
  for (let n = 0; n < given; n += executions.length)
    await shop.must(200, "POST", "/v1/executions/batch", { body: { executions } });
  vi.setSystemTime(Date.now() + POOL_WINDOW_MS);
  await shop.start("order");
  const grown = await until("it grows", async () => {
    const pool = await poolOf(shop);
    return pool.size > 1 ? pool : null;
  });
  expect(grown).toEqual({ epoch: 1, size: 2, layers: [1, 2] });
  await until("starts go to its cells", async () => (cellOf(await shop.start("order")) > 101 ? true : null));
});
