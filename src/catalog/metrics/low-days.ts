// Finds days on which an alert channel's success rate was below the channel's minimum.
import { and, eq, isNull, sql } from "drizzle-orm";
import type { StoredAlertChannel } from "../alert-channels.ts";
import type { Db } from "../db.ts";
import { alertChannels } from "../tables/alert-channels.ts";
import { figures } from "../tables/figures.ts";

export type LowDay = {
  readonly channel: StoredAlertChannel;
  readonly tenant: string;
  readonly day: number;
  readonly ok: number;
  readonly failed: number;
};

/** `day` must be over and folded, because fresh figures are not read. */
export async function lowDays(db: Db, day: number, limit: number): Promise<readonly LowDay[]> {
  const below = sql`${alertChannels.settings} ->> '$.successRateBelow'`;
  const [ok, failed] = [countOf("ok"), countOf("failed")];
  return db
    .select({ channel: alertChannels, tenant: figures.tenant, day: figures.at, ok, failed })
    .from(alertChannels)
    .innerJoin(
      figures,
      and(
        eq(figures.tenant, alertChannels.tenant),
        eq(figures.step, "day"),
        eq(figures.definition, ""),
        eq(figures.at, day),
      ),
    )
    .where(
      and(
        isNull(alertChannels.deletedAt),
        eq(alertChannels.enabled, true),
        sql`${below} IS NOT NULL AND ${ok} + ${failed} > 0 AND ${ok} < ${below} * (${ok} + ${failed})`,
      ),
    )
    .limit(limit);
}

/** Adds a counter of the runs. The group without a name counts executions. */
function countOf(name: string) {
  return sql<number>`(SELECT coalesce(sum(c.value), 0) FROM json_each(${figures.counters}) g, json_each(g.value) c
    WHERE g.key <> '' AND c.key = ${name})`;
}
