// Database of the bench of lists: a local SQLite with the catalog's tables, behind the part of D1 that lists use.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { openDb, type Db } from "#catalog/db.ts";

const MIGRATIONS = join(import.meta.dirname, "../../migrations");

export function openDatabase(): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  for (const name of readdirSync(MIGRATIONS).toSorted()) database.exec(readFileSync(join(MIGRATIONS, name), "utf8"));
  return database;
}

/** Returns the catalog over the database. It reads only. */
export function catalogOver(database: DatabaseSync): Db {
  const prepare = (text: string, values: SQLInputValue[] = []): unknown => ({
    bind: (...bound: SQLInputValue[]) => prepare(text, bound),
    all: async () => ({ results: database.prepare(text).all(...values), meta: {}, success: true }),
    raw: async () =>
      database
        .prepare(text)
        .all(...values)
        .map((row) => Object.values(row)),
  });
  return openDb({ prepare } as unknown as D1Database); // lists call `prepare`, `bind`, `all` and `raw` only
}
