// Tests the rows of an object: the first write creates tables, and a rollback removes them.
import { expect, test } from "vitest";
import { openStore, storedValue, values } from "#objects/host/store.ts";
import { sqliteStorage } from "#test/sim/kit/sqlite-storage.ts";

const names = { first: "names", create: ["CREATE TABLE names (name TEXT)"] };

test("reading creates nothing; the first write creates the tables", () => {
  const { storage } = sqliteStorage();
  const store = openStore(storage);
  const tables = store.tables(names);
  expect([tables.exist(), tables.rows("SELECT name FROM names"), storedValue(store.tables(values), 1).read()]).toEqual([
    false,
    [],
    null,
  ]);
  expect(storage.sql.exec("SELECT name FROM sqlite_master").toArray()).toEqual([]);
  tables.write("INSERT INTO names VALUES (?)", "Ada");
  expect([tables.exist(), tables.rows("SELECT name FROM names")]).toEqual([true, [{ name: "Ada" }]]);
});

test("tables of a rolled-back transaction are created again", () => {
  const store = openStore(sqliteStorage().storage);
  const value = storedValue<string>(store.tables(values), 1);
  const people = store.tables(names);
  const failing = () =>
    store.atomically(() => {
      value.write("one");
      people.write("INSERT INTO names VALUES ('Ada')");
      throw new Error("the disk is full");
    });
  expect(failing).toThrow("full");
  expect([value.read(), people.exist()]).toEqual([null, false]);
  store.atomically(() => value.write("two"));
  value.write("three");
  expect([value.read(), people.exist()]).toEqual(["three", false]);
});

test("each value has an id, and two readers of one id share the value", () => {
  const store = openStore(sqliteStorage().storage);
  storedValue(store.tables(values), 1).write({ a: 1 });
  storedValue(store.tables(values), 2).write([2]);
  expect([
    storedValue(store.tables(values), 1).read(),
    storedValue(store.tables(values), 2).read(),
    storedValue(store.tables(values), 3).read(),
  ]).toEqual([{ a: 1 }, [2], null]);
});

test("a reset store creates its tables again", async () => {
  const store = openStore(sqliteStorage().storage);
  const value = storedValue<string>(store.tables(values), 1);
  value.write("one");
  await store.reset();
  expect(value.read()).toBeNull();
  value.write("two");
  expect(value.read()).toBe("two");
});
