// Tests an execution's rows during its life, in the real object.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import { evict } from "#test/flows/lives/evict.ts";
import { sqlStorage, type Head } from "#objects/execution/storage.ts";
import { headOf } from "#objects/execution/heads/head-text.ts";
import { SCHEMA } from "#objects/execution/migrations.ts";
import { unpackBody } from "#objects/execution/stored/packing.ts";
import { FALLBACK_ALARM_LATER_MS } from "#schema/limits/alarms.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import { bindings, chain, engine, provider, until, type Engine } from "#test/flows/engine.ts";
import { holdActions } from "#test/flows/queues.ts";
import type { Parsed } from "#test/support/api.ts";
import golden from "#test/golden/head-rows.json" with { type: "json" };
import { stored } from "./rows.ts";
import { namingPattern } from "#test/support/matchers/naming.ts";

const DAY = 86_400_000;
const counter = {
  kind: "machine",
  name: "counter",
  initial: "open",
  variables: { ticks: 0 },
  states: {
    open: { on: { tick: { assign: { ticks: { "+": [{ var: "execution.variables.ticks" }, 1] } } }, close: "done" } },
    done: { type: "final" },
  },
};

afterEach(() => void vi.useRealTimers());

function event(shop: Engine, id: string, type: string): Promise<unknown> {
  return shop.must(200, "POST", `/v1/executions/${id}/events`, { body: { type } });
}

/** Runs the alarm as if this time had passed. */
async function alarmAfter(shop: Engine, id: string, ms: number): Promise<void> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + ms });
  expect(await runDurableObjectAlarm(shop.stub(id))).toBe(true);
}

it("definition and execution have one row each, and a step rewrites the latter", async () => {
  const held = holdActions();
  provider();
  const shop = await engine(chain("steps", ["notify"], { lane: "queue" }));
  const id = await shop.start("steps");
  const begun = await stored(shop.stub(id));
  expect(begun.rows).toMatchObject([
    { execution: expect.stringMatching(/^definition:def_\w+@1$/), page: 0, turn: 0, body: { name: "steps" } },
    { execution: id, page: 0, turn: 1, sent: 0, body: { pages: 0, state: { seq: 1, runs: [{ status: "queued" }] } } },
  ]);
  const [, head] = begun.rows;
  expect(head?.body.tail.map(({ kind }: Parsed) => kind)).toEqual([
    "started",
    "moved",
    "run_created",
    "run_dispatched",
  ]);
  // The wake is near, so the alarm is the fallback behind it.
  expect(begun.alarm).toBe(Number(head?.wake_at) + FALLBACK_ALARM_LATER_MS);
  const [message] = held.messages;
  if (!message) throw new Error("the action was not sent");
  await shop.cell(id).claimMany([message]);
  expect((await stored(shop.stub(id))).rows).toMatchObject([
    {},
    { turn: 2, body: { state: { seq: 2, runs: [{ status: "running" }] } } },
  ]);
  const outcome: Outcome = { ok: true, result: null, events: [], startedAt: 1, endedAt: 2 };
  await shop.cell(id).settleMany([{ ...message, outcome }]);
  const ended = await until("its alarm is armed for the end of retention", async () => {
    const now = await stored(shop.stub(id));
    return now.alarm === now.rows[1]?.wake_at ? now : null;
  });
  expect(ended.rows).toMatchObject([{}, { turn: 3, body: { state: { seq: 3, status: "completed" } } }]);
  expect(ended.alarm).toBe(ended.rows[1]?.body.state.retainUntil);
});

it("a full tail is sealed into a page, and the history reads as one", async () => {
  const shop = await engine(counter);
  const id = await shop.start("counter");
  for (let n = 0; n < 60; n++) await event(shop, id, "tick");
  const early = await shop.must(200, "GET", `/v1/executions/${id}/journal?limit=55`);
  const inTail = await shop.must(200, "GET", `/v1/executions/${id}/journal?limit=60&cursor=${early.nextCursor}`);
  for (let n = 60; n < 200; n++) await event(shop, id, "tick");
  await evict(shop.stub(id));
  const { rows } = await stored(shop.stub(id));
  const pages = rows.filter(({ execution, page }) => execution === id && page > 0);
  const head = rows.find(({ execution, page }) => execution === id && page === 0)?.body;
  expect(pages.map(({ page }) => page)).toEqual(Array.from({ length: head.pages }, (_, n) => n + 1));
  expect(pages.length).toBeGreaterThan(2);
  const all = await shop.journal(id);
  expect(all).toHaveLength(2 + 200 * 2);
  expect(all.map(({ kind }) => kind).slice(2)).toEqual(
    Array.from({ length: 200 }, () => ["event_received", "assigned"]).flat(),
  );
  const places = (entries: Parsed[]) => entries.map(({ seq, n }) => [seq, n]);
  expect(places([...pages.flatMap(({ body }) => body), ...head.tail])).toEqual(places(all));
  for (const limit of [1, 7, 100]) expect(await shop.journal(id, limit)).toEqual(all);
  // A cursor into the tail stays valid after the tail was sealed.
  const later = await shop.must(200, "GET", `/v1/executions/${id}/journal?limit=100&cursor=${inTail.nextCursor}`);
  expect([...early.data, ...inTail.data, ...later.data]).toEqual(all.slice(0, 55 + 60 + 100));
});

it("a read of an absent execution stores nothing", async () => {
  const shop = await engine(counter);
  for (const id of ["exe_nobody", "exe_nobody_p3"]) {
    await shop.must(404, "GET", `/v1/executions/${id}`);
    await shop.must(404, "GET", `/v1/executions/${id}/journal`);
    await shop.must(404, "POST", `/v1/executions/${id}/events`, { body: { type: "tick" } });
    await shop.must(404, "POST", `/v1/executions/${id}/poke`);
    await shop.must(404, "POST", `/v1/executions/${id}/cancel`);
    await shop.cell(id).reproject([id]);
    const tables = await runInDurableObject(shop.stub(id), async (_object, { storage }) => [
      storage.sql.exec("SELECT name FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").toArray(),
      await storage.getAlarm(),
    ]);
    expect(tables, id).toEqual([[], null]);
  }
});

describe("when retention ends", () => {
  it("an execution's own object is emptied, and the catalog keeps the summary", async () => {
    const shop = await engine(counter);
    const id = await shop.start("counter", { id: "exe_again" });
    await event(shop, id, "close");
    await until("it is listed", async () =>
      (await shop.must(200, "GET", "/v1/executions?status=completed")).data[0] ? true : null,
    );
    await until("its alarm rests", async () =>
      ((await stored(shop.stub(id))).alarm ?? 0) > Date.now() + DAY ? true : null,
    );
    await alarmAfter(shop, id, 8 * DAY);
    expect(await stored(shop.stub(id))).toEqual({ rows: [], alarm: null });
    expect(await shop.read(id)).toMatchObject({ status: "completed", retired: true });
    await shop.must(404, "GET", `/v1/executions/${id}/journal`);
  });

  it("the emptied object can start again: table, definition, alarm", async () => {
    const shop = await engine({
      ...counter,
      name: "nap",
      states: { ...counter.states, open: { on: { close: "done" }, after: { P30D: "done" } } },
    });
    const id = await shop.start("nap", { id: "exe_anew" });
    await event(shop, id, "close");
    await until("its alarm rests", async () =>
      ((await stored(shop.stub(id))).alarm ?? 0) > Date.now() + DAY ? true : null,
    );
    await alarmAfter(shop, id, 8 * DAY);
    await shop.start("nap", { id: "exe_anew" });
    const { rows, alarm } = await stored(shop.stub(id));
    expect(rows.map(({ execution }) => execution.split(":")[0])).toEqual(["definition", "exe_anew"]);
    expect(alarm).not.toBeNull();
  });

  it("a pool cell deletes the execution and keeps others; the last one empties it", async () => {
    const shop = await engine({ ...counter, placement: "pooled" });
    const first = await shop.start("counter");
    let second = await shop.start("counter");
    while (second.split("_p")[1] !== first.split("_p")[1]) second = await shop.start("counter");
    for (let n = 0; n < 120; n++) await event(shop, first, "tick");
    await event(shop, first, "close");
    expect((await stored(shop.stub(first))).rows.filter(({ page }) => page > 0).length).toBeGreaterThan(0);
    await alarmAfter(shop, first, 2 * DAY);
    const left = (await stored(shop.stub(first))).rows.map(({ execution }) => execution);
    expect(left).toContain(second);
    expect(left).not.toContain(first);
    expect(left.filter((each) => each.startsWith("definition:"))).toHaveLength(1);
    await event(shop, second, "close");
    for (const other of left.filter((each) => each !== second && each.startsWith("exe_")))
      await event(shop, other, "close");
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 4 * DAY });
    await shop.cell(second).poke([second]);
    expect(await stored(shop.stub(second))).toEqual({ rows: [], alarm: null });
  });
});

describe("the store itself", () => {
  const head = { state: { v: 1, id: "exe_1" }, tail: [], pages: 0 } as unknown as Head; // these are all fields that the storage reads
  const key = { execution: "exe_1", wakeAt: 5, turn: 1, sent: 0 };

  it("a failed transaction removes its table, and the next one creates it again", async () => {
    await runInDurableObject(bindings.EXECUTIONS.getByName("store/rollback"), (_object, { storage }) => {
      const store = sqlStorage(storage);
      const failing = (): void => {
        store.writeHead(head, key);
        throw new Error("too big");
      };
      expect(() => store.atomically(failing)).toThrow("too big");
      expect([store.heads(), store.headBody("exe_1")]).toEqual([[], null]);
      store.atomically(() => store.writeHead(head, key));
      expect(store.heads()).toEqual([key]);
    });
  });

  it("the resident rows of a large cell survive reads and rollbacks", async () => {
    await runInDurableObject(bindings.EXECUTIONS.getByName("store/roll"), (_object, { storage }) => {
      const store = sqlStorage(storage);
      const ids = Array.from({ length: 1_200 }, (_, n) => `exe_${n}`);
      const failing = (): void => {
        store.residentRows.replaceResidents([]);
        throw new Error("too big");
      };
      expect(() => store.atomically(failing)).toThrow("too big");
      expect([
        store.residentRows.isLargeCell(),
        store.residentRows.residents(),
        store.residentRows.firstPagedOut(),
      ]).toEqual([false, [], null]);
      store.atomically(() => {
        for (const execution of ids) store.writeHead({ ...head }, { ...key, execution });
        store.residentRows.replaceResidents(ids.slice(0, 2));
        store.residentRows.addPagedOut(900_000, ids.slice(2));
        store.residentRows.addPagedOut(450_000, ["exe_9", "exe_gone"]);
      });
      const again = sqlStorage(storage);
      again.residentRows.addResidents(["exe_5"]);
      expect(again.residentRows.residents()).toEqual(["exe_0", "exe_1", "exe_5"]);
      const first = again.residentRows.firstPagedOut();
      expect(first).toEqual({ slot: 450_000, id: 1, executions: ["exe_9", "exe_gone"] });
      expect(again.keys(["exe_9", "exe_gone"])).toEqual([{ ...key, execution: "exe_9" }]);
      expect(again.keys(ids)).toHaveLength(1_200);
      if (first) again.residentRows.removePagedOut(first);
      expect(again.residentRows.firstPagedOut()).toMatchObject({ slot: 900_000, id: 1, executions: { length: 500 } });
      expect(again.residentRows.pagedOutOf(900_000, 2).map(({ id }) => id)).toEqual([1, 2]);
      expect(again.residentRows.pagedOutOf(900_000, 9).map(({ executions }) => executions.length)).toEqual([
        500, 500, 198,
      ]);
      expect(storage.sql.exec("SELECT 1 FROM roll").toArray()).toHaveLength(2 + 3);
      expect(again.hasHeads()).toBe(true);
      for (const execution of ids) again.remove(execution);
      expect(again.hasHeads()).toBe(false);
    });
  });

  it("actions with one dedup key are found, the latest first", async () => {
    await runInDurableObject(bindings.EXECUTIONS.getByName("store/dedup"), (_object, { storage }) => {
      const store = sqlStorage(storage);
      const id = (digest: string, n: number): string => `exe_d${digest.repeat(26)}000000000${n}_p1`;
      expect(store.sameDedupKey(id("A", 1))).toEqual([]);
      for (const execution of [id("A", 1), id("A", 2), id("B", 3), "exe_1"])
        store.writeHead(head, { ...key, execution });
      expect(store.sameDedupKey(id("A", 9))).toEqual([id("A", 2), id("A", 1)]);
      expect(store.sameDedupKey("exe_1")).toEqual([]);
    });
  });

  it("each prefix of the migrations leads to the current rows without loss", async () => {
    await runInDurableObject(bindings.EXECUTIONS.getByName("store/prefixes"), (_object, { storage }) => {
      // Prefix 0 has no table. Prefix 1 has the first form of the table.
      expect(sqlStorage(storage).heads()).toEqual([]);
      storage.sql.exec(SCHEMA);
      storage.sql.exec("INSERT INTO rows VALUES ('exe_1', 0, 5, 1, 0, ?)", JSON.stringify(head));
      storage.sql.exec("INSERT INTO rows VALUES ('definition:def_1@1', 0, NULL, 0, 0, '{}')");
      const store = sqlStorage(storage);
      store.atomically(() => store.writeHead({ ...head, pages: 1 }, { ...key, turn: 2 }));
      expect([
        store.heads(),
        JSON.parse(unpackBody(store.headBody("exe_1") ?? "")),
        store.readDefinition("def_1@1"),
      ]).toEqual([[{ ...key, turn: 2 }], { ...head, pages: 1 }, "{}"]);
    });
  });

  it("a row of each format is read, and every new row is packed", async () => {
    await runInDurableObject(bindings.EXECUTIONS.getByName("store/forms"), (_object, { storage }) => {
      storage.sql.exec(SCHEMA);
      const packed = Uint8Array.from(atob(golden.packed[1]), (letter) => letter.charCodeAt(0)).buffer;
      storage.sql.exec(
        "INSERT INTO rows VALUES ('exe_1', 0, 5, 1, 0, ?), ('exe_2', 0, 5, 1, 0, ?)",
        golden.text,
        packed,
      );
      const store = sqlStorage(storage);
      const [text, same] = ["exe_1", "exe_2"].map((execution) => headOf(store.headBody(execution) ?? ""));
      expect(same).toEqual(text);
      for (const execution of ["exe_1", "exe_2"]) store.writeHead(text ?? head, { ...key, execution });
      store.writePage("exe_1", 1, text?.tail ?? []);
      expect(store.readPage("exe_1", 1)).toEqual(text?.tail);
      const written = storage.sql.exec<{ kind: string }>("SELECT typeof(body) AS kind FROM rows").toArray();
      expect(written.map(({ kind }) => kind)).toEqual(["blob", "blob", "blob"]);
    });
  });

  it("a state of a newer version is refused", async () => {
    await runInDurableObject(bindings.EXECUTIONS.getByName("store/future"), (_object, { storage }) => {
      const store = sqlStorage(storage);
      store.writeHead({ ...head, state: { ...head.state, v: 99 as 1 } }, key);
      expect(() => headOf(store.headBody("exe_1") ?? "")).toThrow(namingPattern(99));
    });
  });
});
