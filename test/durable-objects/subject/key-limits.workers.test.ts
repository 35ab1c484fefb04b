// Tests the rows of limits by key: they survive an eviction, each call writes one row, and expired rows are deleted.
import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { KeyLimits } from "#objects/subject/key-limits.ts";
import { keyRows } from "#objects/subject/key-rows.ts";
import type { KeyLimitRequest, KeyLimitsPort } from "#schema/key-limits/calls.ts";
import { bindings } from "#test/flows/engine.ts";
import { evict } from "#test/flows/lives/evict.ts";
import { countRows } from "../rows-written.ts";

const HOUR = 3_600_000;
let objects = 0;

function opened() {
  const stub = bindings.SUBJECTS.getByName(`limit:t/mails-${++objects}/0`);
  return { stub, limits: stub as unknown as KeyLimitsPort }; // RPC stubs answer what the class declares
}
const ask = (id: string, key = "k"): KeyLimitRequest => ({
  key,
  id,
  expiresAt: Date.now() + 60_000,
  isFirst: true,
  waited: null,
});
const one = { concurrency: 1 };
const daily = { rate: { max: 1, perMs: 24 * HOUR } };

test("slots, places and counts survive an eviction", async () => {
  const { stub, limits } = opened();
  expect(await limits.acquireLimit(one, ask("a"))).toMatchObject({ kind: "admitted" });
  expect(await limits.acquireLimit(one, ask("b"))).toMatchObject({ kind: "held", ahead: 0 });
  await limits.acquireLimit(daily, ask("c", "other"));
  await evict(stub);
  expect(await limits.acquireLimit(one, ask("d"))).toMatchObject({ kind: "held", ahead: 1 });
  expect(await limits.acquireLimit(daily, ask("e", "other"))).toMatchObject({ kind: "skipped" });
  expect(await limits.readLimit("k")).toMatchObject({ inUse: [{ run: "a" }], waiting: 2 });
});

test("of concurrent requests, as many as slots are admitted", async () => {
  const { limits } = opened();
  const answers = await Promise.all(["a", "b", "c", "d"].map((id) => limits.acquireLimit({ concurrency: 2 }, ask(id))));
  expect(answers.map(({ kind }) => kind)).toEqual(["admitted", "admitted", "held", "held"]);
});

test("a call writes one row, and the last release deletes the key", async () => {
  const { stub, limits } = opened();
  await limits.acquireLimit(one, ask("first")); // This call creates the table.
  const rows = await countRows(stub);
  await limits.acquireLimit(one, ask("second"));
  expect(rows.count).toBe(1);
  await limits.releaseLimit({ key: "k", id: "first", wasSent: true });
  expect(rows.count).toBe(2);
  await limits.releaseLimit({ key: "unknown", id: "first", wasSent: true });
  expect(rows.count).toBe(2);
  expect(await limits.freeLimit("k", true)).toMatchObject({ waiting: 1 });
  expect(await limits.freeLimit("k", false)).toMatchObject({ waiting: 1 });
  expect(await limits.freeLimit("k", false)).toBeNull();
  await limits.acquireLimit(one, ask("third"));
  await limits.releaseLimit({ key: "k", id: "third", wasSent: true });
  expect(await limits.readLimit("k")).toBeNull();
});

test("a read of an unused object leaves no storage behind", async () => {
  const { stub, limits } = opened();
  expect(await limits.readLimit("k")).toBeNull();
  expect(await limits.freeLimit("k", false)).toBeNull();
  const tables = await runInDurableObject(stub, (_object, { storage }) =>
    storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'keys'").toArray(),
  );
  expect(tables).toEqual([]);
});

test("new keys delete expired ones, so that the number of rows is bounded", async () => {
  const { stub } = opened();
  const counts = await runInDurableObject(stub, async (_object, { storage }) => {
    let now = Date.now();
    const limits = new KeyLimits({ rows: keyRows(storage), now: () => now });
    const found: number[] = [];
    for (let n = 0; n < 2_000; n++) {
      now += 1_000;
      const key = `key-${(n * 7_919) % 100_003}`;
      await limits.acquireLimit({ rate: { max: 1, perMs: 100_000 } }, { ...ask(`run-${n}`, key), expiresAt: now + 1 });
      if (n % 500 === 499) found.push(storage.sql.exec("SELECT name FROM keys").toArray().length);
    }
    return found;
  });
  expect(Math.max(...counts)).toBeLessThan(250);
});
