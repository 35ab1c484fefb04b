// Statements for rows with versions: definitions and message templates. A version is immutable except for its archived
// mark. A reference has a name, and may have a version.
import { and, asc, desc, eq, getTableColumns, gt, isNull, lt, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import { z } from "zod";
import type { AuditRow } from "#schema/engine/projection.ts";
import type { StoredQuota } from "#schema/quota.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { auditIfChanged } from "./audit.ts";
import type { Db } from "./db.ts";
import { decodeCursor, pageOf, type Page } from "./page.ts";
import { insertIfRoom, runInsert, type InsertExtras, type InsertResult } from "./quotas.ts";

export type VersionRow = {
  readonly tenant: string;
  readonly name: string;
  readonly version: number;
  readonly hash: string;
  readonly createdAt: number;
  readonly archivedAt: number | null;
  readonly body: string;
};
export type VersionKey = { readonly name: string; readonly version: number | null };
/** A row as lists contain it: without the body, which is most of the row's size, and without internal columns. */
export type SummaryOf<Row extends VersionRow> = Omit<Row, (typeof UNLISTED)[number]>;
const UNLISTED = ["body", "keyedPlacement"] as const;

type VersionTable = SQLiteTable & { readonly [column in keyof VersionRow]: SQLiteColumn };

/** Configures a table of versions: which rows a key selects, and how a name resolves to a version. */
export type Versioned<Row extends VersionRow, Key> = {
  readonly table: VersionTable;
  readonly matching: (key: Key) => SQL | undefined;
  /**
   * The condition for the version that a key resolves to. If the condition is absent or matches no row, the condition
   * of `matching` is used.
   */
  readonly preferred?: (tenant: string, key: Key) => SQL | undefined;
  /** A subquery for the version that the row's name resolves to. It gives null if there is no such version. */
  readonly resolved?: SQL;
  /** Computed fields that queries return in addition to the columns. */
  readonly derived?: { readonly [field: string]: SQL };
  /** Returns the statements that come before the archiving statement in its batch. */
  readonly archiving?: (db: Db, audit: AuditRow, row: Row, key: Key) => Archiving;
  readonly ofName: (name: string) => Key;
  /** The quota that limits the number of rows. */
  readonly quota: StoredQuota;
};

type Archiving = { readonly before: BatchItem<"sqlite">; readonly note: BatchItem<"sqlite"> };

export function byName(table: VersionTable, { name, version }: VersionKey): SQL | undefined {
  return and(eq(table.name, name), version === null ? undefined : eq(table.version, version));
}

/** Inserts a version, unless a concurrent request has stored the same version or the quota is used up. */
export async function insertVersion<Row extends VersionRow, Key>(
  db: Db,
  { table, quota }: Versioned<Row, Key>,
  row: Row,
  audit: AuditRow,
  extras?: InsertExtras,
): Promise<InsertResult> {
  const insert = insertIfRoom(db, table, quota, row, { onlyIf: extras?.onlyIf }).onConflictDoNothing();
  return runInsert(db, quota, row.tenant, insert, audit, extras);
}

/**
 * Finds the version that a key refers to. A name without a version resolves by `preferred`, otherwise to the latest
 * version that is not archived, otherwise to the latest.
 */
export async function findVersion<Row extends VersionRow, Key>(
  db: Db,
  versioned: Versioned<Row, Key>,
  tenant: string,
  key: Key,
): Promise<Row | null> {
  const first = versioned.preferred?.(tenant, key);
  const found = first === undefined ? null : await findBest(db, versioned, tenant, first);
  return found ?? findBest(db, versioned, tenant, versioned.matching(key));
}

/** Finds the version that a name without a version resolves to. */
export async function findByName<Row extends VersionRow, Key>(
  db: Db,
  versioned: Versioned<Row, Key>,
  tenant: string,
  name: string,
): Promise<Row | null> {
  return findVersion(db, versioned, tenant, versioned.ofName(name));
}

/** Finds the newest version that is not archived and has the same body; null if there is none. */
export async function findSameBody<Row extends VersionRow, Key>(
  db: Db,
  versioned: Versioned<Row, Key>,
  { tenant, name, hash }: Pick<VersionRow, "tenant" | "name" | "hash">,
): Promise<Row | null> {
  const { table } = versioned;
  return findBest(db, versioned, tenant, and(eq(table.name, name), eq(table.hash, hash), isNull(table.archivedAt)));
}

/** Finds the newest version that is not archived, which may differ from the version that the name resolves to. */
export async function findNewest<Row extends VersionRow, Key>(
  db: Db,
  versioned: Versioned<Row, Key>,
  tenant: string,
  name: string,
): Promise<Row | null> {
  return findBest(db, versioned, tenant, and(eq(versioned.table.name, name), isNull(versioned.table.archivedAt)));
}

/**
 * Returns the highest version number of a name; 0 if the name is new. Archived versions count, so that no number is
 * reused.
 */
export async function latestVersion<Row extends VersionRow, Key>(
  db: Db,
  { table }: Versioned<Row, Key>,
  tenant: string,
  name: string,
): Promise<number> {
  const row = await db
    .select({ version: table.version })
    .from<SQLiteTable>(table)
    .where(and(eq(table.tenant, tenant), eq(table.name, name)))
    .orderBy(desc(table.version))
    .limit(1)
    .get();
  return (row?.version as number | undefined) ?? 0; // the column contains integers
}

/**
 * Lists one version for each name: the version that the name resolves to. A name whose versions are all archived is
 * left out.
 */
export async function listLatest<Row extends VersionRow, Key>(
  db: Db,
  versioned: Versioned<Row, Key>,
  tenant: string,
  cursor: string | null,
  limit: number,
): Promise<Result<Page<SummaryOf<Row>>>> {
  const after = decodeCursor(cursor, z.tuple([z.string()]));
  if (!after.ok) return after;
  const { table, resolved = sql`NULL` } = versioned;
  const newest = sql`(SELECT max(v.version) FROM ${table} v
    WHERE v.tenant = ${table.tenant} AND v.name = ${table.name} AND v.archived_at IS NULL)`;
  const page = after.value === null ? undefined : gt(table.name, after.value[0]);
  const rows = await db
    .select(summary(versioned))
    .from(table)
    .where(and(eq(table.tenant, tenant), page, sql`${table.version} = coalesce(${resolved}, ${newest})`))
    .orderBy(asc(table.name))
    .limit(limit + 1);
  const found = rows as SummaryOf<Row>[]; // the query selects all listed columns
  return accept(pageOf(found, limit, (last) => [last.name]));
}

/** Lists all versions of a name, newest first, including archived ones. */
export async function listVersions<Row extends VersionRow, Key>(
  db: Db,
  versioned: Versioned<Row, Key>,
  tenant: string,
  name: string,
  cursor: string | null,
  limit: number,
): Promise<Result<Page<SummaryOf<Row>>>> {
  const after = decodeCursor(cursor, z.tuple([z.number()]));
  if (!after.ok) return after;
  const { table } = versioned;
  const page = after.value === null ? undefined : lt(table.version, after.value[0]);
  const rows = await db
    .select(summary(versioned))
    .from(table)
    .where(and(eq(table.tenant, tenant), eq(table.name, name), page))
    .orderBy(desc(table.version))
    .limit(limit + 1);
  const found = rows as SummaryOf<Row>[]; // the query selects all listed columns
  return accept(pageOf(found, limit, (last) => [last.version]));
}

/** Counts the versions that `archiveVersions` would archive. */
export async function countArchivable<Row extends VersionRow, Key>(
  db: Db,
  versioned: Versioned<Row, Key>,
  tenant: string,
  key: Key,
): Promise<number> {
  return db.$count(versioned.table, archivable(versioned, tenant, key));
}

/**
 * Archives the version that a key names; a name without a version archives all its versions. Returns the number of
 * archived versions.
 */
export async function archiveVersions<Row extends VersionRow, Key>(
  db: Db,
  versioned: Versioned<Row, Key>,
  row: Row,
  key: Key,
  at: number,
  audit: AuditRow,
): Promise<number> {
  const archive = db
    .update(versioned.table)
    .set({ archivedAt: at })
    .where(archivable(versioned, row.tenant, key));
  const audited = auditIfChanged(db, audit);
  const statements = versioned.archiving?.(db, audit, row, key);
  if (statements === undefined) return (await db.batch([archive, audited]))[0].meta.changes;
  const [, , done] = await db.batch([statements.before, statements.note, archive, audited]);
  return done.meta.changes;
}

/**
 * Returns the latest matching version that is not archived. If all are archived, returns the latest matching version.
 */
async function findBest<Row extends VersionRow, Key>(
  db: Db,
  { table, derived = {} }: Versioned<Row, Key>,
  tenant: string,
  resolved: SQL | undefined,
): Promise<Row | null> {
  const row = await db
    .select({ ...getTableColumns(table), ...derived })
    .from<SQLiteTable>(table)
    .where(and(eq(table.tenant, tenant), resolved))
    .orderBy(desc(sql`archived_at IS NULL`), desc(table.version))
    .limit(1)
    .get();
  return (row as Row | undefined) ?? null; // the query selects all columns and the computed fields
}

function archivable<Row extends VersionRow, Key>({ table, matching }: Versioned<Row, Key>, tenant: string, key: Key) {
  return and(eq(table.tenant, tenant), matching(key), isNull(table.archivedAt));
}

function summary<Row extends VersionRow, Key>({ table, derived = {} }: Versioned<Row, Key>) {
  const columns = Object.entries<SQLiteColumn>(getTableColumns(table));
  const listed = columns.filter(([field]) => !UNLISTED.some((unlisted) => unlisted === field));
  return { ...Object.fromEntries(listed), ...derived };
}
