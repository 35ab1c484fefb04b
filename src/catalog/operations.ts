// Bulk operations in the catalog: one row each, written when it begins and when it ends. Only its object knows the
// progress of a running one.
import { and, desc, eq, inArray, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { operationVerbs, type OperationStatus, type ShownVerb } from "#schema/operation.ts";
import type { AuditRow } from "#schema/engine/projection.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { Db } from "./db.ts";
import { decodeCursor, pageOf, type Page } from "./page.ts";
import { audit } from "./tables/audit.ts";
import { operations } from "./tables/operations.ts";

export type StoredOperation = typeof operations.$inferSelect;
export type OperationFilters = { readonly verb?: ShownVerb | undefined; readonly status?: OperationStatus | undefined };

/** With the actors who began and aborted it. Idempotent; an end is never reverted. */
export async function keepOperation(db: Db, row: StoredOperation, audits: readonly AuditRow[]): Promise<void> {
  const { status, finishedAt, counts, stopped } = row;
  await db.batch([
    db
      .insert(operations)
      .values(row)
      .onConflictDoUpdate({
        target: [operations.tenant, operations.id],
        set: { status, finishedAt, counts, stopped },
        setWhere: inArray(operations.status, ["open", "running"]),
      }),
    ...audits.map((each) => db.insert(audit).values(each).onConflictDoNothing()),
  ]);
}

export async function findOperation(db: Db, tenant: string, id: string): Promise<StoredOperation | null> {
  return (await db.select().from(operations).where(is(tenant, id)).get()) ?? null;
}

export async function countLiveOperations(db: Db, tenant: string): Promise<number> {
  return db.$count(operations, and(eq(operations.tenant, tenant), inArray(operations.status, ["open", "running"])));
}

/** Newest first. */
export async function listOperations(
  db: Db,
  tenant: string,
  { verb, status }: OperationFilters,
  cursor: string | null,
  limit: number,
): Promise<Result<Page<StoredOperation>>> {
  const after = decodeCursor(cursor, z.tuple([z.number(), z.string()]));
  if (!after.ok) return after;
  const rows = await db
    .select()
    .from(operations)
    .where(
      and(
        eq(operations.tenant, tenant),
        after.value === null ? undefined : sql`(created_at, id) < (${after.value[0]}, ${after.value[1]})`,
        verb === undefined ? undefined : isOf(verb),
        status === undefined ? undefined : eq(operations.status, status),
      ),
    )
    .orderBy(desc(operations.createdAt), desc(operations.id))
    .limit(limit + 1);
  return accept(pageOf(rows, limit, (last) => [last.createdAt, last.id]));
}

/** As listed: of an operation over executions, the verb it applies to each. */
function isOf(verb: ShownVerb): SQL {
  const own = operationVerbs.find((each) => each === verb);
  const steers = sql`(verb = 'steer' AND request ->> '$.steer.verb' = ${verb})`;
  return own === undefined ? steers : sql`(verb = ${own} OR ${steers})`;
}

/** Purges one bounded chunk of those that ended before the tenant's retention; returns the number of rows. */
export async function purgeOperations(db: Db, now: number, limit: number): Promise<number> {
  const result = await db.run(sql`
    DELETE FROM operations WHERE (tenant, id) IN
      (SELECT o.tenant, o.id FROM tenants t CROSS JOIN operations o
        WHERE o.tenant = t.id AND o.created_at < ${now} - t.retention_days * 86400000
          AND o.finished_at < ${now} - t.retention_days * 86400000 LIMIT ${limit})`);
  return result.meta.changes;
}

function is(tenant: string, id: string): SQL | undefined {
  return and(eq(operations.tenant, tenant), eq(operations.id, id));
}
