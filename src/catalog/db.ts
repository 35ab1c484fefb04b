// Opens the catalog: drizzle over D1. `$client` is D1 itself, for batches of raw statements. Drizzle has no schema:
// each query imports its tables (tables/). Every primary key starts with the tenant. All tables are WITHOUT ROWID,
// which drizzle cannot express, so that an insert writes one row, not two. Instants are epoch milliseconds.
// migrations/*.sql create the tables; a test compares them with the tables in tables/.
import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";

export type Db = DrizzleD1Database & { readonly $client: D1Database };

const opened = new WeakMap<D1Database, Db>();

/** Returns the drizzle object of a D1 binding. It is created once per binding, because every request needs it. */
export function openDb(binding: D1Database): Db {
  const known = opened.get(binding);
  if (known) return known;
  const db = drizzle(binding);
  opened.set(binding, db);
  return db;
}
