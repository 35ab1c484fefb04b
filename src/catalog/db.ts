// The catalog's handle: drizzle over D1, and underneath (`$client`) D1 itself for batches of json_each statements.
import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import * as tables from "./tables/executions.ts";

export type Db = DrizzleD1Database<typeof tables> & { readonly $client: D1Database };

const opened = new WeakMap<D1Database, Db>();

/** Once a binding: drizzle works out its tables' relations anew each time, on the way of every request. */
export function openDb(binding: D1Database): Db {
  const known = opened.get(binding);
  if (known) return known;
  const db = drizzle(binding, { schema: tables });
  opened.set(binding, db);
  return db;
}
