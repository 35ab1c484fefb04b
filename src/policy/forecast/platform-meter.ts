// Computes what executions cost on the platform: the uses of each lane times its constant, plus costs that the
// executions of a cell share within a time window.
import type { Placement } from "#schema/definition/head.ts";
import { laneCosts, perProjection, perWindow, type CostLane } from "#schema/limits/planning/platform-costs.ts";
import type { PlatformCounts } from "#schema/virtual/forecast.ts";
import { nothing, plus } from "./platform.ts";
import { openWindows, type Spread } from "./windows.ts";

export type PlatformMeter = {
  readonly count: (placement: Placement, lane: CostLane, at: number, times?: number) => void;
  /** Counts a projection with this number of runs. */
  readonly project: (placement: Placement, runs: number, at: number) => void;
  /** Returns the costs of all executions, computed from the simulated ones. */
  readonly counts: () => PlatformCounts;
};
export type PlatformTerms = Spread & {
  /**
   * True if an enrolled list starts the executions. All starts in one cell within one window are then a single request.
   */
  readonly isList: boolean;
  readonly poolSize: number;
};

/** Lanes that set the alarm of a cell. All executions of the cell share this alarm. */
const ALARMED: ReadonlySet<CostLane> = new Set(["direct", "timer", "idle"]);

/** Opens the meter of all simulated executions. */
export function openPlatformMeter({ weight, ms, isList, poolSize }: PlatformTerms): PlatformMeter {
  const used = { own: new Map<CostLane, number>(), pooled: new Map<CostLane, number>() };
  const [alarms, projections] = [openWindows(perWindow.alarm.ms), openWindows(perWindow.projection.ms)];
  const [starts, days] = [openWindows(perWindow.listedStart.ms), openWindows(perWindow.day.ms)];
  let spent = nothing;

  const share = (lane: CostLane, at: number): void => {
    if (ALARMED.has(lane)) alarms.add(at);
    if (lane !== "start" || !isList) return;
    starts.add(at);
    spent = plus(spent, perWindow.listedStart.costs, -1);
  };
  return {
    count: (placement, lane, at, times = 1) => {
      used[placement].set(lane, (used[placement].get(lane) ?? 0) + times);
      if (placement === "pooled") share(lane, at);
    },
    project: (placement, runs, at) => {
      if (runs > 0) days.add(at);
      if (placement === "pooled") projections.add(at);
      const [costs, times] = placement === "own" ? [perProjection.own, 1] : [perProjection.pooledRun, runs];
      spent = plus(spent, costs, times);
    },
    counts: () => {
      const spread = { weight, ms };
      let sum = plus(nothing, spent, weight);
      for (const placement of ["own", "pooled"] as const)
        for (const [lane, times] of used[placement]) sum = plus(sum, laneCosts[placement][lane], times * weight);
      sum = plus(sum, perWindow.alarm.costs, alarms.count(poolSize, spread));
      sum = plus(sum, perWindow.projection.costs, projections.count(poolSize, spread));
      sum = plus(sum, perWindow.listedStart.costs, starts.count(poolSize, spread));
      return plus(sum, perWindow.day.costs, days.count(1, spread));
    },
  };
}
