// Counts the results of very many simulated executions: final statuses, runs, attempts per connection, and holds per
// reason.
import type { MemberResult } from "#kernel/virtual/fleet.ts";
import { configOf } from "./requested-connection.ts";
import type { AttemptInProgress } from "#kernel/virtual/play.ts";
import { virtualRunOf } from "#kernel/virtual/virtual-run.ts";
import type { AcceptedStep } from "#kernel/execution/step.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Prices } from "#schema/price.ts";
import type { AttemptsLine, Forecast, HoldsLine, KnownConnection, RunsLine } from "#schema/virtual/forecast.ts";

export type Tally = {
  /** Counts an attempt. It must be called in the order in which the attempts start. */
  readonly attempted: (asked: AttemptInProgress, knownConnection: KnownConnection | null, outcome: Outcome) => void;
  readonly waited: (reason: string, connection: string | null, ms: number) => void;
  /** Counts the held runs in a step's journal entries. */
  readonly stepped: (stepped: AcceptedStep, at: number) => void;
  readonly ended: (ended: MemberResult) => void;
  readonly counted: () => TallyCounts;
};
export type TallyCounts = {
  readonly byStatus: Counts;
  readonly refused: Counts;
  readonly cut: Counts;
  readonly runs: readonly RunsLine[];
  readonly attempts: readonly AttemptsLine[];
  readonly holds: readonly HoldsLine[];
  /** The instants of attempts, by connection. The key null contains attempts without a connection. */
  readonly instants: ReadonlyMap<string | null, readonly number[]>;
  readonly last: Last | null;
};
type Counts = { readonly [what: string]: number };
type Last = { readonly at: number; readonly action: string; readonly heldBy: Forecast["lastHeldBy"] };

type Open<Line> = { -readonly [Field in keyof Line]: Line[Field] };

/** Returns the line with this key; if there is none, adds one. */
function lineFor<Line>(lines: Map<string, Line>, by: readonly unknown[], make: () => Line): Line {
  const key = JSON.stringify(by);
  const line = lines.get(key) ?? make();
  lines.set(key, line);
  return line;
}

function heldBy({ held }: AttemptInProgress["run"]): Last["heldBy"] {
  return held ? { reason: held.reason, connection: held.connection } : null;
}

const NO_ATTEMPTS = { attempts: 0, ok: 0, failed: 0, retries: 0 };

/** Opens an empty tally. `prices`: the tenant's prices; null if there are none. */
export function openTally(prices: Prices | null): Tally {
  const [byStatus, refused, cut] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  const runs = new Map<string, Open<RunsLine>>();
  const attempts = new Map<string, Open<AttemptsLine>>();
  const holds = new Map<string, Open<HoldsLine>>();
  const instants = new Map<string | null, number[]>();
  let last: Last | null = null;

  const waited: Tally["waited"] = (reason, connection, ms) => {
    const line = lineFor(holds, [reason, connection], () => ({ reason, connection, holds: 0, waitedMs: 0 }));
    line.holds += 1;
    line.waitedMs += ms;
  };

  return {
    waited,
    attempted: ({ run, attempt, at }, knownConnection, outcome) => {
      const provider = knownConnection?.provider ?? textOf(configOf(run)["provider"]);
      const connection = knownConnection?.name ?? null;
      const line = lineFor(attempts, [run.type, provider, connection], () => {
        const price = priceOf(prices, run.type, provider);
        return { type: run.type, provider, connection, ...NO_ATTEMPTS, firstAt: at, lastAt: at, price };
      });
      line.attempts += 1;
      line[outcome.ok ? "ok" : "failed"] += 1;
      if (attempt > 1) line.retries += 1;
      line.lastAt = at;
      if (!callsOutside(run.type)) return;
      const times = instants.get(connection) ?? [];
      instants.set(connection, times);
      times.push(at);
      last = { at, action: run.action, heldBy: heldBy(run) };
    },
    stepped: ({ entries }, at) => {
      for (const entry of entries)
        if (entry.kind === "run_held") waited(entry.reason, entry.connection, entry.until - at);
    },
    ended: (ended) => {
      if ("refusal" in ended) return add(refused, ended.refusal.code);
      const run = virtualRunOf(ended.play);
      add(byStatus, run.status);
      if (run.cut !== null) add(cut, run.cut);
      for (const { action, type, status } of run.actions) {
        lineFor(runs, [action, type, status], () => ({ action, type, status, runs: 0 })).runs += 1;
      }
    },
    counted: () => ({
      byStatus: Object.fromEntries(byStatus),
      refused: Object.fromEntries(refused),
      cut: Object.fromEntries(cut),
      runs: [...runs.values()],
      attempts: [...attempts.values()],
      instants,
      last,
      holds: [...holds.values()].toSorted((a, b) => b.waitedMs - a.waitedMs),
    }),
  };
}

/** Returns the price of an attempt; null if the tenant has set none. services/actions/prices.ts has the same rule. */
function priceOf(prices: Prices | null, type: string, provider: string | null): number | null {
  return prices?.amounts[`${type}/${String(provider)}`] ?? prices?.amounts[type] ?? null;
}

/** Returns whether actions of this type call a service outside the engine. */
function callsOutside(type: string): boolean {
  return !["delay", "send_event", "start_execution", "task"].includes(type);
}

function add(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
