// Line of a key: the places of the waiting runs in the order in which they first asked, and what delays each of them.
import type { RateTerms } from "#schema/gate.ts";
import type { KeyLimitTerms } from "#schema/key-limits/calls.ts";
import { LIMIT_LATE_MS, LIMIT_WAITING_MAX, LIMIT_WAKE_MS, START_LATE_MS } from "#schema/limits/limits-by-key.ts";
import { admissibleNow, admitsFrom, type Rate } from "../rate.ts";
import { expectedCallMs } from "../slots.ts";
import type { KeyLimitState, Place } from "./state.ts";

/**
 * Gives a waiting run its place, or a new return time at its place. If all places are used, the run that first asked
 * last has none: it returns behind all others, and gets a place then.
 */
export function standInLine(state: KeyLimitState, place: Place, gapMs: number): readonly [KeyLimitState, number] {
  const others = state.line.filter(({ id }) => id !== place.id);
  const at = placeOf(others, place.since);
  if (at >= LIMIT_WAITING_MAX) {
    const until = Math.ceil(Math.max(place.until, state.tailAt));
    return [{ ...state, tailAt: until + gapMs }, until];
  }
  return [{ ...state, line: others.toSpliced(at, 0, place).slice(0, LIMIT_WAITING_MAX) }, place.until];
}

/** The position of a run that first asked at `since`. Runs of the same millisecond keep the order of their requests. */
export function placeOf(line: readonly Place[], since: number): number {
  const at = line.findIndex((place) => place.since > since);
  return at === -1 ? line.length : at;
}

/** False if the run is so late that it no longer delays the runs behind it. Its place stays the same. */
export function isBlocking({ until, isWoken }: Place, state: KeyLimitState, now: number): boolean {
  const waitsMs = isWoken === true && state.terms.of === undefined ? LIMIT_WAKE_MS : lateMs(state, now);
  return until + waitsMs >= now;
}

export function slotsMax({ concurrency = Infinity, singleton }: KeyLimitTerms): number {
  return singleton === undefined ? concurrency : 1;
}

type PlacesAhead = { readonly blocking: readonly Place[]; readonly before: readonly Place[] };

/** When the throttle admits a run behind these places. `blocking`: those whose runs are not late. */
export function nextTurnAt(rate: Rate, terms: RateTerms, { blocking, before }: PlacesAhead, now: number): number {
  if (admissibleNow(rate, terms, now) > blocking.filter(isThrottled).length) return now;
  const gapMs = terms.perMs / terms.calls;
  return Math.max(now + 1, admitsFrom(rate, terms) + before.filter(isThrottled).length * gapMs);
}

function isThrottled({ hasTurn }: Place): boolean {
  return hasTurn !== true;
}

export function slotIntervalMs(state: KeyLimitState, now: number): number {
  const slots = slotsMax(state.terms);
  return Number.isFinite(slots) ? expectedCallMs(state, now) / slots : 0;
}

/** The expected time between the starts of two runs of the key. */
export function intervalMs(state: KeyLimitState, now: number): number {
  const { throttle } = state.terms;
  return Math.max(slotIntervalMs(state, now), throttle === undefined ? 0 : throttle.perMs / throttle.calls);
}

/** How late a run may return before it stops blocking the runs behind it. */
function lateMs(state: KeyLimitState, now: number): number {
  if (state.terms.of === "starts") return START_LATE_MS;
  return Math.min(Math.max(intervalMs(state, now), LIMIT_LATE_MS.least), LIMIT_LATE_MS.most);
}
