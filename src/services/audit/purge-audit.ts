// Lets go of audit rows that have been kept long enough: one bounded chunk.
import { purgeAudit as purge } from "#catalog/audit.ts";
import { AUDIT_KEPT_MS } from "#schema/limits/upkeep.ts";
import type { Deps } from "../deps.ts";

export async function purgeAudit({ db, now }: Pick<Deps, "db" | "now">, rowsMax: number): Promise<number> {
  return purge(db, now() - AUDIT_KEPT_MS, rowsMax);
}
