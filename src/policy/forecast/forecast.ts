// A forecast: very many executions of one definition played on one clock, with what they share, and counted. Where they are
// more than are played, each of those played stands for as many others, and what is shared is divided by as many.
import { chanceOf } from "#kernel/execution/chance.ts";
import { assumedFor, comesOf, type Assumed } from "#kernel/virtual/assumed.ts";
import { openCrowd, type Crowd, type Ended } from "#kernel/virtual/crowd.ts";
import type { Asked, Play, Watch } from "#kernel/virtual/play.ts";
import type { Gate } from "#kernel/virtual/virtual-run.ts";
import { FORECAST_TIMES_MAX } from "#schema/limits/virtual.ts";
import type { Prices } from "#schema/price.ts";
import type { Result } from "#schema/refusal.ts";
import type { Assumptions } from "#schema/virtual/assumptions.ts";
import type { Forecast, KnownConnection, PlatformCounts, Shares, TimeLine } from "#schema/virtual/forecast.ts";
import { openCaps } from "../subject/open-caps.ts";
import { openCellMeter, type CellMeter } from "./cell-meter.ts";
import { CATALOG_BATCH_MAX, comesLateMs, perGate, perSlice, perSlot, perTelling } from "./costs.ts";
import { nothing, plus } from "./platform.ts";
import { openShared } from "./shared-gates.ts";
import { openShares } from "./shares.ts";
import { openTally, type Counted } from "./tally.ts";

export type ForecastAsk = {
  /** How many there are to be, and those that are played for them, in the order in which they start. */
  readonly of: number;
  readonly members: readonly ForecastMember[];
  readonly assume: Assumptions;
  readonly shares: Shares;
  readonly connections: readonly KnownConnection[];
  readonly quotas: { readonly actionsPerDay: number; readonly inFlight: number } | null;
  readonly prices: Prices | null;
  /** How many slices they start in; null: they are not started by a list. */
  readonly slices: number | null;
};
export type ForecastMember = { readonly startAt: number; readonly open: (watch: Watch) => Result<Play> };

export type Forecasting = { readonly crowd: Crowd; readonly result: () => Forecast };

export function openForecast(ask: ForecastAsk): Forecasting {
  const { members, of, assume, connections, quotas } = ask;
  const weight = members.length === 0 ? 1 : of / members.length;
  const shared = openShared({ connections, quotas, weight });
  const tally = openTally(ask.prices);
  const shareOut = openShares(ask.shares);
  const under = new Map<number, Under>();
  const ended: number[] = [];
  let cells: PlatformCounts = nothing;
  let live = 0;
  let liveMax = 0;
  let slots = 0;

  const openMember = (member: number, { open }: ForecastMember): Result<Play> => {
    const meter = openCellMeter();
    under.set(member, { meter, caps: openCaps() });
    live += 1;
    liveMax = Math.max(liveMax, live);
    return open((command, stepped, at) => {
      meter.watch(command, stepped, at);
      tally.stepped(stepped, at);
    });
  };

  /** Each time that it comes anew. */
  const onItsWay = new Map<number, string>();
  const lateBy = (member: number, { run, attempt, at }: Asked): number => {
    const key = `${run.id} ${attempt} ${run.held?.until ?? run.dueAt}`;
    if (onItsWay.get(member) === key) return 0;
    onItsWay.set(member, key);
    const { min, max } = comesLateMs;
    return Math.round(min + (max - min) * chanceOf(`${member} ${key} ${at}`));
  };

  const crowd = openCrowd({
    members: members.map((each, member) => ({ startAt: each.startAt, open: () => openMember(member, each) })),
    pass: (member, asked, state) => {
      const { caps } = under.get(member) ?? { caps: NO_CAPS };
      const late = lateBy(member, asked);
      if (late > 0) return { waitsUntil: asked.at + late };
      if (asked.run.cap !== undefined) slots += 1;
      const passed = shared.pass(member, caps, asked, state);
      if (passed !== null && "waitsUntil" in passed) {
        tally.waited("rate_limited", shared.connectionOf(asked)?.name ?? null, passed.waitsUntil - asked.at);
      }
      return passed;
    },
    comes: (member, asked, state): Assumed => {
      const said = shareOut(asked.run.action, asked.attempt);
      const assumed = said === null ? assumedFor(assume, asked, state) : comesOf(said, asked, state);
      shared.came(member, asked, assumed.outcome);
      tally.attempted(asked, shared.connectionOf(asked), assumed.outcome);
      return assumed;
    },
    over: (member, how: Ended) => {
      live -= 1;
      onItsWay.delete(member);
      const cost = under.get(member)?.meter.counts();
      under.delete(member);
      if (cost !== undefined && "play" in how) {
        cells = plus(cells, cost, 1);
        for (const at of cost.endedAt) ended.push(at);
      }
      tally.ended(how);
    },
  });

  const result = (): Forecast => {
    const counted = tally.counted();
    const { asks, releases, seconds, carried } = shared.told();
    const tellings = (of + carried) / perTelling.uses;
    const batches = Math.min(
      ended.length * weight,
      Math.max(distinctSeconds(ended), (ended.length * weight) / CATALOG_BATCH_MAX),
    );
    const around: PlatformCounts = {
      objectRows: slots * weight * perSlot.rows + seconds * perGate.rowsPerSecond + (ask.slices ?? 0) * perSlice.rows,
      objectRequests:
        slots * weight * perSlot.requests +
        (asks + releases) * perGate.requests +
        (ask.slices ?? 0) * perSlice.requests +
        tellings * perTelling.requests,
      queueMessages: 0,
      catalogRows: batches,
    };
    const starts = members.map(({ startAt }) => startAt);
    return {
      executions: {
        ...{ of, played: members.length, liveMax: Math.round(liveMax * weight) },
        ...{ byStatus: times(counted.byStatus, weight), refused: times(counted.refused, weight) },
        cut: times(counted.cut, weight),
      },
      runs: counted.runs.map((line) => ({ ...line, runs: Math.round(line.runs * weight) })),
      attempts: counted.attempts.map(({ attempts, ok, failed, retries, ...line }) => ({
        ...line,
        ...times({ attempts, ok, failed, retries }, weight),
      })),
      holds: counted.holds.map((line) => ({
        ...line,
        ...times({ holds: line.holds, waitedMs: line.waitedMs }, weight),
      })),
      startedBy: starts.length === 0 ? null : Math.max(...starts),
      lastAt: counted.last?.at ?? null,
      lastAction: counted.last?.action ?? null,
      lastHeldBy: counted.last?.heldBy ?? null,
      bottleneck: counted.holds.find(({ connection }) => connection !== null)?.connection ?? null,
      ...timesOf(counted, connections, weight),
      platform: rounded(plus(plus(nothing, cells, weight), around, 1)),
    };
  };
  return { crowd, result };
}

type Under = { readonly meter: CellMeter; readonly caps: Gate };
const NO_CAPS: Gate = () => null;
const SECOND_MS = 1_000;
const HOUR_MS = 60 * 60 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;
/** From this span on lines are of days: hours would be too many to look at. */
const BY_DAY_FROM_MS = 14 * DAY_MS;

function timesOf(
  { instants }: Counted,
  connections: readonly KnownConnection[],
  weight: number,
): Pick<Forecast, "everyMs" | "times" | "timesLeft"> {
  const all = [...instants.values()].flat();
  const [first, last] = all.reduce(([low, high], at) => [Math.min(low, at), Math.max(high, at)], [Infinity, -Infinity]);
  const everyMs = last - first >= BY_DAY_FROM_MS ? DAY_MS : HOUR_MS;
  const lines = [...instants].flatMap(([connection, ats]) => {
    const counts = new Map<number, number>();
    for (const at of ats) {
      const from = at - (at % everyMs);
      counts.set(from, (counts.get(from) ?? 0) + 1);
    }
    const rate = connections.find(({ name }) => name === connection)?.terms.rate ?? null;
    return [...counts].map(([from, count]): TimeLine => {
      const attempts = Math.round(count * weight);
      const used = rate === null ? null : attempts / ((rate.calls * everyMs) / rate.perMs);
      return { from, connection, attempts, used: used === null ? null : Math.round(used * 1_000) / 1_000 };
    });
  });
  const times = lines.toSorted((a, b) => a.from - b.from || String(a.connection).localeCompare(String(b.connection)));
  return {
    everyMs,
    times: times.slice(0, FORECAST_TIMES_MAX),
    timesLeft: Math.max(0, times.length - FORECAST_TIMES_MAX),
  };
}

function distinctSeconds(ats: readonly number[]): number {
  return new Set(ats.map((at) => Math.floor(at / SECOND_MS))).size;
}

function times<Counts extends { readonly [what: string]: number }>(counts: Counts, weight: number): Counts {
  const entries = Object.entries(counts).map(([what, count]) => [what, Math.round(count * weight)]);
  return Object.fromEntries(entries) as Counts; // the same names
}

function rounded(counts: PlatformCounts): PlatformCounts {
  return times({ ...counts }, 1);
}
