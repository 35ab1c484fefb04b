// Forecasts: the predicted load of very many executions of one definition.
import type { ConnectionLimits } from "../gate.ts";
import type { AssumedOutcome } from "./assumptions.ts";

/** The share of an action's attempts that end with this outcome. All other attempts end as the assumptions say. */
export type OutcomeShare = { readonly share: number; readonly outcome: AssumedOutcome };
/** The shares of outcomes by action or node. `*`: the shares for all actions that are not listed. */
export type Shares = { readonly [action: string]: readonly OutcomeShare[] };

/** A connection in a forecast, with its limits. */
export type KnownConnection = { readonly name: string; readonly provider: string; readonly terms: ConnectionLimits };

/** How many attempts with the same type, provider and connection were sent. */
export type AttemptsLine = {
  readonly type: string;
  readonly provider: string | null;
  readonly connection: string | null;
  readonly attempts: number;
  readonly ok: number;
  readonly failed: number;
  /** How many of the attempts were not the first of their run. */
  readonly retries: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** The price of one attempt. Null if the tenant has none for it. */
  readonly price: number | null;
};
export type RunsLine = {
  readonly action: string;
  readonly type: string;
  readonly status: string;
  readonly runs: number;
};
/** The runs that waited for the same reason: how many there were, and how long they waited in total, in ms. */
export type HoldsLine = {
  readonly reason: string;
  readonly connection: string | null;
  readonly holds: number;
  readonly waitedMs: number;
};
/** How many attempts are sent from this instant until the instant of the next row. */
export type TimeLine = {
  readonly from: number;
  readonly connection: string | null;
  readonly attempts: number;
  /** How much of the connection's rate is used, as a share. Null if the connection has no rate. */
  readonly used: number | null;
};

/** How many operations the platform bills; see `policy/forecast/platform.ts`. */
export type PlatformCounts = {
  readonly objectRows: number;
  readonly objectRequests: number;
  readonly queueMessages: number;
  readonly catalogRows: number;
};

export type Forecast = {
  readonly executions: {
    /** How many executions the forecast is for. */
    readonly of: number;
    /** How many executions were simulated. Each of them represents `of / played` executions. */
    readonly played: number;
    readonly byStatus: { readonly [status: string]: number };
    readonly refused: { readonly [code: string]: number };
    /** How many simulations stopped early, by reason. */
    readonly cut: { readonly [why: string]: number };
    /** The largest number of executions that are live at the same time. */
    readonly liveMax: number;
  };
  readonly runs: readonly RunsLine[];
  readonly attempts: readonly AttemptsLine[];
  readonly holds: readonly HoldsLine[];
  readonly startedBy: number | null;
  /** When the last attempt is sent, in epoch ms. Null if no attempt is sent. */
  readonly lastAt: number | null;
  readonly lastAction: string | null;
  /** The cause that held the last attempt before it was sent. Null if nothing held it. */
  readonly lastHeldBy: { readonly reason: string; readonly connection: string | null } | null;
  /** The connection for which runs waited longest in total. Null if no run waited for a connection. */
  readonly bottleneck: string | null;
  /** How much time one row of `times` covers, in ms. */
  readonly everyMs: number;
  readonly times: readonly TimeLine[];
  readonly timesLeft: number;
  readonly platform: PlatformCounts;
};
