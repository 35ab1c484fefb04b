// Stores the history of publications: one row for each change of the version that a definition's name resolves to. The
// row is written in the batch of that change. Publications are numbered, and a change is refused if its number is
// already used.
import { and, desc, eq, lt, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import { z } from "zod";
import type { AuditRow } from "#schema/engine/projection.ts";
import { PUBLICATIONS_KEPT } from "#schema/limits/definition-sizes.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { auditIfChanged } from "../audit.ts";
import type { Db } from "../db.ts";
import { replaceCaps, type VersionCaps } from "./definition-caps.ts";
import { decodeCursor, pageOf, type Page } from "../page.ts";
import { definitions } from "../tables/definitions.ts";
import { publications } from "../tables/publications.ts";
import { resolvedVersion, type PublishedInstant } from "./name-resolution.ts";

export type Publication = typeof publications.$inferSelect;

/** Returns the number of the name's latest publication; 0 if there is none. */
export async function lastPublicationNumber(db: Db, tenant: string, name: string): Promise<number> {
  const row = await db.get<{ number: number }>(sql`SELECT ${numberOf(tenant, name)} AS number`);
  return row.number;
}

/** Lists publications, newest first. */
export async function listPublications(
  db: Db,
  tenant: string,
  name: string,
  cursor: string | null,
  limit: number,
): Promise<Result<Page<Publication>>> {
  const after = decodeCursor(cursor, z.tuple([z.number()]));
  if (!after.ok) return after;
  const page = after.value === null ? undefined : lt(publications.number, after.value[0]);
  const rows = await db
    .select()
    .from(publications)
    .where(and(eq(publications.tenant, tenant), eq(publications.name, name), page))
    .orderBy(desc(publications.number))
    .limit(limit + 1);
  return accept(pageOf(rows, limit, (last) => [last.number]));
}

/**
 * Returns what the batch of a change needs to record the publication: a condition for the change, a statement before
 * the change, and a statement after it.
 */
export function recordPublication(db: Db, publication: Publication) {
  const { tenant, name, number } = publication;
  const { at, verb, version, was, actor, reason } = publication;
  const row = sql`SELECT ${tenant}, ${name}, ${number}, ${at}, ${verb}, ${version}, ${was}, ${actor}, ${reason}`;
  return {
    onlyIf: sql`${numberOf(tenant, name)} = ${number - 1}`,
    before: forgetOldest(db, tenant, name),
    after: db.insert(publications).select(sql`${row} WHERE changes() > 0`),
  };
}

/** What a change of the version that a name resolves to stores: the publication, its audit row, the version's caps. */
export type PublicationChange = {
  readonly publication: Publication;
  readonly audit: AuditRow;
  readonly caps: VersionCaps;
};

/** Publishes a version. Returns false if a concurrent change was stored first. `uses`: records its calendars. */
export async function publishVersion(
  db: Db,
  place: PublishedInstant,
  { publication, audit, caps }: PublicationChange,
  uses: readonly BatchItem<"sqlite">[] = [],
): Promise<boolean> {
  const { onlyIf, before, after } = recordPublication(db, publication);
  const change = db
    .update(definitions)
    .set({ publishedAt: place.at, withheld: null })
    .where(and(eq(definitions.version, place.version), sql`archived_at IS NULL`, isOfName(publication), onlyIf));
  const [, done] = await db.batch([
    ...([before, change, after, auditIfChanged(db, audit)] as const),
    ...replaceCaps(db, publication, caps),
    ...uses,
  ]);
  return done.meta.changes > 0;
}

/**
 * Withholds all versions published after the target version, so that the name resolves to the target. Returns false if
 * a concurrent change was stored first.
 */
export async function rollBackVersions(
  db: Db,
  { at, version }: PublishedInstant,
  { publication, audit, caps }: PublicationChange,
): Promise<boolean> {
  const { onlyIf, before, after } = recordPublication(db, publication);
  const later = sql`archived_at IS NULL AND withheld IS NULL
    AND (coalesce(published_at, created_at), version) > (${at}, ${version})`;
  const change = db
    .update(definitions)
    .set({ withheld: "rolled_back" })
    .where(and(isOfName(publication), later, onlyIf));
  const [, done] = await db.batch([
    ...([before, change, after, auditIfChanged(db, audit)] as const),
    ...replaceCaps(db, publication, caps),
  ]);
  return done.meta.changes > 0;
}

/**
 * Returns the statements that record an archiving. They come before the archiving in its batch. `version` null archives
 * all versions. A publication is recorded only if the name then resolves to another version.
 */
export function recordArchived(db: Db, { tenant, at, actor, reason }: AuditRow, name: string, version: number | null) {
  const isArchived = version === null ? sql`TRUE` : sql`m.version = ${version}`;
  const resolved = {
    was: resolvedVersion(sql`${tenant}`, sql`${name}`),
    left: resolvedVersion(sql`${tenant}`, sql`${name}`, isArchived),
  };
  const row = sql`SELECT ${tenant}, ${name}, ${numberOf(tenant, name)} + 1, ${at}, 'archived', "left", was, ${actor}, ${reason}
    FROM (SELECT ${resolved.was} AS was, ${resolved.left} AS "left") WHERE was IS NOT "left"`;
  return { before: forgetOldest(db, tenant, name), note: db.insert(publications).select(row) };
}

/** Deletes the oldest publications of a name, so that at most PUBLICATIONS_KEPT remain. */
function forgetOldest(db: Db, tenant: string, name: string) {
  const old = sql`${publications.number} <= ${numberOf(tenant, name)} - ${PUBLICATIONS_KEPT - 1}`;
  return db.delete(publications).where(and(eq(publications.tenant, tenant), eq(publications.name, name), old));
}

function isOfName({ tenant, name }: Pick<Publication, "tenant" | "name">): SQL | undefined {
  return and(eq(definitions.tenant, tenant), eq(definitions.name, name));
}

/** Returns a subquery for the number of the name's latest publication. */
function numberOf(tenant: string, name: string): SQL {
  return sql`(SELECT coalesce(max(p.number), 0) FROM publications AS p WHERE p.tenant = ${tenant} AND p.name = ${name})`;
}
