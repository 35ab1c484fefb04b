// Forecasts: the predicted load of very many executions of one definition.
import type { ConnectionLimits } from "../gate.ts";
import type { AssumedOutcome } from "./assumptions.ts";

/**
 * The share of an action's attempts that get this outcome. The remaining attempts get the outcome in the assumptions.
 */
export type OutcomeShare = { readonly share: number; readonly outcome: AssumedOutcome };
/** The outcome shares of each action or node. `*`: those of all actions that are not named. */
export type Shares = { readonly [action: string]: readonly OutcomeShare[] };

/** A connection of a forecast, with its limits. */
export type KnownConnection = { readonly name: string; readonly provider: string; readonly terms: ConnectionLimits };

/** The number of sent attempts with the same type, provider and connection. */
export type AttemptsLine = {
  readonly type: string;
  readonly provider: string | null;
  readonly connection: string | null;
  readonly attempts: number;
  readonly ok: number;
  readonly failed: number;
  /** The attempts after the first one of their run. */
  readonly retries: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** The price of one attempt; null without a price. */
  readonly price: number | null;
};
export type RunsLine = {
  readonly action: string;
  readonly type: string;
  readonly status: string;
  readonly runs: number;
};
/** The runs that waited for one reason: their number, and the total waiting time in ms. */
export type HoldsLine = {
  readonly reason: string;
  readonly connection: string | null;
  readonly holds: number;
  readonly waitedMs: number;
};
/** The number of attempts from this instant until the instant of the next row. */
export type TimeLine = {
  readonly from: number;
  readonly connection: string | null;
  readonly attempts: number;
  /** The used share of the connection's rate; null without a rate. */
  readonly used: number | null;
};

/** Counts of operations that the platform bills; see `policy/forecast/platform.ts`. */
export type PlatformCounts = {
  readonly objectRows: number;
  readonly objectRequests: number;
  readonly queueMessages: number;
  readonly catalogRows: number;
};

export type Forecast = {
  readonly executions: {
    /** The number of executions that the forecast is for. */
    readonly of: number;
    /** The number of executions that were simulated. Each of them represents `of / played` executions. */
    readonly played: number;
    readonly byStatus: { readonly [status: string]: number };
    readonly refused: { readonly [code: string]: number };
    /** The number of executions whose simulation stopped early, by reason. */
    readonly cut: { readonly [why: string]: number };
    /** The largest number of live executions at one time. */
    readonly liveMax: number;
  };
  readonly runs: readonly RunsLine[];
  readonly attempts: readonly AttemptsLine[];
  readonly holds: readonly HoldsLine[];
  readonly startedBy: number | null;
  /** When the last attempt is sent, in epoch ms; null without an attempt. */
  readonly lastAt: number | null;
  readonly lastAction: string | null;
  /** The cause that held the last attempt; null if nothing held it. */
  readonly lastHeldBy: { readonly reason: string; readonly connection: string | null } | null;
  /** The connection for which runs waited longest in total; null if no run waited for a connection. */
  readonly bottleneck: string | null;
  /** The period of one row of `times`, in ms. */
  readonly everyMs: number;
  readonly times: readonly TimeLine[];
  readonly timesLeft: number;
  readonly platform: PlatformCounts;
};
