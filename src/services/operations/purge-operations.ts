// Lets go of operations that ended before their tenant's retention: one bounded chunk.
import { purgeOperations as purge } from "#catalog/operations.ts";
import type { Deps } from "../deps.ts";

export async function purgeOperations({ db, now }: Pick<Deps, "db" | "now">, rowsMax: number): Promise<number> {
  return purge(db, now(), rowsMax);
}
