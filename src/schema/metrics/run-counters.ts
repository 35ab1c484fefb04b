// Run counters: what a run adds to the figures. `totals` count the whole life of the run, so that the catalog can add
// the difference to what it has already counted. `ending` counts one end of the run.
import type { ExecutionRow, RunRow } from "../engine/projection.ts";
import {
  errorName,
  executionOutcomes,
  groupName,
  histogramCounters,
  type Counters,
  type RunOutcome,
} from "./counter-names.ts";
import { histogramOf } from "./histogram.ts";

export type RunCounters = {
  readonly group: string;
  /** When the latest of it happened, in epoch ms. */
  readonly at: number;
  readonly totals: Counters;
  /** What the run's end adds; null if the run has not ended. */
  readonly ending: Counters | null;
};

/** Money is counted in millionths, because sums of fractions would be inexact. */
export const COST_UNITS = 1_000_000;

/** Returns the counters of a run; null if there is nothing to count. */
export function runCounters(row: RunRow): RunCounters | null {
  const ended = attemptsOf(row);
  const outcome = outcomeOf(row);
  const { type, action, redrives, delayMs } = row;
  if (outcome === null && ended.length === 0 && !redrives) return null;
  const connection = CONNECTION.test(row.uses ?? "") ? (row.uses ?? "") : "";
  return {
    group: groupName({ type, action, connection }),
    at: row.finishedAt ?? row.triedAt ?? row.createdAt,
    totals: {
      ...attemptCounters(ended),
      ...triesCounters(outcome === null ? (redrives?.attempts ?? 0) : ended.length),
      ...(redrives ? { redriven: redrives.times } : {}),
      ...(row.costEstimate ? { cost: Math.round(row.costEstimate * COST_UNITS) } : {}),
      ...(ended.length === 0 || delayMs == null ? {} : histogramCounters("delay", histogramOf([delayMs]))),
    },
    ending: outcome === null ? null : endingOf(row, outcome),
  };
}

const CONNECTION = /^[A-Za-z0-9_.-]{1,100}$/;

type EndedAttempt = NonNullable<RunRow["tried"]>[number];

/** Messages of earlier versions do not list the attempts. Their number and the last duration are known. */
function attemptsOf({ tried, status, attempt, tookMs, timeouts, errorType }: RunRow): readonly EndedAttempt[] {
  if (tried) return tried;
  if (!isFinal(status) || attempt === 0) return [];
  return Array.from({ length: attempt }, (_, n) => {
    const ms = n === attempt - 1 ? (tookMs ?? null) : null;
    if (n < (timeouts ?? 0)) return { ms, error: "timeout" };
    return { ms, ...(n === attempt - 1 && status === "failed" && errorType !== null ? { error: errorType } : {}) };
  });
}

function isFinal(status: RunRow["status"]): boolean {
  return status === "ok" || status === "failed" || status === "canceled" || status === "skipped";
}

function outcomeOf({ status, finishedAt, errorType, reason }: RunRow): RunOutcome | null {
  if (finishedAt === null) return null;
  if (status === "failed") return errorType === "invalid_configuration" ? "refused" : "failed";
  if (status === "skipped") return EXPIRED.has(reason ?? "") ? "expired" : "skipped";
  return status === "ok" || status === "canceled" ? status : null;
}

/** The reasons of a run that could no longer start in time. */
const EXPIRED: ReadonlySet<string> = new Set(["late", "no_longer_valid", "no_window"]);

function attemptCounters(ended: readonly EndedAttempt[]): Counters {
  if (ended.length === 0) return {};
  const counters: { [name: string]: number } = { attempts: ended.length };
  const timeouts = ended.filter(({ error }) => error === "timeout").length;
  if (timeouts > 0) counters["timeouts"] = timeouts;
  for (const { error, code } of ended) {
    if (error === undefined) continue;
    const name = errorName("error", error, code ?? null);
    counters[name] = (counters[name] ?? 0) + 1;
  }
  const durations = ended.flatMap(({ ms }) => (ms === null ? [] : [ms]));
  return { ...counters, ...histogramCounters("took", histogramOf(durations)) };
}

/**
 * Counts runs by their attempts when they end. tried: runs with an attempt. tries: their attempts. retried: runs with
 * more than one attempt. A run that ends again after a redrive adds only its further attempts.
 */
function triesCounters(tries: number): Counters {
  return tries === 0 ? {} : { tried: 1, tries, ...(tries > 1 ? { retried: 1 } : {}) };
}

function endingOf({ errorType, errorCode }: RunRow, outcome: RunOutcome): Counters {
  if (outcome !== "failed" && outcome !== "refused") return { [outcome]: 1 };
  return { [outcome]: 1, [errorName("failure", errorType ?? "unknown_error", errorCode)]: 1 };
}

/** Returns what the end of an execution adds to the figures; null if it has not ended. */
export function executionEnding({ createdAt, finishedAt, status }: ExecutionRow): Counters | null {
  const outcome = executionOutcomes.find((each) => each === status);
  if (finishedAt === null || outcome === undefined) return null;
  return { [outcome]: 1, ...histogramCounters("lasted", histogramOf([finishedAt - createdAt])) };
}
