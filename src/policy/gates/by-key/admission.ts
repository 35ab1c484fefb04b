// Gate of a limit by key: decides whether a run may start now, and otherwise why it waits or is skipped. Runs of one key
// start in the order in which they first asked. All functions are pure; an object stores the state of each key.
import type { KeyLimitAnswer, KeyLimitRelease, KeyLimitRequest, KeyLimitTerms } from "#schema/key-limits/calls.ts";
import { LIMIT_POLL_MS, START_POLL_MS } from "#schema/limits/limits-by-key.ts";
import { admitOrDefer } from "../rate.ts";
import { releaseSlot } from "../slots.ts";
import { SLOT_WAIT_MS_MIN } from "#schema/limits/outgoing/connection-limits.ts";
import { enterLimit, skipIfReplaced } from "./entry.ts";
import { intervalMs, isBlocking, nextTurnAt, placeOf, slotIntervalMs, slotsMax, standInLine } from "./line.ts";
import { unusedKey, upToDate, type KeyLease, type KeyLimitState } from "./state.ts";

export type EndInstants = ReadonlyMap<string, number>;
export type KeyLimitResult = { readonly state: KeyLimitState; readonly answer: KeyLimitAnswer };

/**
 * Decides about one run. `stored`: the state of its key; null if there is none. `endsAt`: when the runs in progress end,
 * by id, if it is known, as in a preview.
 */
export function acquireByKey(
  stored: KeyLimitState | null,
  terms: KeyLimitTerms,
  ask: KeyLimitRequest,
  now: number,
  endsAt: EndInstants = new Map(),
): KeyLimitResult {
  const state = { ...upToDate(stored ?? unusedKey, now), terms };
  const own = Object.hasOwn(state.leases, ask.id) ? state.leases[ask.id] : undefined;
  // The answer to the same attempt's earlier request was lost.
  if (own !== undefined) return admit(state, ask, { ...own, expiresAt: Math.max(own.expiresAt, ask.expiresAt) });
  const { state: entered, answer } = hasEntered(state, ask) ? skipIfReplaced(state, ask) : enterLimit(state, ask, now);
  return answer === null ? takeTurn(entered, ask, now, endsAt) : { state: entered, answer };
}

/** True if the entry checks have admitted the run before. A later attempt of a run is never skipped by them. */
function hasEntered({ line }: KeyLimitState, { id, isFirst, waited }: KeyLimitRequest): boolean {
  return !isFirst || (waited !== null && waited.stage !== "debounce") || line.some((place) => place.id === id);
}

function takeTurn(state: KeyLimitState, ask: KeyLimitRequest, now: number, endsAt: EndInstants): KeyLimitResult {
  const ownAt = state.line.findIndex(({ id }) => id === ask.id);
  const since = state.line[ownAt]?.since ?? ask.waited?.since ?? now;
  const hadTurn = !ask.isFirst || ask.waited?.stage === "turn";
  // The throttle whose turn the run still needs.
  const throttle = hadTurn ? undefined : state.terms.throttle;
  const before = state.line.slice(0, ownAt === -1 ? placeOf(state.line, since) : ownAt);
  const blocking = before.filter((place) => isBlocking(place, state, now));
  const isFree = slotsMax(state.terms) - Object.keys(state.leases).length > blocking.length;
  const turnAt = throttle === undefined ? now : nextTurnAt(state.throttle, throttle, { blocking, before }, now);
  if (isFree && turnAt <= now) {
    const used = throttle === undefined ? {} : { throttle: admitOrDefer(state.throttle, throttle, now, now).rate };
    return admit({ ...state, ...used }, ask, { begunAt: now, expiresAt: ask.expiresAt, isProbe: false, since });
  }
  const freeAt = isFree ? now : slotAfterEnds(state, endsAt, blocking.length);
  const slotAt = freeAt ?? now + slotWaitMs(state, before.length, now);
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
 * When a run gets a slot if releases wake the runs in order and all calls take as long as the shortest one. null if it
 * is unknown when the runs in progress end. If a call takes longer, the run finds no slot at this instant and asks again.
 */
function slotAfterEnds(state: KeyLimitState, endsAt: EndInstants, ahead: number): number | null {
  const known = Object.entries(state.leases).flatMap(([id, { begunAt }]) => {
    const at = endsAt.get(id);
    return at === undefined ? [] : [{ at, tookMs: at - begunAt }];
  });
  const ends = known.map(({ at }) => at).toSorted((a, b) => a - b);
  const turn = ahead - (slotsMax(state.terms) - Object.keys(state.leases).length);
  const end = ends[turn % ends.length];
  if (end === undefined) return null;
  return end + Math.floor(turn / ends.length) * Math.min(...known.map(({ tookMs }) => tookMs));
}

/**
 * The wait of a run that found no slot: until the next slot is expected, and half a slot's interval for each run before
 * it, because many runs return late. It grows with the number of runs before it, so that the whole line asks only about
 * ln(n) times in LIMIT_POLL_MS.
 */
function slotWaitMs(state: KeyLimitState, ahead: number, now: number): number {
  const waitMs = nextSlotMs(state, now) + (ahead * slotIntervalMs(state, now)) / 2;
  return Math.min(waitMs, (ahead + 1) * (state.terms.of === "starts" ? START_POLL_MS : LIMIT_POLL_MS));
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
