// Calls to the objects that store limits by key. Changes are additive only, because Worker and object versions differ
// during a deploy.
import { z } from "zod";
import type { KeyLimit } from "../definition/key-limit.ts";
import type { RateTerms } from "../gate.ts";

/** The terms of a limit, with lengths in milliseconds. Each call contains them, so that the current ones apply. */
export type KeyLimitTerms = {
  readonly concurrency?: number;
  readonly rate?: { readonly max: number; readonly perMs: number };
  readonly throttle?: RateTerms;
  readonly debounce?: { readonly forMs: number; readonly atMostMs: number | null };
  readonly singleton?: NonNullable<KeyLimit["singleton"]>;
  /** Set for a limit on starts. A slot then lasts until the execution ends. Absent for a limit on runs. */
  readonly of?: "starts";
};

/**
 * A limit by key with its key. `name`: the limit's own name, or `<definition>/<action>/<position>`; for a limit on starts
 * `<definition>/<position>`.
 */
export type TicketLimit = { readonly name: string; readonly key: string; readonly terms: KeyLimitTerms };

/** Why a run waits for a limit by key. */
export const limitHoldReasons = ["limit_concurrency", "limit_throttle", "limit_debounce", "limit_singleton"] as const;
export type LimitHoldReason = (typeof limitHoldReasons)[number];

/** Why a run is skipped by a limit by key. */
export const limitSkipReasons = ["rate_limited_by_key", "debounced", "singleton"] as const;
export type LimitSkipReason = (typeof limitSkipReasons)[number];

/**
 * How far a waiting run has come. debounce: it waits for the end of the quiet time. line: the rate has counted it, and it
 * waits for its turn. turn: it had its turn, but another limit holds it.
 */
export const placeStages = ["debounce", "line", "turn"] as const;

/** The place of a run at one limit. The run stores it while it is held, and shows it when it returns. */
export const limitPlace = z.object({
  name: z.string(),
  /** When the run first asked, in epoch ms. It decides the order. */
  since: z.number(),
  stage: z.enum(placeStages),
  /** How many runs of the key were before it. */
  ahead: z.number(),
});
export type LimitPlace = z.infer<typeof limitPlace>;

export type KeyLimitRequest = {
  /** The digest of the key. */
  readonly key: string;
  /** The run's idempotency key. For a limit on starts: the execution's id. */
  readonly id: string;
  /** When the lease ends if it is not released, in epoch ms. */
  readonly expiresAt: number;
  /**
   * True: the run's first attempt, which counts towards `rate` and `throttle` and may be skipped. False: a later one,
   * which only needs a slot.
   */
  readonly isFirst: boolean;
  /** The place that the last answer gave. Null if the run asks for the first time. */
  readonly waited: Pick<LimitPlace, "since" | "stage"> | null;
  /** Executions in doubt that the caller has found live. Absent if it has checked none. */
  readonly live?: readonly string[];
};

export type KeyLimitAnswer =
  | { readonly kind: "admitted"; readonly since: number }
  | ({ readonly kind: "held"; readonly reason: LimitHoldReason; readonly until: number } & Omit<LimitPlace, "name"> &
      HeldStart)
  /** `nextAt`: when a new run of the key may be admitted, in epoch ms; null if unknown. */
  | ({ readonly kind: "skipped"; readonly reason: LimitSkipReason; readonly nextAt: number | null } & Pick<
      HeldStart,
      "doubts"
    >);

/** Additional fields of the answer to a start that is held or skipped. */
type HeldStart = {
  /** Executions that have held a slot for long. The caller checks whether they have ended. Absent if there are none. */
  readonly doubts?: readonly string[];
  /** Executions that this start replaces. The caller cancels them. Absent if there are none. */
  readonly replaces?: readonly string[];
};

export type KeyLimitRelease = {
  readonly key: string;
  readonly id: string;
  /** False: nothing was sent, so the duration says nothing about the action. */
  readonly wasSent: boolean;
};

/** A waiting run that gets a slot. `at`: when it should return, in epoch ms. */
export type LimitWakeUp = { readonly id: string; readonly at: number };

/** Names of runs that were woken but no longer wait. Their slots pass on to the next runs. */
export type KeyLimitPassOn = { readonly key: string; readonly gone: readonly string[] };

/** The use of one key. Instants are in epoch ms. */
export type KeyUse = {
  readonly terms: KeyLimitTerms;
  readonly inUse: readonly { readonly run: string; readonly since: number; readonly until: number }[];
  readonly waiting: number;
  /** The first waiting runs, in order. */
  readonly next: readonly { readonly run: string; readonly since: number; readonly until: number }[];
  /** How many runs the rate counts in its period now. Null without a rate. */
  readonly counted: number | null;
  /** The newest run that waits for the end of the debounce. */
  readonly debouncing: { readonly run: string; readonly until: number } | null;
  /** When a new run could start, in epoch ms. Null: now. */
  readonly nextAt: number | null;
};

export type KeyLimitsPort = {
  acquireLimit(terms: KeyLimitTerms, ask: KeyLimitRequest): Promise<KeyLimitAnswer>;
  /** Returns the waiting runs that the caller must wake. Objects of an older version return undefined. */
  releaseLimit(ask: KeyLimitRelease): Promise<readonly LimitWakeUp[] | void>;
  /** Returns the next runs that the caller must wake. */
  passOnLimit(ask: KeyLimitPassOn): Promise<readonly LimitWakeUp[]>;
  readLimit(key: string): Promise<KeyUse | null>;
  /** Deletes all that is stored of the key. Returns what it was; null if nothing was stored. */
  freeLimit(key: string, dryRun: boolean): Promise<KeyUse | null>;
};
