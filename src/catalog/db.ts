// The catalog's handle: drizzle over D1, and underneath (`$client`) D1 itself for batches of json_each statements.
import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";
import * as tables from "./tables.ts";

export type Db = DrizzleD1Database<typeof tables> & { readonly $client: D1Database };

export function openDb(binding: D1Database): Db {
  return drizzle(binding, { schema: tables });
}
