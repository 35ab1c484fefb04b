// Stores and finds suppressed addresses. Each address has one row, which names every reason once.
import { sql } from "drizzle-orm";
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
