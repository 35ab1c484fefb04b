// Catalog handle: drizzle over D1, and underneath (`$client`) D1 itself for batches of json_each statements. Drizzle
// has no schema: each query imports its tables (tables/). In all of them the tenant comes first in the key, and all are
// WITHOUT ROWID, which drizzle cannot express: a key is one row written, not two. Instants are epoch milliseconds.
// migrations/*.sql create the tables; a test proves that the two agree.
import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";

export type Db = DrizzleD1Database & { readonly $client: D1Database };

const opened = new WeakMap<D1Database, Db>();

/** Once per binding, because every request needs it. */
export function openDb(binding: D1Database): Db {
  const known = opened.get(binding);
  if (known) return known;
  const db = drizzle(binding);
  opened.set(binding, db);
  return db;
}
