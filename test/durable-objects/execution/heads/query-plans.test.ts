// Tests SQLite's query plan of each statement of a cell: a large cell scans no table.
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { expect, it } from "vitest";
import { sqlStorage, type CellStorage } from "#objects/execution/storage.ts";
import { begin, openTestCell } from "../cell.ts";
import { machine } from "#test/support/drive.ts";

const id = "exe_dAAAAAAAAAAAAAAAAAAAAAAAAAA0123456789_p101";
const slot = 900_000;

/** A database in memory that records the query plan of each statement. */
function planned() {
  const db = new DatabaseSync(":memory:");
  const statements = new Set<string>();
  const exec = (query: string, ...given: (SQLInputValue | ArrayBuffer)[]) => {
    const values = given.map((value) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value));
    statements.add(query);
    const rows = db
      .prepare(query)
      .all(...values)
      .map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, asInWorkerd(value)])));
    return { toArray: () => rows, one: () => rows[0], [Symbol.iterator]: () => rows.values() };
  };
  const storage = { sql: { exec, databaseSize: 0 }, transactionSync: (work: () => void) => work() };
  const plans = () =>
    [...statements]
      .filter((query) => !query.startsWith("CREATE") && !query.includes("sqlite_master"))
      .map((query) => {
        const steps = db.prepare(`EXPLAIN QUERY PLAN ${query}`).all();
        return { query, steps: steps.map(({ detail }) => String(detail)) };
      });
  // These are all members of the storage that rows need.
  return { storage: sqlStorage(storage as unknown as DurableObjectStorage), plans };
}

/** Returns blobs as ArrayBuffers, as workerd does. */
function asInWorkerd(value: unknown): unknown {
  return value instanceof Uint8Array ? value.slice().buffer : value;
}

/** Runs every statement that a large cell needs while it lives. */
async function live(storage: CellStorage): Promise<void> {
  const cell = openTestCell();
  await cell.take(begin(id, machine({ states: { go: { on: { x: "go" } } } })));
  const state = cell.read(id);
  if (state === null) throw new Error("it is there");
  storage.writeDefinition("def_1@1", "{}");
  storage.hasDefinition("def_2@1");
  storage.readDefinition("def_1@1");
  storage.writeHead({ state, tail: [], pages: 0 }, { execution: id, wakeAt: 1, turn: 1, sent: 1 });
  storage.writePage(id, 1, []);
  storage.readPage(id, 1);
  storage.countPages(id);
  storage.dropPage(id, 1);
  storage.headBody(id);
  storage.writeQuarantine(id, { kind: "broken", reason: "r", since: 1, looks: 1, lookAt: 2 });
  storage.writeQuarantine(id, null);
  storage.writePool("{}");
  storage.readPool();
  storage.isFull();
  storage.keys([id]);
  storage.sameDedupKey(id);
  storage.idsInRange({ from: "A", to: "B" }, null, 10);
  storage.idsInRange({ from: "A", to: null }, id, 10);
  storage.residentRows.addResidents([id]);
  storage.residentRows.residents();
  storage.residentRows.replaceResidents([id]);
  storage.residentRows.addPagedOut(slot, [id]);
  storage.residentRows.firstPagedOut();
  for (const row of storage.residentRows.pagedOutOf(slot, 8)) storage.residentRows.removePagedOut(row);
  storage.remove(id);
}

it("a large cell finds each row by its key, without a table scan", async () => {
  const { storage, plans } = planned();
  await live(storage);
  const walks = plans().filter(({ steps }) => steps.some((step) => /^SCAN (?!CONSTANT|wanted)/.test(step)));
  expect(walks).toEqual([]);
  expect(plans().filter(({ steps }) => steps.length > 0).length).toBeGreaterThan(10);
});

it("only a small cell reads all keys, and the check for any execution stops at the first", async () => {
  const { storage, plans } = planned();
  storage.writePool("{}");
  storage.heads();
  storage.hasHeads();
  const walks = plans().filter(({ steps }) => steps.some((step) => step.startsWith("SCAN")));
  expect(walks).toHaveLength(2);
  expect(walks[1]?.query).toMatch(/LIMIT 1$/);
});
