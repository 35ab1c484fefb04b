// Wake-ups after a release of a limit by key: notifies the cells of the next runs that a slot is free. If a run no longer
// waits, its slot passes on to the next one. A wake-up that fails is not repeated, because each run returns anyway.
import type { WakeItem } from "#schema/engine/cell.ts";
import type { LimitWakeUp } from "#schema/key-limits/calls.ts";
import { LIMIT_WAKE_ROUNDS_MAX } from "#schema/limits/limits-by-key.ts";
import { cellName } from "../cells/ids-and-cells.ts";
import type { Deps } from "../deps.ts";
import type { Shard } from "./shards.ts";

export type WakeDeps = Pick<Deps, "keyLimits" | "cell" | "log">;
export type ReleasedLimit = { readonly tenant: string; readonly name: string; readonly shard: Shard };

/** Never rejects. `first`: the runs that the release returned. */
export async function wakeWaiting(
  deps: WakeDeps,
  { tenant, name, shard }: ReleasedLimit,
  first: readonly LimitWakeUp[],
): Promise<void> {
  try {
    let next = first;
    for (let rounds = 0; next.length > 0 && rounds < LIMIT_WAKE_ROUNDS_MAX; rounds++) {
      const gone = await wakeRuns(deps, tenant, name, next);
      if (gone.length === 0) return;
      next = await deps.keyLimits(shard.object).passOnLimit({ key: shard.key, gone });
    }
  } catch (fault) {
    deps.log({ level: "warn", event: "key_limit_not_passed_on", object: shard.object, message: String(fault) });
  }
}

/** Returns the runs that no longer wait. A run whose cell does not answer may still wait. */
async function wakeRuns(
  { cell, log }: WakeDeps,
  tenant: string,
  limit: string,
  wake: readonly LimitWakeUp[],
): Promise<readonly string[]> {
  const byCell = Map.groupBy(wake, ({ id }) => cellName(tenant, itemOf(limit, { id, at: 0 }).execution));
  const gone = await Promise.all(
    [...byCell].map(async ([name, runs]) => {
      try {
        const answers = await cell(name).wakeRuns(runs.map((run) => itemOf(limit, run)));
        return runs.filter((_run, index) => answers[index] === "gone");
      } catch (fault) {
        log({ level: "warn", event: "runs_not_woken", cell: name, message: String(fault) });
        return [];
      }
    }),
  );
  return gone.flat().map(({ id }) => id);
}

/** The name of a run in a limit is its idempotency key, `<execution>/<run>`. */
function itemOf(limit: string, { id, at }: LimitWakeUp): WakeItem {
  const end = id.lastIndexOf("/");
  return { execution: id.slice(0, end), run: id.slice(end + 1), limit, at };
}
