// A forecast: very many executions of one definition played on one clock, with what they share, and counted. Where they are
// more than are played, each of those played stands for as many others, and what is shared is divided by as many.
import type { Computation } from "#kernel/computing/computation.ts";
import { assumedFor, comesOf, type Assumed } from "#kernel/virtual/assumed.ts";
import { openCrowd, type Crowd } from "#kernel/virtual/crowd.ts";
import type { Play, Watch } from "#kernel/virtual/play.ts";
import type { Prices } from "#schema/price.ts";
import type { Result } from "#schema/refusal.ts";
import type { Assumptions } from "#schema/virtual/assumptions.ts";
import type { Forecast, KnownConnection, PlatformCounts, Shares } from "#schema/virtual/forecast.ts";
import { openCatalogMeter } from "./catalog-meter.ts";
import { openCellMeter, type CellMeter } from "./cell-meter.ts";
import { comesLateMs } from "#schema/limits/platform-costs.ts";
import { openOwnCell } from "./own-cell.ts";
import { nothing, plus } from "./platform.ts";
import { openPoolCells, type PoolTerms } from "./pool-cells.ts";
import { reportOf } from "./report.ts";
import { openShared } from "./shared-gates.ts";
import { openShares } from "./outcome-shares.ts";
import { openTally } from "./tally.ts";
import type { TenantQuotas } from "./tenant-gate.ts";

export type ForecastAsk = {
  /** How many there are to be, and those that are played for them, in the order in which they start. */
  readonly of: number;
  readonly members: readonly ForecastMember[];
  readonly assume: Assumptions;
  readonly shares: Shares;
  readonly connections: readonly KnownConnection[];
  readonly quotas: TenantQuotas | null;
  readonly prices: Prices | null;
  /** How many slices they start in; null: they are not started by a list. */
  readonly slices: number | null;
  readonly poolSize: number;
};
export type ForecastMember = { readonly startAt: number; readonly open: (watch: Watch) => Computation<Result<Play>> };
export type Forecasting = { readonly crowd: Crowd; readonly result: () => Forecast };

export function openForecast(ask: ForecastAsk): Forecasting {
  const { members, of, assume, connections, quotas } = ask;
  const weight = of / Math.max(1, members.length);
  const shared = openShared({ connections, quotas, weight, comesLateMs });
  const tally = openTally(ask.prices);
  const shareOut = openShares(ask.shares);
  const cells = openCells({ weight, isList: ask.slices !== null, poolSize: ask.poolSize });

  const crowd = openCrowd({
    members: members.map(({ startAt, open }, member) => ({
      startAt,
      open: () => {
        const meter = cells.begin(member);
        return open((command, stepped, at) => {
          meter.watch(command, stepped, at);
          tally.stepped(stepped, at);
        });
      },
    })),
    pass: shared.pass,
    comes: (member, asked, state): Assumed => {
      const said = shareOut(asked.run.action, asked.attempt);
      const assumed = said === null ? assumedFor(assume, asked, state) : comesOf(said, asked, state);
      shared.came(member, asked, assumed.outcome);
      tally.attempted(asked, shared.connectionOf(asked), assumed.outcome);
      return assumed;
    },
    over: (member, ended) => {
      cells.end(member, "play" in ended);
      shared.leaves(member);
      tally.ended(ended);
    },
  });
  const starts = members.map(({ startAt }) => startAt);
  return {
    crowd,
    result: () =>
      reportOf({ ...ask, starts, weight, counted: tally.counted(), told: shared.told(), ...cells.counts() }),
  };
}

/** What the executions' objects cost, and how many there are at once. */
function openCells(terms: Omit<PoolTerms, "catalog">) {
  const catalog = openCatalogMeter(terms.weight);
  const pool = openPoolCells({ ...terms, catalog });
  const meters = new Map<number, CellMeter>();
  let cells: PlatformCounts = nothing;
  let liveMax = 0;
  return {
    begin: (member: number): CellMeter => {
      const meter = openCellMeter(({ placement, id }) => (placement === "own" ? openOwnCell(catalog) : pool.begin(id)));
      meters.set(member, meter);
      liveMax = Math.max(liveMax, meters.size);
      return meter;
    },
    end: (member: number, hasBegun: boolean): void => {
      const spent = meters.get(member)?.counts();
      meters.delete(member);
      if (spent !== undefined && hasBegun) cells = plus(cells, spent, 1);
    },
    counts: () => {
      const shared = pool.counts();
      return { cells: plus(cells, { ...shared, catalogRows: 0 }, 1), catalogRows: catalog.rows(), liveMax };
    },
  };
}
