// Builds the report of a forecast: scales the counts of the simulated executions to all executions.
import type { Forecast, KnownConnection, PlatformCounts, TimeLine } from "#schema/virtual/forecast.ts";
import {
  FORECAST_BY_DAY_FROM_MS,
  FORECAST_DAY_MS,
  FORECAST_HOUR_MS,
  FORECAST_TIMES_MAX,
} from "#schema/limits/planning/forecast-sizes.ts";
import { perGateCall, perGateSecond, perSlice, perSlot, perUse } from "#schema/limits/planning/platform-costs.ts";
import { plus } from "./platform.ts";
import type { GateCallCounts } from "./shared-gates.ts";
import type { TallyCounts } from "./tally.ts";

type Reported = {
  readonly of: number;
  readonly starts: readonly number[];
  readonly slices: number | null;
  readonly connections: readonly KnownConnection[];
  /** How many executions each simulated one represents. */
  readonly weight: number;
  readonly counted: TallyCounts;
  readonly told: GateCallCounts;
  /** The platform costs of all executions. */
  readonly spent: PlatformCounts;
  readonly liveMax: number;
};

export function reportOf(reported: Reported): Forecast {
  const { of, starts, weight, counted, liveMax } = reported;
  const { last, holds } = counted;
  return {
    executions: {
      of,
      played: starts.length,
      liveMax: Math.round(liveMax * weight),
      byStatus: times(counted.byStatus, weight),
      refused: times(counted.refused, weight),
      cut: times(counted.cut, weight),
    },
    runs: counted.runs.map(({ runs, ...line }) => ({ ...line, ...times({ runs }, weight) })),
    attempts: counted.attempts.map(({ attempts, ok, failed, retries, ...line }) => ({
      ...line,
      ...times({ attempts, ok, failed, retries }, weight),
    })),
    holds: holds.map(({ holds: count, waitedMs, ...line }) => ({
      ...line,
      ...times({ holds: count, waitedMs }, weight),
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

/** Adds the costs of gates, slots and lists to the costs of the executions. */
function platformOf({ of, told, slices, spent }: Reported): PlatformCounts {
  const { asks, releases, seconds, carried, slots } = told;
  const around = [
    [perSlot, slots],
    [perGateCall, asks + releases],
    [perGateSecond, seconds],
    [perSlice, slices ?? 0],
    [perUse, of + carried],
  ] as const;
  return times(
    around.reduce((sum, [costs, count]) => plus(sum, costs, count), spent),
    1,
  );
}

function timesOf({ counted, connections, weight }: Reported): Pick<Forecast, "everyMs" | "times" | "timesLeft"> {
  const spans = [...counted.instants.values()].map(
    (ats) => [ats.reduce(least, Infinity), ats.reduce(most, 0)] as const,
  );
  const first = spans.map(([from]) => from).reduce(least, Infinity);
  const last = spans.map(([, to]) => to).reduce(most, 0);
  const everyMs = last - first >= FORECAST_BY_DAY_FROM_MS ? FORECAST_DAY_MS : FORECAST_HOUR_MS;
  const lines = [...counted.instants].flatMap(([connection, ats]) => {
    const rate = connections.find(({ name }) => name === connection)?.terms.rate ?? null;
    const room = rate === null ? null : (rate.calls * everyMs) / rate.perMs;
    return [...countedBy(ats, everyMs)].map(([from, count]): TimeLine => {
      const attempts = Math.round(count * weight);
      return { from, connection, attempts, used: room === null ? null : Math.round((attempts / room) * 1_000) / 1_000 };
    });
  });
  const sorted = lines.toSorted((a, b) => a.from - b.from || (String(a.connection) < String(b.connection) ? -1 : 1));
  const told = sorted.slice(0, FORECAST_TIMES_MAX);
  return { everyMs, times: told, timesLeft: sorted.length - told.length };
}

/** Counts the instants in each interval of this length. */
function countedBy(ats: readonly number[], everyMs: number): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const at of ats) counts.set(at - (at % everyMs), (counts.get(at - (at % everyMs)) ?? 0) + 1);
  return counts;
}

function least(a: number, b: number): number {
  return Math.min(a, b);
}

function most(a: number, b: number): number {
  return Math.max(a, b);
}

function latest(ats: readonly number[]): number | null {
  return ats.length === 0 ? null : ats.reduce(most, 0);
}

function times<Counts extends { readonly [what: string]: number }>(counts: Counts, weight: number): Counts {
  const entries = Object.entries(counts).map(([what, count]) => [what, Math.round(count * weight)]);
  return Object.fromEntries(entries) as Counts; // the entries have the same names
}
