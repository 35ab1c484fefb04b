// Gate of a limit by key: decides whether a run may start now, and otherwise why it waits or is skipped. Runs of one key
// start in the order in which they first asked. All functions are pure; an object stores the state of each key.
import type { KeyLimitAnswer, KeyLimitRelease, KeyLimitRequest, KeyLimitTerms } from "#schema/key-limits/calls.ts";
import { LIMIT_LATE_MS, LIMIT_POLL_MS, LIMIT_WAITING_MAX } from "#schema/limits/limits-by-key.ts";
import { admissibleNow, admitOrDefer, admitsFrom, type Rate } from "../rate.ts";
import type { RateTerms } from "#schema/gate.ts";
import { expectedCallMs, releaseSlot } from "../slots.ts";
import { SLOT_WAIT_MS_MIN } from "#schema/limits/outgoing/connection-limits.ts";
import { enterLimit, skipIfReplaced } from "./entry.ts";
import { unusedKey, upToDate, type KeyLease, type KeyLimitState, type Place } from "./state.ts";

export type KeyLimitResult = { readonly state: KeyLimitState; readonly answer: KeyLimitAnswer };

/** Decides about one run. `stored`: the state of its key; null if there is none. */
export function acquireByKey(
  stored: KeyLimitState | null,
  terms: KeyLimitTerms,
  ask: KeyLimitRequest,
  now: number,
): KeyLimitResult {
  const state = { ...upToDate(stored ?? unusedKey, now), terms };
  const own = Object.hasOwn(state.leases, ask.id) ? state.leases[ask.id] : undefined;
  // The answer to the same attempt's earlier request was lost.
  if (own !== undefined) return admit(state, ask, { ...own, expiresAt: Math.max(own.expiresAt, ask.expiresAt) });
  const { state: entered, answer } = hasEntered(state, ask) ? skipIfReplaced(state, ask) : enterLimit(state, ask, now);
  return answer === null ? takeTurn(entered, ask, now) : { state: entered, answer };
}

/** True if the entry checks have admitted the run before. A later attempt of a run is never skipped by them. */
function hasEntered({ line }: KeyLimitState, { id, isFirst, waited }: KeyLimitRequest): boolean {
  return !isFirst || (waited !== null && waited.stage !== "debounce") || line.some((place) => place.id === id);
}

function takeTurn(state: KeyLimitState, ask: KeyLimitRequest, now: number): KeyLimitResult {
  const ownAt = state.line.findIndex(({ id }) => id === ask.id);
  const since = state.line[ownAt]?.since ?? ask.waited?.since ?? now;
  const hadTurn = !ask.isFirst || ask.waited?.stage === "turn";
  // The throttle whose turn the run still needs.
  const throttle = hadTurn ? undefined : state.terms.throttle;
  const before = state.line.slice(0, ownAt === -1 ? placeOf(state.line, since) : ownAt);
  const blocking = before.filter(({ until }) => until + lateMs(state, now) >= now);
  const isFree = slotsMax(state.terms) - Object.keys(state.leases).length > blocking.length;
  const turnAt = throttle === undefined ? now : nextTurnAt(state.throttle, throttle, { blocking, before }, now);
  if (isFree && turnAt <= now) {
    const used = throttle === undefined ? {} : { throttle: admitOrDefer(state.throttle, throttle, now, now).rate };
    return admit({ ...state, ...used }, ask, { begunAt: now, expiresAt: ask.expiresAt, isProbe: false, since });
  }
  const slotAt = isFree ? now : now + slotWaitMs(state, before.length, now);
  const until = Math.ceil(Math.max(turnAt, slotAt, now + 1));
  const place = { id: ask.id, since, until, ...(throttle === undefined ? { hasTurn: true as const } : {}) };
  const [nextState, returnsAt] = standInLine(state, place, intervalMs(state, now));
  const slotReason = state.terms.singleton === undefined ? "limit_concurrency" : "limit_singleton";
  const reason = isFree ? "limit_throttle" : slotReason;
  const stage = ask.waited?.stage === "turn" ? "turn" : "line";
  return { state: nextState, answer: { kind: "held", reason, until: returnsAt, since, stage, ahead: before.length } };
}

function admit(state: KeyLimitState, { id }: KeyLimitRequest, lease: KeyLease): KeyLimitResult {
  const line = state.line.filter((place) => place.id !== id);
  const leases = { ...state.leases, [id]: lease };
  return { state: { ...state, leases, line }, answer: { kind: "admitted", since: lease.since } };
}

/** Ends a run's lease. The duration counts for forecasts only if the run was sent. Without a lease nothing changes. */
export function releaseByKey(stored: KeyLimitState, ask: KeyLimitRelease, now: number): KeyLimitState {
  const state = upToDate(stored, now);
  const released = releaseSlot(state, ask.id, now);
  return ask.wasSent ? released : { ...released, tookMs: state.tookMs };
}

/**
 * Gives a waiting run its place, or a new return time at its place. If all places are used, the run that first asked
 * last has none: it returns behind all others, and gets a place then.
 */
function standInLine(state: KeyLimitState, place: Place, gapMs: number): readonly [KeyLimitState, number] {
  const others = state.line.filter(({ id }) => id !== place.id);
  const at = placeOf(others, place.since);
  if (at >= LIMIT_WAITING_MAX) {
    const until = Math.ceil(Math.max(place.until, state.tailAt));
    return [{ ...state, tailAt: until + gapMs }, until];
  }
  return [{ ...state, line: others.toSpliced(at, 0, place).slice(0, LIMIT_WAITING_MAX) }, place.until];
}

/** The position of a run that first asked at `since`. Runs of the same millisecond keep the order of their requests. */
function placeOf(line: readonly Place[], since: number): number {
  const at = line.findIndex((place) => place.since > since);
  return at === -1 ? line.length : at;
}

function isThrottled({ hasTurn }: Place): boolean {
  return hasTurn !== true;
}

function slotsMax({ concurrency = Infinity, singleton }: KeyLimitTerms): number {
  return singleton === undefined ? concurrency : 1;
}

type PlacesAhead = { readonly blocking: readonly Place[]; readonly before: readonly Place[] };

/** When the throttle admits a run behind these places. `blocking`: those whose runs are not late. */
function nextTurnAt(rate: Rate, terms: RateTerms, { blocking, before }: PlacesAhead, now: number): number {
  if (admissibleNow(rate, terms, now) > blocking.filter(isThrottled).length) return now;
  const gapMs = terms.perMs / terms.calls;
  return Math.max(now + 1, admitsFrom(rate, terms) + before.filter(isThrottled).length * gapMs);
}

/**
 * The wait of a run that found no slot: until the next slot is expected, and half a slot's interval for each run before
 * it, because many runs return late. It grows with the number of runs before it, so that the whole line asks only about
 * ln(n) times in LIMIT_POLL_MS.
 */
function slotWaitMs(state: KeyLimitState, ahead: number, now: number): number {
  const waitMs = nextSlotMs(state, now) + (ahead * slotIntervalMs(state, now)) / 2;
  return Math.min(waitMs, (ahead + 1) * LIMIT_POLL_MS);
}

/**
 * The time until a slot is expected to be free. A run that already takes longer than usual is expected to take a share
 * of its age. The slot of a run that is about to return counts as free.
 */
function nextSlotMs({ leases, tookMs, terms }: KeyLimitState, now: number): number {
  const running = Object.values(leases);
  const leftMs = running.map(({ begunAt }) => Math.max(begunAt + tookMs - now, (now - begunAt) / 4));
  return Math.max(SLOT_WAIT_MS_MIN, running.length < slotsMax(terms) ? 0 : Math.min(...leftMs));
}

function slotIntervalMs(state: KeyLimitState, now: number): number {
  const slots = slotsMax(state.terms);
  return Number.isFinite(slots) ? expectedCallMs(state, now) / slots : 0;
}

/** The expected time between the starts of two runs of the key. */
function intervalMs(state: KeyLimitState, now: number): number {
  const { throttle } = state.terms;
  return Math.max(slotIntervalMs(state, now), throttle === undefined ? 0 : throttle.perMs / throttle.calls);
}

/** How late a run may return before it stops blocking the runs behind it. Its place stays the same. */
function lateMs(state: KeyLimitState, now: number): number {
  return Math.min(Math.max(intervalMs(state, now), LIMIT_LATE_MS.least), LIMIT_LATE_MS.most);
}
