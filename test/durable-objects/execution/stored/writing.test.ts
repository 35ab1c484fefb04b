// Tests which rows are written in a savepoint, on a database in memory that rolls back as the platform's does.
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { expect, it } from "vitest";
import { openWriting } from "#objects/execution/stored/writing.ts";

const INSERT = "INSERT INTO rows VALUES (?)";

function opened() {
  const db = new DatabaseSync(":memory:");
  db.exec("CREATE TABLE rows (a INTEGER NOT NULL)");
  let savepoints = 0;
  const exec = (query: string, ...values: SQLInputValue[]): void => void db.prepare(query).run(...values);
  const transactionSync = (work: () => void): void => {
    savepoints += 1;
    db.exec("SAVEPOINT one");
    try {
      work();
      db.exec("RELEASE one");
    } catch (fault) {
      db.exec("ROLLBACK TO one");
      throw fault;
    }
  };
  const storage = { sql: { exec }, transactionSync } as unknown as DurableObjectStorage; // these are all members that the code uses
  const stored = (): readonly unknown[] =>
    db
      .prepare("SELECT a FROM rows")
      .all()
      .map(({ a }) => a);
  return { ...openWriting(storage), stored, savepoints: () => savepoints };
}

it("a single row has no savepoint, and several rows have one", () => {
  const { atomicallyAtEnd, write, stored, savepoints } = opened();
  atomicallyAtEnd(() => {});
  atomicallyAtEnd(() => write(INSERT, 1));
  expect([stored(), savepoints()]).toEqual([[1], 0]);
  atomicallyAtEnd(() => {
    write(INSERT, 2);
    write(INSERT, 3);
  });
  expect([stored(), savepoints()]).toEqual([[1, 2, 3], 1]);
});

it("rows of atomicallyAtEnd are visible after it", () => {
  const { atomicallyAtEnd, write, stored } = opened();
  const seen: unknown[] = [];
  atomicallyAtEnd(() => {
    write(INSERT, 1);
    seen.push(...stored());
  });
  expect([seen, stored()]).toEqual([[], [1]]);
});

it("a refused row undoes all rows of its call", () => {
  const { atomicallyAtEnd, write, stored } = opened();
  const failing = (): void => {
    write(INSERT, 1);
    write(INSERT, null);
  };
  expect(() => atomicallyAtEnd(failing)).toThrow("NOT NULL");
  expect(() => atomicallyAtEnd(() => write(INSERT, null))).toThrow("NOT NULL");
  expect(stored()).toEqual([]);
});

it("work that throws writes nothing", () => {
  const { atomicallyAtEnd, atomically, write, stored } = opened();
  const breaking = (): void => {
    write(INSERT, 1);
    throw new Error("a mistake");
  };
  expect(() => atomicallyAtEnd(breaking)).toThrow("a mistake");
  expect(() => atomically(breaking)).toThrow("a mistake");
  write(INSERT, 2);
  expect(stored()).toEqual([2]);
});
