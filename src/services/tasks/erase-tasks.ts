// What an execution asked of people goes with it when it is erased.
import { eraseTasks as erase } from "#catalog/tasks/tasks.ts";
import type { Deps } from "../deps.ts";

export async function eraseTasks(
  { db }: Pick<Deps, "db">,
  tenant: string,
  { execution, incarnation }: { readonly execution: string; readonly incarnation: number },
): Promise<void> {
  await erase(db, tenant, execution, incarnation);
}
