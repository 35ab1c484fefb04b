// State of one key of a limit: the runs in progress, the places of waiting runs, and what was counted. A key without
// any of these needs no state.
import { LIMIT_NEWEST_KEPT_MS, LIMIT_PLACE_KEPT_MS, START_PLACE_KEPT_MS } from "#schema/limits/limits-by-key.ts";
import type { KeyLimitTerms } from "#schema/key-limits/calls.ts";
import type { CapRow } from "#schema/subject/cap.ts";
import { emptyRate, shiftRate, type Rate } from "../rate.ts";
import { shiftSlots, type Lease, type Leases } from "../slots.ts";

/**
 * A waiting run. `until`: when it should return. `hasTurn`: the throttle has nothing more to decide about it. `isWoken`:
 * a slot is promised to the run, and a message requests that it returns.
 */
export type Place = {
  readonly id: string;
  readonly since: number;
  readonly until: number;
  readonly hasTurn?: true;
  readonly isWoken?: true;
};

export type Debounce = {
  /** The newest run, and when it first asked. */
  readonly id: string;
  readonly at: number;
  /** When the first run of this quiet time asked. */
  readonly firstAt: number;
  readonly until: number;
  /** True: the newest run has passed. The next run begins a new quiet time. */
  readonly isOver: boolean;
};

/** The lease of a run. `since`: when the run first asked, in epoch ms. */
export type KeyLease = Lease & {
  readonly since: number;
  /** Only for a start: when the engine last found that the execution has not ended. Absent: never. */
  readonly checkedAt?: number;
};

export type KeyLimitState = Leases & {
  readonly v: 1;
  readonly leases: { readonly [id: string]: KeyLease };
  /** The terms that the last request contained. */
  readonly terms: KeyLimitTerms;
  /** The waiting runs, in the order in which they first asked. */
  readonly line: readonly Place[];
  /** The runs that the rate has counted. Null if there are none. */
  readonly counted: CapRow | null;
  readonly throttle: Rate;
  readonly debounce: Debounce | null;
  /** The run that has replaced all earlier ones. Null if none has. */
  readonly newest: { readonly id: string; readonly at: number } | null;
  /** When the last run without a place should return. */
  readonly tailAt: number;
  /** The latest time that the key has seen. If the current time is earlier, the clock was set back. */
  readonly seenAt: number;
};

/** The state of a key that no run has used. */
export const unusedKey: KeyLimitState = {
  v: 1,
  terms: {},
  leases: {},
  tookMs: 1_000,
  line: [],
  counted: null,
  throttle: emptyRate,
  debounce: null,
  newest: null,
  tailAt: 0,
  seenAt: 0,
};

/**
 * Removes expired leases, and the places of runs that have not returned. If the clock was set back, moves the instants
 * back by the same time.
 */
export function upToDate(stored: KeyLimitState, now: number): KeyLimitState {
  const state = now < stored.seenAt ? shiftState(stored, now - stored.seenAt) : stored;
  const leases = Object.entries(state.leases).filter(([, { expiresAt }]) => expiresAt > now);
  const line = state.line.filter(({ until }) => until + placeKeptMs(state.terms) > now);
  return { ...state, leases: Object.fromEntries(leases), line, seenAt: now };
}

function shiftState(state: KeyLimitState, byMs: number): KeyLimitState {
  const { line, debounce, counted } = state;
  const { leases } = shiftSlots({ leases: state.leases, tookMs: state.tookMs, line: [] }, byMs);
  const shifted = Object.entries(leases).map(([id, lease]) => [id, { ...lease, since: lease.since + byMs }] as const);
  return {
    ...state,
    leases: Object.fromEntries(shifted),
    line: line.map((place) => ({ ...place, since: place.since + byMs, until: place.until + byMs })),
    counted: counted && { ...counted, taken: counted.taken.map((each) => ({ ...each, at: each.at + byMs })) },
    throttle: shiftRate(state.throttle, byMs),
    debounce: debounce && {
      ...debounce,
      at: debounce.at + byMs,
      firstAt: debounce.firstAt + byMs,
      until: debounce.until + byMs,
    },
    tailAt: state.tailAt + byMs,
  };
}

/** Returns when the state affects no decision any more, in epoch ms. From then on the row can be deleted. */
export function quietAt({ leases, line, counted, throttle, debounce, newest, terms }: KeyLimitState): number {
  return Math.max(
    throttle.fullAt,
    counted === null ? 0 : Math.max(0, ...counted.taken.map(({ at }) => at)) + counted.keepMs,
    debounce === null ? 0 : debounce.until + LIMIT_NEWEST_KEPT_MS,
    newest === null ? 0 : newest.at + LIMIT_NEWEST_KEPT_MS,
    ...Object.values(leases).map(({ expiresAt }) => expiresAt),
    ...line.map(({ until }) => until + placeKeptMs(terms)),
  );
}

function placeKeptMs({ of }: KeyLimitTerms): number {
  return of === "starts" ? START_PLACE_KEPT_MS : LIMIT_PLACE_KEPT_MS;
}
