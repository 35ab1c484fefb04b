// Lets go of days that were counted long ago.
import { purgeDays } from "#catalog/metrics/run-days.ts";
import { DAY_MS, DAYS_KEPT } from "#schema/limits/upkeep.ts";
import type { Deps } from "../deps.ts";

export async function purgeOldDays(deps: Pick<Deps, "db" | "now">, limit: number): Promise<number> {
  return purgeDays(deps.db, Math.floor(deps.now() / DAY_MS) - DAYS_KEPT, limit);
}
