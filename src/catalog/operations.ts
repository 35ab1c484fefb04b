// Stores and lists bulk operations. A row is written when the operation starts and when it ends. While an operation
// runs, only its Durable Object stores the progress.
import { and, desc, eq, inArray, sql, type SQL } from "drizzle-orm";
import { z } from "zod";
import { DAY_MS } from "#schema/limits/upkeep/statistics.ts";
import { operationVerbs, type OperationStatus, type ShownVerb } from "#schema/operation.ts";
import type { AuditRow } from "#schema/engine/projection.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { Db } from "./db.ts";
import { decodeCursor, pageOf, type Page } from "./page.ts";
import { audit } from "./tables/audit.ts";
import { operations } from "./tables/operations.ts";

export type StoredOperation = typeof operations.$inferSelect;
export type OperationFilters = { readonly verb?: ShownVerb | undefined; readonly status?: OperationStatus | undefined };

const LIVE_STATUSES: OperationStatus[] = ["open", "running"];

/**
 * Inserts or updates an operation, with audit rows for its start and abort. Repeating the call changes nothing, and an
 * ended operation stays ended.
 */
export async function storeOperation(db: Db, row: StoredOperation, audits: readonly AuditRow[]): Promise<void> {
  const { status, finishedAt, counts, stopped } = row;
  await db.batch([
    db
      .insert(operations)
      .values(row)
      .onConflictDoUpdate({
        target: [operations.tenant, operations.id],
        set: { status, finishedAt, counts, stopped },
        setWhere: inArray(operations.status, LIVE_STATUSES),
      }),
    ...audits.map((each) => db.insert(audit).values(each).onConflictDoNothing()),
  ]);
}

export async function findOperation(db: Db, tenant: string, id: string): Promise<StoredOperation | null> {
  return (await db.select().from(operations).where(isOperation(tenant, id)).get()) ?? null;
}

export async function countLiveOperations(db: Db, tenant: string): Promise<number> {
  return db.$count(operations, and(eq(operations.tenant, tenant), inArray(operations.status, LIVE_STATUSES)));
}

/** Lists operations, newest first. */
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
        verb === undefined ? undefined : hasVerb(verb),
        status === undefined ? undefined : eq(operations.status, status),
      ),
    )
    .orderBy(desc(operations.createdAt), desc(operations.id))
    .limit(limit + 1);
  return accept(pageOf(rows, limit, (last) => [last.createdAt, last.id]));
}

/**
 * Returns the condition for a verb. Lists show an operation over executions with the verb of the command that it sends
 * to each execution.
 */
function hasVerb(verb: ShownVerb): SQL {
  const ownVerb = operationVerbs.find((each) => each === verb);
  const isCommandOnExecutions = sql`(verb = 'steer' AND request ->> '$.steer.verb' = ${verb})`;
  return ownVerb === undefined ? isCommandOnExecutions : sql`(verb = ${ownVerb} OR ${isCommandOnExecutions})`;
}

/** Deletes up to `limit` operations that ended before the tenant's retention; returns the number of deleted rows. */
export async function purgeOperations(db: Db, now: number, limit: number): Promise<number> {
  // CROSS JOIN makes SQLite read the tenants first, and then each tenant's operations by the index on created_at. An
  // operation ends after its creation, so the condition on created_at excludes no row: it only lets the index be used.
  const result = await db.run(sql`
    DELETE FROM operations WHERE (tenant, id) IN
      (SELECT o.tenant, o.id FROM tenants t CROSS JOIN operations o
        WHERE o.tenant = t.id AND o.created_at < ${now} - t.retention_days * ${DAY_MS}
          AND o.finished_at < ${now} - t.retention_days * ${DAY_MS} LIMIT ${limit})`);
  return result.meta.changes;
}

function isOperation(tenant: string, id: string): SQL | undefined {
  return and(eq(operations.tenant, tenant), eq(operations.id, id));
}
