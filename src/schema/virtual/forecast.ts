// Forecasts: the load of executing very many of one definition, before any of them is started.
import type { Terms } from "../gate.ts";
import type { AssumedOutcome } from "./assumptions.ts";

/** A share of an action's attempts with this outcome. The rest is as assumed without shares. */
export type OutcomeShare = { readonly share: number; readonly outcome: AssumedOutcome };
/** By action or node; `*`: of all others. */
export type Shares = { readonly [action: string]: readonly OutcomeShare[] };

/** A connection in a forecast: its limits. */
export type KnownConnection = { readonly name: string; readonly provider: string; readonly terms: Terms };

/** Sent attempts: one line per type, provider and connection. */
export type AttemptsLine = {
  readonly type: string;
  readonly provider: string | null;
  readonly connection: string | null;
  readonly attempts: number;
  readonly ok: number;
  readonly failed: number;
  /** Attempts that are not the first of their run. */
  readonly retries: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** The price of one; null: not in the price list. */
  readonly price: number | null;
};
export type RunsLine = {
  readonly action: string;
  readonly type: string;
  readonly status: string;
  readonly runs: number;
};
/** What made runs wait, and for how long in total. */
export type HoldsLine = {
  readonly reason: string;
  readonly connection: string | null;
  readonly holds: number;
  readonly waitedMs: number;
};
/** What is sent between this instant and the next listed one. */
export type TimeLine = {
  readonly from: number;
  readonly connection: string | null;
  readonly attempts: number;
  /** The share of the connection's rate in that time; null without a rate. */
  readonly used: number | null;
};

/** The platform's counts; see `policy/forecast/platform.ts`. */
export type PlatformCounts = {
  readonly objectRows: number;
  readonly objectRequests: number;
  readonly queueMessages: number;
  readonly catalogRows: number;
};

export type Forecast = {
  readonly executions: {
    /** The number that this is for. */
    readonly of: number;
    /** The number simulated; each represents `of / played`. */
    readonly played: number;
    readonly byStatus: { readonly [status: string]: number };
    readonly refused: { readonly [code: string]: number };
    /** How many were cut off, by reason. */
    readonly cut: { readonly [why: string]: number };
    /** The maximum at one time. */
    readonly liveMax: number;
  };
  readonly runs: readonly RunsLine[];
  readonly attempts: readonly AttemptsLine[];
  readonly holds: readonly HoldsLine[];
  readonly startedBy: number | null;
  /** When the last attempt is sent; null: none is. */
  readonly lastAt: number | null;
  readonly lastAction: string | null;
  /** What held the last one. */
  readonly lastHeldBy: { readonly reason: string; readonly connection: string | null } | null;
  /** The connection that made runs wait longest in total. */
  readonly bottleneck: string | null;
  /** The length of a line of `times`. */
  readonly everyMs: number;
  readonly times: readonly TimeLine[];
  readonly timesLeft: number;
  readonly platform: PlatformCounts;
};
