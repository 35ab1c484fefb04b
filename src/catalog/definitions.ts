// Definitions: one row a version, never changed but for the archived mark. A reference is a name, a name with a
// version, or the id of one version.
import { and, asc, desc, eq, getTableColumns, gt, isNull, lt, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { AuditRow } from "#schema/engine/projection.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { auditIfChanged } from "./audit.ts";
import type { Db } from "./db.ts";
import { decodeCursor, pageOf, type Page } from "./page.ts";
import { definitions } from "./tables/definitions.ts";

export type StoredDefinition = typeof definitions.$inferSelect;
/** Lists leave the body out: it is most of the row. */
export type DefinitionSummary = Omit<StoredDefinition, "body">;
export type DefinitionKey = { readonly id: string } | { readonly name: string; readonly version: number | null };

const { body: _left, ...summary } = getTableColumns(definitions);

/** False: that version is there already; somebody was quicker. */
export async function insertDefinition(db: Db, row: StoredDefinition, audit: AuditRow): Promise<boolean> {
  const insert = db.insert(definitions).values(row).onConflictDoNothing();
  const [result] = await db.batch([insert, auditIfChanged(db, audit)]);
  return result.meta.changes > 0;
}

/** A name alone means its latest version that is not archived or, where all are, the latest. */
export async function findDefinition(db: Db, tenant: string, key: DefinitionKey): Promise<StoredDefinition | null> {
  const row = await db
    .select()
    .from(definitions)
    .where(and(eq(definitions.tenant, tenant), matching(key)))
    .orderBy(desc(sql`archived_at IS NULL`), desc(definitions.version))
    .limit(1)
    .get();
  return row ?? null;
}

/** 0 where the name is new. Archived versions count: a number is never used twice. */
export async function latestVersion(db: Db, tenant: string, name: string): Promise<number> {
  const row = await db
    .select({ version: definitions.version })
    .from(definitions)
    .where(and(eq(definitions.tenant, tenant), eq(definitions.name, name)))
    .orderBy(desc(definitions.version))
    .limit(1)
    .get();
  return row?.version ?? 0;
}

/** The latest version of each name, by name; names of which every version is archived are left out. */
export async function listDefinitions(
  db: Db,
  tenant: string,
  cursor: string | null,
  limit: number,
): Promise<Result<Page<DefinitionSummary>>> {
  const after = decodeCursor(cursor, z.tuple([z.string()]));
  if (!after.ok) return after;
  const latest = sql`definitions.version = (SELECT max(d.version) FROM definitions d
    WHERE d.tenant = definitions.tenant AND d.name = definitions.name AND d.archived_at IS NULL)`;
  const page = after.value === null ? undefined : gt(definitions.name, after.value[0]);
  const rows = await db
    .select(summary)
    .from(definitions)
    .where(and(eq(definitions.tenant, tenant), page, latest))
    .orderBy(asc(definitions.name))
    .limit(limit + 1);
  return accept(pageOf(rows, limit, (last) => [last.name]));
}

/** Newest first, archived ones too. */
export async function listDefinitionVersions(
  db: Db,
  tenant: string,
  name: string,
  cursor: string | null,
  limit: number,
): Promise<Result<Page<DefinitionSummary>>> {
  const after = decodeCursor(cursor, z.tuple([z.number()]));
  if (!after.ok) return after;
  const page = after.value === null ? undefined : lt(definitions.version, after.value[0]);
  const rows = await db
    .select(summary)
    .from(definitions)
    .where(and(eq(definitions.tenant, tenant), eq(definitions.name, name), page))
    .orderBy(desc(definitions.version))
    .limit(limit + 1);
  return accept(pageOf(rows, limit, (last) => [last.version]));
}

/** How many versions archiving would archive. */
export async function countArchivable(db: Db, tenant: string, key: DefinitionKey): Promise<number> {
  return db.$count(definitions, archivable(tenant, key));
}

/** A name alone archives all its versions. Says how many were archived by this call. */
export async function archiveDefinition(
  db: Db,
  tenant: string,
  key: DefinitionKey,
  at: number,
  audit: AuditRow,
): Promise<number> {
  const archive = db.update(definitions).set({ archivedAt: at }).where(archivable(tenant, key));
  const [result] = await db.batch([archive, auditIfChanged(db, audit)]);
  return result.meta.changes;
}

function archivable(tenant: string, key: DefinitionKey): SQL | undefined {
  return and(eq(definitions.tenant, tenant), matching(key), isNull(definitions.archivedAt));
}

function matching(key: DefinitionKey): SQL | undefined {
  if ("id" in key) return eq(definitions.id, key.id);
  const name = eq(definitions.name, key.name);
  return key.version === null ? name : and(name, eq(definitions.version, key.version));
}
