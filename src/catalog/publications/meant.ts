// Which of its versions a definition's name means: of those that are neither archived nor withheld, the one published last.
// One that nobody published by itself was published as it was created. Its index is named, or SQLite (it has no statistics
// here) would walk all versions of the name.
import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../db.ts";

/** Its number, as a query of its own or within another one; `but` leaves versions out. */
export function meantVersion(tenant: SQL, name: SQL, but: SQL = sql`FALSE`): SQL {
  return sql`(SELECT m.version FROM ${ofName(tenant, name)} AND NOT (${but}) ORDER BY ${lastFirst} LIMIT 1)`;
}

/** Where a version stands in the order of publications: the higher, the later. */
export type Place = { readonly version: number; readonly at: number };

/** What may be meant, the one that is meant first. Read from the index alone. */
export async function listPlaces(db: Db, tenant: string, name: string, limit: number): Promise<readonly Place[]> {
  return db.all<Place>(sql`SELECT m.version AS version, ${place} AS at FROM ${ofName(sql`${tenant}`, sql`${name}`)}
    ORDER BY ${lastFirst} LIMIT ${limit}`);
}

const place = sql`coalesce(m.published_at, m.created_at)`;
const lastFirst = sql`${place} DESC, m.version DESC`;

function ofName(tenant: SQL, name: SQL): SQL {
  return sql`definitions AS m INDEXED BY definitions_published
    WHERE m.tenant = ${tenant} AND m.name = ${name} AND m.archived_at IS NULL AND m.withheld IS NULL`;
}
