// Sweep: runs every five minutes. It wakes executions whose alarm is overdue, deletes data beyond its retention,
// repeats failed deliveries, and stores queue depths.
import { maintainCalendars } from "../calendars/follow-calendars.ts";
import type { Deps } from "../deps.ts";
import { pokeOverdue } from "../executions/poke-overdue.ts";
import { deliverTaskEnds } from "../tasks/deliver-task-end.ts";
import { sampleQueues } from "../monitor/sample-queues.ts";
import { alertLowDays, foldPastHours } from "../monitor/daily-figures.ts";
import { shrinkQuietPools } from "../pools/resize-pool.ts";
import { maintainRecurring } from "../recurring/maintain-recurring.ts";
import { purge } from "./purge.ts";

export async function sweep(deps: Deps): Promise<void> {
  const poked = await runPart(deps, "poke", () => pokeOverdue(deps));
  const folded = await runPart(deps, "fold the figures of past hours", () => foldPastHours(deps));
  const purged = await runPart(deps, "purge", () => purge(deps));
  const delivered = await runPart(deps, "deliver task ends", () => deliverTaskEnds(deps));
  const maintained = await runPart(deps, "maintain recurring actions", () => maintainRecurring(deps));
  const followed = await runPart(deps, "send dates of calendars", () => maintainCalendars(deps));
  const sampled = await runPart(deps, "sample queues", () => sampleQueues(deps));
  const shrunk = await runPart(deps, "shrink pools", () => shrinkQuietPools(deps));
  const low = await runPart(deps, "raise alerts about days with a low success rate", () => alertLowDays(deps));
  const all = {
    ...poked,
    ...folded,
    ...purged,
    ...delivered,
    ...maintained,
    ...followed,
    ...sampled,
    ...shrunk,
    ...low,
  };
  deps.log({ level: "info", message: "swept", ...all });
}

/** Runs one part of the sweep. If it fails, the other parts still run. */
async function runPart<T>(deps: Deps, part: string, work: () => Promise<T>): Promise<T | { failed: string }> {
  try {
    return await work();
  } catch (cause) {
    deps.log({ level: "error", message: `the sweeper could not ${part}`, error: String(cause) });
    return { failed: part };
  }
}
