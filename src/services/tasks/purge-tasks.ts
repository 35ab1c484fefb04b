// Lets go of tasks closed before their tenant's retention: one bounded chunk.
import { purgeTasks as purge } from "#catalog/tasks/tasks.ts";
import type { Deps } from "../deps.ts";

export async function purgeTasks({ db, now }: Pick<Deps, "db" | "now">, rowsMax: number): Promise<number> {
  return purge(db, now(), rowsMax);
}
