// Name resolution: which of its versions a definition's name resolves to: of those neither archived nor withheld, the
// one published last. A version that was never published separately counts as published at creation. The index is
// named, because SQLite (it has no statistics here) would walk all versions of the name.
import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../db.ts";

/** The version number, as a query or a subquery; `but` excludes versions. */
export function resolvedVersion(tenant: SQL, name: SQL, but: SQL = sql`FALSE`): SQL {
  return sql`(SELECT m.version FROM ${ofName(tenant, name)} AND NOT (${but}) ORDER BY ${lastFirst} LIMIT 1)`;
}

/** A version's position in the order of publications: the higher, the later. */
export type PublicationPlace = { readonly version: number; readonly at: number };

/** Eligible versions, the current one first. Read from the index alone. */
export async function listPlaces(
  db: Db,
  tenant: string,
  name: string,
  limit: number,
): Promise<readonly PublicationPlace[]> {
  return db.all<PublicationPlace>(sql`SELECT m.version AS version, ${place} AS at FROM ${ofName(sql`${tenant}`, sql`${name}`)}
    ORDER BY ${lastFirst} LIMIT ${limit}`);
}

const place = sql`coalesce(m.published_at, m.created_at)`;
const lastFirst = sql`${place} DESC, m.version DESC`;

function ofName(tenant: SQL, name: SQL): SQL {
  return sql`definitions AS m INDEXED BY definitions_published
    WHERE m.tenant = ${tenant} AND m.name = ${name} AND m.archived_at IS NULL AND m.withheld IS NULL`;
}
