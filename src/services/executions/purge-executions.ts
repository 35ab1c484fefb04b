// Lets go of what lists show of executions and their runs beyond their tenant's retention: one bounded chunk.
import { purgeExecutions as purge } from "#catalog/executions.ts";
import { purgeErased } from "#catalog/projections/erased.ts";
import type { Deps } from "../deps.ts";

export async function purgeExecutions({ db, now }: Pick<Deps, "db" | "now">, rowsMax: number): Promise<number> {
  const purged = await purge(db, now(), rowsMax);
  return purged >= rowsMax ? purged : purged + (await purgeErased(db, now(), rowsMax - purged));
}
