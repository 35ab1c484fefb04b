// Publications: the history of what each definition's name resolved to. One row per change, written with the change
// itself. Its number detects concurrent changes.
import { and, desc, eq, lt, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { AuditRow } from "#schema/engine/projection.ts";
import { PUBLICATIONS_KEPT } from "#schema/limits/publications.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { auditIfChanged } from "../audit.ts";
import type { Db } from "../db.ts";
import { decodeCursor, pageOf, type Page } from "../page.ts";
import { definitions } from "../tables/definitions.ts";
import { publications } from "../tables/publications.ts";
import { resolvedVersion, type PublicationPlace } from "./name-resolution.ts";

export type Publication = typeof publications.$inferSelect;

/** 0 if nothing was published since publications are recorded. */
export async function lastNumber(db: Db, tenant: string, name: string): Promise<number> {
  const row = await db.get<{ number: number }>(sql`SELECT ${numberOf(tenant, name)} AS number`);
  return row.number;
}

/** Newest first. */
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

/** For a batch that changes a name's version: its condition, and the statements before and right after the change. */
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

/** Not stored if another change was first. */
export async function publishVersion(
  db: Db,
  publication: Publication,
  place: PublicationPlace,
  audit: AuditRow,
): Promise<boolean> {
  const { onlyIf, before, after } = recordPublication(db, publication);
  const change = db
    .update(definitions)
    .set({ publishedAt: place.at, withheld: null })
    .where(and(eq(definitions.version, place.version), sql`archived_at IS NULL`, ofName(publication), onlyIf));
  const [, done] = await db.batch([before, change, after, auditIfChanged(db, audit)]);
  return done.meta.changes > 0;
}

/** Reverts all publications after a position. Not done if another change was first. */
export async function rollBackVersions(
  db: Db,
  publication: Publication,
  { at, version }: PublicationPlace,
  audit: AuditRow,
): Promise<boolean> {
  const { onlyIf, before, after } = recordPublication(db, publication);
  const later = sql`archived_at IS NULL AND withheld IS NULL
    AND (coalesce(published_at, created_at), version) > (${at}, ${version})`;
  const change = db
    .update(definitions)
    .set({ withheld: "rolled_back" })
    .where(and(ofName(publication), later, onlyIf));
  const [, done] = await db.batch([before, change, after, auditIfChanged(db, audit)]);
  return done.meta.changes > 0;
}

/** For the batch that archives a version, or (null) all of a name: placed before it, if the name's version changes. */
export function recordArchived(db: Db, { tenant, at, actor, reason }: AuditRow, name: string, version: number | null) {
  const goes = version === null ? sql`TRUE` : sql`m.version = ${version}`;
  const meant = {
    was: resolvedVersion(sql`${tenant}`, sql`${name}`),
    left: resolvedVersion(sql`${tenant}`, sql`${name}`, goes),
  };
  const row = sql`SELECT ${tenant}, ${name}, ${numberOf(tenant, name)} + 1, ${at}, 'archived', "left", was, ${actor}, ${reason}
    FROM (SELECT ${meant.was} AS was, ${meant.left} AS "left") WHERE was IS NOT "left"`;
  return { before: forgetOldest(db, tenant, name), note: db.insert(publications).select(row) };
}

/** Each is kept until there are too many later ones. */
function forgetOldest(db: Db, tenant: string, name: string) {
  const old = sql`${publications.number} <= ${numberOf(tenant, name)} - ${PUBLICATIONS_KEPT - 1}`;
  return db.delete(publications).where(and(eq(publications.tenant, tenant), eq(publications.name, name), old));
}

function ofName({ tenant, name }: Pick<Publication, "tenant" | "name">): SQL | undefined {
  return and(eq(definitions.tenant, tenant), eq(definitions.name, name));
}

function numberOf(tenant: string, name: string): SQL {
  return sql`(SELECT coalesce(max(p.number), 0) FROM publications AS p WHERE p.tenant = ${tenant} AND p.name = ${name})`;
}
