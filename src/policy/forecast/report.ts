// Builds the report of a forecast: multiplies the counts of the simulated executions so that they represent all
// executions.
import type { Forecast, KnownConnection, PlatformCounts, TimeLine } from "#schema/virtual/forecast.ts";
import {
  FORECAST_BY_DAY_FROM_MS,
  FORECAST_DAY_MS,
  FORECAST_HOUR_MS,
  FORECAST_TIMES_MAX,
} from "#schema/limits/planning/forecast-sizes.ts";
import {
  perGateCall,
  perGateSecond,
  perSlice,
  perKeyLimitCall,
  perSlot,
  perUse,
} from "#schema/limits/planning/platform-costs.ts";
import { plus } from "./platform.ts";
import type { GateCallCounts } from "./shared-gates.ts";
import type { TallyCounts } from "./tally.ts";

/**
 * The results of the simulation. `of`: the number of all executions. `starts`: the instants at which the simulated ones
 * start.
 */
type Reported = {
  readonly of: number;
  readonly starts: readonly number[];
  readonly slices: number | null;
  readonly connections: readonly KnownConnection[];
  /** How many executions each simulated execution represents. */
  readonly weight: number;
  readonly counted: TallyCounts;
  readonly gateCalls: GateCallCounts;
  /** The platform costs of all executions. */
  readonly spent: PlatformCounts;
  readonly liveMax: number;
};

/** Returns the report; every count is multiplied by the weight. */
export function reportOf(reported: Reported): Forecast {
  const { of, starts, weight, counted, liveMax } = reported;
  const { last, holds } = counted;
  return {
    executions: {
      of,
      played: starts.length,
      liveMax: Math.round(liveMax * weight),
      byStatus: scaled(counted.byStatus, weight),
      refused: scaled(counted.refused, weight),
      cut: scaled(counted.cut, weight),
    },
    runs: counted.runs.map(({ runs, ...line }) => ({ ...line, ...scaled({ runs }, weight) })),
    attempts: counted.attempts.map(({ attempts, ok, failed, retries, ...line }) => ({
      ...line,
      ...scaled({ attempts, ok, failed, retries }, weight),
    })),
    holds: holds.map(({ holds: count, waitedMs, ...line }) => ({
      ...line,
      ...scaled({ holds: count, waitedMs }, weight),
    })),
    startedBy: latest(starts),
    lastAt: last?.at ?? null,
    lastAction: last?.action ?? null,
    lastHeldBy: last?.heldBy ?? null,
    bottleneck: holds.find(({ connection }) => connection !== null)?.connection ?? null,
    ...timesOf(reported),
    platform: platformOf(reported),
  };
}

/** Adds the costs of gates, slots and the list to the costs of the executions. */
function platformOf({ of, gateCalls, slices, spent }: Reported): PlatformCounts {
  const { acquires, releases, seconds, limited, slots, keyed } = gateCalls;
  const sharedCosts = [
    [perSlot, slots],
    [perKeyLimitCall, keyed],
    [perGateCall, acquires + releases],
    [perGateSecond, seconds],
    [perSlice, slices ?? 0],
    [perUse, of + limited],
  ] as const;
  return scaled(
    sharedCosts.reduce((sum, [costs, count]) => plus(sum, costs, count), spent),
    1,
  );
}

/**
 * Returns the attempts per hour, or per day if the forecast is long. For each connection, also returns which share of
 * its rate is used.
 */
function timesOf({ counted, connections, weight }: Reported): Pick<Forecast, "everyMs" | "times" | "timesLeft"> {
  const ranges = [...counted.instants.values()].map(
    (instants) => [instants.reduce(smaller, Infinity), instants.reduce(larger, 0)] as const,
  );
  const first = ranges.map(([from]) => from).reduce(smaller, Infinity);
  const last = ranges.map(([, to]) => to).reduce(larger, 0);
  const everyMs = last - first >= FORECAST_BY_DAY_FROM_MS ? FORECAST_DAY_MS : FORECAST_HOUR_MS;
  const lines = [...counted.instants].flatMap(([connection, instants]) => {
    const rate = connections.find(({ name }) => name === connection)?.terms.rate ?? null;
    const room = rate === null ? null : (rate.calls * everyMs) / rate.perMs;
    return [...countByInterval(instants, everyMs)].map(([from, count]): TimeLine => {
      const attempts = Math.round(count * weight);
      return { from, connection, attempts, used: room === null ? null : Math.round((attempts / room) * 1_000) / 1_000 };
    });
  });
  const sorted = lines.toSorted((a, b) => a.from - b.from || (String(a.connection) < String(b.connection) ? -1 : 1));
  const listed = sorted.slice(0, FORECAST_TIMES_MAX);
  return { everyMs, times: listed, timesLeft: sorted.length - listed.length };
}

/** Counts how many instants are in each interval of this length. */
function countByInterval(instants: readonly number[], everyMs: number): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const at of instants) counts.set(at - (at % everyMs), (counts.get(at - (at % everyMs)) ?? 0) + 1);
  return counts;
}

function smaller(a: number, b: number): number {
  return Math.min(a, b);
}

function larger(a: number, b: number): number {
  return Math.max(a, b);
}

function latest(instants: readonly number[]): number | null {
  return instants.length === 0 ? null : instants.reduce(larger, 0);
}

/** Multiplies all counts and rounds them. */
function scaled<Counts extends { readonly [what: string]: number }>(counts: Counts, weight: number): Counts {
  const entries = Object.entries(counts).map(([what, count]) => [what, Math.round(count * weight)]);
  return Object.fromEntries(entries) as Counts; // The entries are built from the names of `counts`.
}
