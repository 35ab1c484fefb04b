// Waiting work: how long the oldest item of each class and definition has waited.
import { oldestWaiting, type WaitingWork } from "#catalog/metrics/oldest-waiting.ts";
import { WAITING_READ_MAX } from "#schema/limits/upkeep/statistics.ts";
import { accept, type Result } from "#schema/refusal.ts";
import type { Deps, TenantCaller } from "../deps.ts";

export type Waiting = { readonly asOf: number; readonly work: readonly (WaitingWork & { readonly ageMs: number })[] };

export async function readWaiting(
  { db, now }: Pick<Deps, "db" | "now">,
  { tenant }: TenantCaller,
): Promise<Result<Waiting>> {
  const asOf = now();
  const work = await oldestWaiting(db, tenant, { now: asOf, readMax: WAITING_READ_MAX });
  // A clock that was set back must not give a negative age.
  return accept({ asOf, work: work.map((each) => ({ ...each, ageMs: Math.max(0, asOf - each.oldestAt) })) });
}
