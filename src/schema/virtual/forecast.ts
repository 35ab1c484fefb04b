// A forecast: what carrying out very many of one definition would come to, before any of them is started.
import type { Terms } from "../gate.ts";
import type { AssumedOutcome } from "./assumptions.ts";

/** Of what an action's attempts come to: so many of all come to this. The rest is as it is assumed without shares. */
export type OutcomeShare = { readonly share: number; readonly outcome: AssumedOutcome };
/** By action or node; `*`: of all others. */
export type Shares = { readonly [action: string]: readonly OutcomeShare[] };

/** A connection as a forecast knows it: what it lets through. */
export type KnownConnection = { readonly name: string; readonly provider: string; readonly terms: Terms };

/** Of attempts that go out: one line a type, provider and connection. */
export type AttemptsLine = {
  readonly type: string;
  readonly provider: string | null;
  readonly connection: string | null;
  readonly attempts: number;
  readonly ok: number;
  readonly failed: number;
  /** Those of them that are not their run's first. */
  readonly retries: number;
  readonly firstAt: number;
  readonly lastAt: number;
  /** What one costs by the price book; null: it says nothing of them. */
  readonly price: number | null;
};
export type RunsLine = {
  readonly action: string;
  readonly type: string;
  readonly status: string;
  readonly runs: number;
};
/** What made runs wait, and how long in all. */
export type HoldsLine = {
  readonly reason: string;
  readonly connection: string | null;
  readonly holds: number;
  readonly waitedMs: number;
};
/** What leaves between this instant and the next one that is listed. */
export type TimeLine = {
  readonly from: number;
  readonly connection: string | null;
  readonly attempts: number;
  /** How much of what the connection lets through in that time; null where it has no rate. */
  readonly used: number | null;
};

/** What the platform counts; see `policy/forecast/platform.ts`. */
export type PlatformCounts = {
  readonly objectRows: number;
  readonly objectRequests: number;
  readonly queueMessages: number;
  readonly catalogRows: number;
};

export type Forecast = {
  readonly executions: {
    /** For how many this is. */
    readonly of: number;
    /** How many were played through; each stands for `of / played`. */
    readonly played: number;
    readonly byStatus: { readonly [status: string]: number };
    readonly refused: { readonly [code: string]: number };
    /** Those of which not all was looked at, by what cut them short. */
    readonly cut: { readonly [why: string]: number };
    /** At one time, at the most. */
    readonly liveMax: number;
  };
  readonly runs: readonly RunsLine[];
  readonly attempts: readonly AttemptsLine[];
  readonly holds: readonly HoldsLine[];
  readonly startedBy: number | null;
  /** When the last attempt goes out; null: none does. */
  readonly lastAt: number | null;
  readonly lastAction: string | null;
  /** What the last one was held by. */
  readonly lastHeldBy: { readonly reason: string; readonly connection: string | null } | null;
  /** The connection that made runs wait longest in all. */
  readonly bottleneck: string | null;
  /** How long a line of `times` is. */
  readonly everyMs: number;
  readonly times: readonly TimeLine[];
  readonly timesLeft: number;
  readonly platform: PlatformCounts;
};
