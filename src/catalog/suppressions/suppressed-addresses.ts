// Stores and finds suppressed addresses. Each address has one row, which names every reason once.
import { and, asc, eq, sql } from "drizzle-orm";
import { z } from "zod";
import type { AuditRow } from "#schema/engine/projection.ts";
import {
  suppressionChannel,
  type SuppressionChannel,
  type SuppressionReason,
  type SuppressionSource,
} from "#schema/outgoing/suppression.ts";
import { accept, type Result } from "#schema/refusal.ts";
import { auditIfChanged } from "../audit.ts";
import type { Db } from "../db.ts";
import { decodeCursor, pageOf, type Page } from "../page.ts";
import { hasRoomFor, quotaUse, type QuotaUse } from "../quotas.ts";
import { suppressions } from "../tables/suppressions.ts";

export type StoredSuppression = typeof suppressions.$inferSelect;
export type SuppressionKey = Pick<StoredSuppression, "tenant" | "channel" | "address">;

export type NewSuppression = SuppressionKey & {
  readonly reason: SuppressionReason;
  readonly source: SuppressionSource;
  readonly now: number;
};

/** Adds a reason to an address. Returns false, and writes nothing, if the address already has this reason. */
export async function addReason(db: Db, added: NewSuppression): Promise<boolean> {
  return (await addStatement(db, [added]).run()).meta.changes > 0;
}

/** `newRows`: how many of the addresses have no row yet. The quota must have room for them, or nothing is stored. */
export type AddReasons = {
  readonly tenant: string;
  readonly added: readonly NewSuppression[];
  readonly newRows: number;
  readonly audit: AuditRow;
};

/** Adds reasons for a client. `isFull`: the quota has no room. `added`: how many reasons were new. */
export async function addReasons(
  db: Db,
  { tenant, added, newRows, audit }: AddReasons,
): Promise<QuotaUse & { readonly added: number; readonly isFull: boolean }> {
  const room = newRows === 0 ? sql`TRUE` : hasRoomFor("suppressions", tenant, newRows);
  const use = quotaUse(db, "suppressions", tenant);
  const [[before], result] = await db.batch([use, addStatement(db, added, room), auditIfChanged(db, audit)]);
  const { used = 0, max = 0 } = before ?? {};
  return { used, max, added: result.meta.changes, isFull: newRows > 0 && used + newRows > max };
}

/** Returns how many suppressed addresses the tenant has, and its limit. */
export async function suppressionsUse(db: Db, tenant: string): Promise<QuotaUse> {
  return (await quotaUse(db, "suppressions", tenant).get()) ?? { used: 0, max: 0 };
}

/** An address that already has the reason is not written again, so its first source stays. */
function addStatement(db: Db, added: readonly NewSuppression[], onlyIf = sql`TRUE`) {
  const rows = added.map(({ tenant, channel, address, reason, source, now }) => [
    ...[tenant, channel, address, now, now],
    { [reason]: source },
  ]);
  const part = (at: number) => sql.raw(`j.value ->> ${at}`);
  const values = rows[0]?.map((_, at) => part(at)) ?? [];
  const { tenant, channel, address, reasons } = suppressions;
  return db
    .insert(suppressions)
    .select(sql`SELECT ${sql.join(values, sql`, `)} FROM json_each(${JSON.stringify(rows)}) j WHERE ${onlyIf}`)
    .onConflictDoUpdate({
      target: [tenant, channel, address],
      set: { updatedAt: sql`excluded.updated_at`, reasons: sql`json_patch(excluded.reasons, ${reasons})` },
      setWhere: sql`json_patch(excluded.reasons, ${reasons}) <> json(${reasons})`,
    });
}

/** Finds those of the addresses that are suppressed. It makes one query and reads one row for each of them. */
export function findSuppressed(
  db: Db,
  keys: readonly SuppressionKey[],
): Promise<readonly (SuppressionKey & Pick<StoredSuppression, "reasons">)[]> {
  const asked = JSON.stringify(keys.map(({ tenant, channel, address }) => [tenant, channel, address]));
  const part = (at: number) => sql.raw(`j.value ->> ${at}`);
  const { tenant, channel, address, reasons } = suppressions;
  // CROSS JOIN keeps SQLite from scanning the table: it looks each key up in the primary key.
  return db
    .select({ tenant, channel, address, reasons })
    .from(sql`json_each(${asked}) j`)
    .crossJoin(suppressions)
    .where(and(eq(tenant, part(0)), eq(channel, part(1)), eq(address, part(2))));
}

export async function findSuppression(db: Db, key: SuppressionKey): Promise<StoredSuppression | null> {
  return (await db.select().from(suppressions).where(isOf(key)).get()) ?? null;
}

export type SuppressionFilters = {
  readonly channel?: SuppressionChannel | undefined;
  readonly reason?: SuppressionReason | undefined;
};

/** Lists suppressed addresses by channel and address. */
export async function listSuppressions(
  db: Db,
  tenant: string,
  { channel, reason }: SuppressionFilters,
  cursor: string | null,
  limit: number,
): Promise<Result<Page<StoredSuppression>>> {
  const after = decodeCursor(cursor, z.tuple([suppressionChannel, z.string()]));
  if (!after.ok) return after;
  const rows = await db
    .select()
    .from(suppressions)
    .where(
      and(
        eq(suppressions.tenant, tenant),
        channel === undefined ? undefined : eq(suppressions.channel, channel),
        after.value === null ? undefined : sql`(channel, address) > (${after.value[0]}, ${after.value[1]})`,
        reason === undefined ? undefined : sql`json_type(${suppressions.reasons}, ${`$.${reason}`}) IS NOT NULL`,
      ),
    )
    .orderBy(asc(suppressions.channel), asc(suppressions.address))
    .limit(limit + 1);
  return accept(pageOf(rows, limit, (last) => [last.channel, last.address]));
}

/** Deletes a suppression with all its reasons; returns false if it did not exist. */
export async function deleteSuppression(db: Db, key: SuppressionKey, audit: AuditRow): Promise<boolean> {
  const [result] = await db.batch([db.delete(suppressions).where(isOf(key)), auditIfChanged(db, audit)]);
  return result.meta.changes > 0;
}

function isOf({ tenant, channel, address }: SuppressionKey) {
  return and(eq(suppressions.tenant, tenant), eq(suppressions.channel, channel), eq(suppressions.address, address));
}
