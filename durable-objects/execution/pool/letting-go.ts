// An empty cell gives its storage back, but for one that must not forget what it is in its tenant's pool.
import type { WakingPorts } from "../waking.ts";
import type { PoolDoor } from "./pool.ts";

/** `pool`: null where the cell belongs to none. */
export async function letGo(
  pool: Pick<PoolDoor, "keptUntil"> | null,
  { reset, rearm }: Pick<WakingPorts, "reset" | "rearm">,
): Promise<void> {
  const until = pool?.keptUntil() ?? null;
  if (until === null) await reset();
  else if (Number.isFinite(until)) await rearm(until);
}
