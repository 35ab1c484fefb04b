// Reads alert channels. `named.ts` stores, finds and deletes them.
import { and, asc, eq } from "drizzle-orm";
import type { Db } from "./db.ts";
import { live, type Named } from "./named.ts";
import { alertChannels } from "./tables/alert-channels.ts";

export type StoredAlertChannel = typeof alertChannels.$inferSelect;
export const alertChannelRows: Named<StoredAlertChannel> = alertChannels;

/** Returns the enabled channels of a tenant. The query has no limit, because a tenant has few channels. */
export async function openAlertChannels(db: Db, tenant: string): Promise<readonly StoredAlertChannel[]> {
  return db
    .select()
    .from(alertChannels)
    .where(and(live(alertChannels, tenant), eq(alertChannels.enabled, true)))
    .orderBy(asc(alertChannels.id));
}
