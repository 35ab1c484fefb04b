// SQL of name resolution: which version a definition's name refers to. It is the version published last, of those that
// are neither archived nor withheld. A version without a publication time counts as published at its creation. The
// index is named, because D1 has no statistics and SQLite would walk all versions of the name.
import { sql, type SQL } from "drizzle-orm";
import type { Db } from "../db.ts";

/** Returns a subquery for the version number that the name resolves to. Versions that match `but` are excluded. */
export function resolvedVersion(tenant: SQL, name: SQL, but: SQL = sql`FALSE`): SQL {
  return sql`(SELECT m.version FROM ${ofName(tenant, name)} AND NOT (${but}) ORDER BY ${lastFirst} LIMIT 1)`;
}

/** A version and the instant of its publication. The name resolves to the version with the latest instant. */
export type PublishedInstant = { readonly version: number; readonly at: number };

/** Lists the versions that the name may resolve to, the current one first. Only the index is read. */
export async function listEligibleVersions(
  db: Db,
  tenant: string,
  name: string,
  limit: number,
): Promise<readonly PublishedInstant[]> {
  return db.all<PublishedInstant>(sql`SELECT m.version AS version, ${place} AS at FROM ${ofName(sql`${tenant}`, sql`${name}`)}
    ORDER BY ${lastFirst} LIMIT ${limit}`);
}

const place = sql`coalesce(m.published_at, m.created_at)`;
const lastFirst = sql`${place} DESC, m.version DESC`;

function ofName(tenant: SQL, name: SQL): SQL {
  return sql`definitions AS m INDEXED BY definitions_published
    WHERE m.tenant = ${tenant} AND m.name = ${name} AND m.archived_at IS NULL AND m.withheld IS NULL`;
}
