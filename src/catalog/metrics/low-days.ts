// Finds days on which an alert channel's success rate was below the channel's minimum.
import { and, eq, isNull, sql } from "drizzle-orm";
import type { StoredAlertChannel } from "../alert-channels.ts";
import type { Db } from "../db.ts";
import { alertChannels } from "../tables/alert-channels.ts";
import { runDays } from "../tables/run-days.ts";
import { figures, type RunDay } from "./run-days.ts";

export type LowDay = { readonly channel: StoredAlertChannel; readonly day: RunDay };

export async function lowDays(db: Db, day: number, limit: number): Promise<readonly LowDay[]> {
  const below = sql`${alertChannels.settings} ->> '$.successRateBelow'`;
  return db
    .select({ channel: alertChannels, day: figures })
    .from(alertChannels)
    .innerJoin(runDays, and(eq(runDays.tenant, alertChannels.tenant), eq(runDays.day, day)))
    .where(
      and(
        isNull(alertChannels.deletedAt),
        eq(alertChannels.enabled, true),
        sql`${below} IS NOT NULL AND total > refused AND successful < ${below} * (total - refused)`,
      ),
    )
    .limit(limit);
}
