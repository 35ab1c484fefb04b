// Storage release: an empty cell deletes its storage, unless it must keep its role in its tenant's pool.
import type { WakingPorts } from "../waking/waking.ts";
import type { PoolAdmission } from "./pool-admission.ts";

/** `pool`: null for a cell that belongs to no pool. */
export async function releaseStorage(
  pool: Pick<PoolAdmission, "keptUntil"> | null,
  { reset, rearm }: Pick<WakingPorts, "reset" | "rearm">,
): Promise<void> {
  const until = pool?.keptUntil() ?? null;
  if (until === null) await reset();
  else if (Number.isFinite(until)) await rearm(until);
}
