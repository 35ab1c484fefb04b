// Forecasts the load of very many executions of one definition: simulates them on one clock with shared limits, and
// counts the results. If there are too many, each simulated execution represents several. The limits are then divided
// by that number.
import type { Computation } from "#kernel/computing/computation.ts";
import { assumedResultFor, resultOf, type AssumedResult } from "#kernel/virtual/assumed-results.ts";
import { openFleet, type Fleet } from "#kernel/virtual/fleet.ts";
import type { Play, Watch } from "#kernel/virtual/play.ts";
import type { Prices } from "#schema/price.ts";
import type { Result } from "#schema/refusal.ts";
import type { Assumptions } from "#schema/virtual/assumptions.ts";
import type { Forecast, KnownConnection, Shares } from "#schema/virtual/forecast.ts";
import { comesLateMs } from "#schema/limits/planning/platform-costs.ts";
import { openLaneMeter } from "./lane-meter.ts";
import { openLiveCount } from "./live-count.ts";
import { openPlatformMeter } from "./platform-meter.ts";
import { reportOf } from "./report.ts";
import type { TenantPolicy } from "#schema/policies/policy.ts";
import { openSharedGates } from "./shared-gates.ts";
import { openOutcomeShares } from "./outcome-shares.ts";
import { openTally } from "./tally.ts";
import type { TenantQuotas } from "./tenant-gate.ts";

export type ForecastInput = {
  /** The number of all executions. `members`: those that are simulated, in the order of their starts. */
  readonly of: number;
  readonly members: readonly ForecastMember[];
  readonly assume: Assumptions;
  readonly shares: Shares;
  readonly connections: readonly KnownConnection[];
  readonly quotas: TenantQuotas | null;
  /** The tenant's policies. Absent: none. */
  readonly policies?: readonly TenantPolicy[];
  readonly prices: Prices | null;
  /** The number of requests in which an enrolled list starts the executions; null if no list starts them. */
  readonly slices: number | null;
  readonly poolSize: number;
};
export type ForecastMember = { readonly startAt: number; readonly open: (watch: Watch) => Computation<Result<Play>> };
export type Forecasting = { readonly fleet: Fleet; readonly result: () => Forecast };

export function openForecast(ask: ForecastInput): Forecasting {
  const { members, of, assume, connections, quotas, policies = [] } = ask;
  const weight = of / Math.max(1, members.length);
  const shared = openSharedGates({ connections, quotas, policies, weight, comesLateMs });
  const tally = openTally(ask.prices);
  const outcomeFor = openOutcomeShares(ask.shares);
  const starts = members.map(({ startAt }) => startAt);
  const ms = averageGapMs(starts);
  const platform = openPlatformMeter({ weight, ms, isList: ask.slices !== null, poolSize: ask.poolSize });
  const live = openLiveCount();

  const fleet = openFleet({
    members: members.map(({ startAt, open }) => ({
      startAt,
      open: () => {
        const meter = openLaneMeter(platform);
        return open((command, stepped, at) => {
          meter(command, stepped, at);
          tally.stepped(stepped, at);
        });
      },
    })),
    admit: shared.pass,
    place: shared.place,
    resultFor: (member, attempt, state): AssumedResult => {
      const outcome = outcomeFor(attempt.run.action, attempt.attempt);
      const assumed = outcome === null ? assumedResultFor(assume, attempt, state) : resultOf(outcome, attempt, state);
      shared.recordResult(member, attempt, assumed.outcome);
      tally.attempted(attempt, shared.connectionOf(attempt), assumed.outcome);
      return assumed;
    },
    onEnd: (member, ended) => {
      if ("play" in ended) {
        live.add(ended.play.state.createdAt, ended.play.state.finishedAt);
        shared.end(member, ended.play.state);
      }
      shared.forget(member);
      tally.ended(ended);
    },
  });
  return {
    fleet,
    result: () => {
      const [counted, gateCalls, liveMax] = [tally.counted(), shared.counts(), live.max()];
      return reportOf({ ...ask, starts, weight, counted, gateCalls, liveMax, spent: platform.counts() });
    },
  };
}

/** Returns the average time between two starts, in milliseconds. */
function averageGapMs(starts: readonly number[]): number {
  const [first = 0, last = 0] = [starts[0], starts.at(-1)];
  return (last - first) / Math.max(1, starts.length - 1);
}
