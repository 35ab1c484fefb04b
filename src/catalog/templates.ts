// Message templates: one row a version, never changed but for the archived mark. The same shape as definitions.
import { and, asc, desc, eq, getTableColumns, gt, isNull, lt, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import type { AuditRow } from "#schema/engine/projection.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { auditIfChanged } from "./audit.ts";
import type { Db } from "./db.ts";
import { decodeCursor, pageOf, type Page } from "./page.ts";
import { templates } from "./tables/templates.ts";

export type StoredTemplate = typeof templates.$inferSelect;
/** Lists leave the body out: it is most of the row. */
export type TemplateSummary = Omit<StoredTemplate, "body">;
export type TemplateKey = { readonly name: string; readonly version: number | null };

const { body: _left, ...summary } = getTableColumns(templates);

/** False: that version is there already; somebody was quicker. */
export async function insertTemplate(db: Db, row: StoredTemplate, audit: AuditRow): Promise<boolean> {
  const insert = db.insert(templates).values(row).onConflictDoNothing();
  const [result] = await db.batch([insert, auditIfChanged(db, audit)]);
  return result.meta.changes > 0;
}

/** A name alone means its latest version that is not archived or, where all are, the latest. */
export async function findTemplate(db: Db, tenant: string, key: TemplateKey): Promise<StoredTemplate | null> {
  const row = await db
    .select()
    .from(templates)
    .where(and(eq(templates.tenant, tenant), matching(key)))
    .orderBy(desc(sql`archived_at IS NULL`), desc(templates.version))
    .limit(1)
    .get();
  return row ?? null;
}

/** 0 where the name is new. Archived versions count: a number is never used twice. */
export async function latestTemplateVersion(db: Db, tenant: string, name: string): Promise<number> {
  const row = await db
    .select({ version: templates.version })
    .from(templates)
    .where(and(eq(templates.tenant, tenant), eq(templates.name, name)))
    .orderBy(desc(templates.version))
    .limit(1)
    .get();
  return row?.version ?? 0;
}

/** The latest version of each name, by name; names of which every version is archived are left out. */
export async function listTemplates(
  db: Db,
  tenant: string,
  cursor: string | null,
  limit: number,
): Promise<Result<Page<TemplateSummary>>> {
  const after = decodeCursor(cursor, z.tuple([z.string()]));
  if (!after.ok) return after;
  const latest = sql`templates.version = (SELECT max(t.version) FROM templates t
    WHERE t.tenant = templates.tenant AND t.name = templates.name AND t.archived_at IS NULL)`;
  const page = after.value === null ? undefined : gt(templates.name, after.value[0]);
  const rows = await db
    .select(summary)
    .from(templates)
    .where(and(eq(templates.tenant, tenant), page, latest))
    .orderBy(asc(templates.name))
    .limit(limit + 1);
  return accept(pageOf(rows, limit, (last) => [last.name]));
}

/** Newest first, archived ones too. */
export async function listTemplateVersions(
  db: Db,
  tenant: string,
  name: string,
  cursor: string | null,
  limit: number,
): Promise<Result<Page<TemplateSummary>>> {
  const after = decodeCursor(cursor, z.tuple([z.number()]));
  if (!after.ok) return after;
  const page = after.value === null ? undefined : lt(templates.version, after.value[0]);
  const rows = await db
    .select(summary)
    .from(templates)
    .where(and(eq(templates.tenant, tenant), eq(templates.name, name), page))
    .orderBy(desc(templates.version))
    .limit(limit + 1);
  return accept(pageOf(rows, limit, (last) => [last.version]));
}

/** How many versions archiving would archive. */
export async function countArchivableTemplates(db: Db, tenant: string, key: TemplateKey): Promise<number> {
  return db.$count(templates, archivable(tenant, key));
}

/** A name alone archives all its versions. Says how many were archived by this call. */
export async function archiveTemplate(
  db: Db,
  tenant: string,
  key: TemplateKey,
  at: number,
  audit: AuditRow,
): Promise<number> {
  const archive = db.update(templates).set({ archivedAt: at }).where(archivable(tenant, key));
  const [result] = await db.batch([archive, auditIfChanged(db, audit)]);
  return result.meta.changes;
}

function archivable(tenant: string, key: TemplateKey): SQL | undefined {
  return and(eq(templates.tenant, tenant), matching(key), isNull(templates.archivedAt));
}

function matching({ name, version }: TemplateKey): SQL | undefined {
  return and(eq(templates.name, name), version === null ? undefined : eq(templates.version, version));
}
