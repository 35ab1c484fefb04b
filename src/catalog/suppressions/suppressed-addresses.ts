// Stores and finds suppressed addresses. Each address has one row, which names every reason once.
import { and, eq, sql } from "drizzle-orm";
import type { SuppressionReason, SuppressionSource } from "#schema/outgoing/suppression.ts";
import type { Db } from "../db.ts";
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
  return (await addReasonStatement(db, added).run()).meta.changes > 0;
}

function addReasonStatement(db: Db, { reason, source, now, ...key }: NewSuppression) {
  const path = `$.${reason}`;
  return db
    .insert(suppressions)
    .values({ ...key, createdAt: now, updatedAt: now, reasons: { [reason]: source } })
    .onConflictDoUpdate({
      target: [suppressions.tenant, suppressions.channel, suppressions.address],
      set: {
        updatedAt: now,
        reasons: sql`json_set(${suppressions.reasons}, ${path}, json(${JSON.stringify(source)}))`,
      },
      setWhere: sql`json_type(${suppressions.reasons}, ${path}) IS NULL`,
    });
}

/** Finds those of the addresses that are suppressed. It makes one query and reads one row for each of them. */
export function findSuppressed(
  db: Db,
  keys: readonly SuppressionKey[],
): Promise<readonly (SuppressionKey & Pick<StoredSuppression, "reasons">)[]> {
  const asked = JSON.stringify(keys.map(({ tenant, channel, address }) => [tenant, channel, address]));
  const part = (at: number) => sql`j.value ->> ${sql.raw(String(at))}`;
  const { tenant, channel, address, reasons } = suppressions;
  // CROSS JOIN keeps SQLite from scanning the table: it looks each key up in the primary key.
  return db
    .select({ tenant, channel, address, reasons })
    .from(sql`json_each(${asked}) j`)
    .crossJoin(suppressions)
    .where(and(eq(tenant, part(0)), eq(channel, part(1)), eq(address, part(2))));
}
