// The gate of a connection: decides whether a call may start now, and otherwise why it is held and until when. All
// functions are pure. The connection's object stores the state and reads the clock.
import type { AcquireAnswer, AcquireItem, GateView, ReleaseItem, ConnectionLimits } from "#schema/gate.ts";
import type { Hold } from "#schema/engine/outcome.ts";
import { GATE_EVICTED_AFTER_MS } from "#schema/limits/outgoing/connection-limits.ts";
import {
  admitCall,
  closedBreaker,
  recordCall,
  shiftBreaker,
  tallyCalls,
  type Breaker,
  type EndedCall,
} from "./breaker.ts";
import {
  admitsFrom,
  isPaused,
  waitingForRate,
  shiftRate,
  pauseFor,
  emptyRate,
  admitOrDefer,
  type Rate,
} from "./rate.ts";
import { findSlot, releaseSlot, shiftSlots, waitingBefore, withoutExpired, type Lease, type Slots } from "./slots.ts";

export type GateState = Slots & {
  readonly v: 1;
  readonly rate: Rate;
  readonly breaker: Breaker;
  /** The latest time that the gate has seen. If the current time is earlier, the clock was set back. */
  readonly seenAt: number;
};

/** The state of a gate without calls. */
export const openGate: GateState = {
  v: 1,
  rate: emptyRate,
  breaker: closedBreaker,
  leases: {},
  tookMs: 1_000,
  line: [],
  seenAt: 0,
};

/** Decides about several calls, one after another in this order. */
export function acquire(state: GateState, terms: ConnectionLimits, items: readonly AcquireItem[], now: number) {
  let next = upToDate(state, now);
  const answers: AcquireAnswer[] = items.map((item) => {
    const { state: after, answer } = acquireOne(next, terms, item, now);
    next = after;
    return answer;
  });
  return { state: next, answers };
}

type AcquireResult = { readonly state: GateState; readonly answer: AcquireAnswer };

/**
 * Decides about one call. The rate is checked last, because checking it uses up a part of the rate. A call that another
 * limit holds must not use it.
 */
function acquireOne(state: GateState, terms: ConnectionLimits, item: AcquireItem, now: number): AcquireResult {
  const { key, expiresAt } = item;
  const own = Object.hasOwn(state.leases, key) ? state.leases[key] : undefined;
  if (own) return grant(state, key, { ...own, expiresAt: Math.max(own.expiresAt, expiresAt) });
  const probing = Object.values(state.leases).filter(({ isProbe }) => isProbe).length;
  const admitted = terms.breaker && admitCall(state.breaker, terms.breaker, probing, now);
  const afterBreaker = { ...state, breaker: admitted?.breaker ?? closedBreaker };
  if (admitted?.verdict.kind === "held") return hold(afterBreaker, "circuit_open", admitted.verdict.until);
  const slot = terms.concurrency === null ? null : findSlot(afterBreaker, terms.concurrency, item, now);
  const afterSlot: GateState = slot === null ? { ...afterBreaker, line: [] } : { ...afterBreaker, ...slot.slots };
  if (slot !== null && slot.until !== null) return hold(afterSlot, "concurrency", slot.until);
  const rate = admitOrDefer(afterSlot.rate, terms.rate, item.promisedAt, now);
  const afterRate = { ...afterSlot, rate: rate.rate };
  if (rate.until !== null) {
    return hold(afterRate, isPaused(afterSlot.rate, now) ? "retry_after" : "rate_limited", rate.until);
  }
  const needsLease = terms.concurrency !== null || terms.breaker !== null;
  if (!needsLease) return { state: afterRate, answer: { ok: true, lease: null } };
  return grant(afterRate, key, { begunAt: now, expiresAt, isProbe: admitted?.verdict.kind === "probe" });
}

function grant(state: GateState, key: string, lease: Lease): AcquireResult {
  return { state: { ...state, leases: { ...state.leases, [key]: lease } }, answer: { ok: true, lease: key } };
}

function hold(state: GateState, reason: Hold["reason"], until: number): AcquireResult {
  return { state, answer: { ok: false, hold: { reason, until } } };
}

/** Releases the leases of calls that have ended. */
export function release(
  state: GateState,
  terms: ConnectionLimits,
  items: readonly ReleaseItem[],
  now: number,
): GateState {
  return items.reduce((before, item) => releaseOne(before, terms, item, now), upToDate(state, now));
}

/** Releases the slot of a call and records its result. If the call holds no slot any more, nothing changes. */
function releaseOne(state: GateState, terms: ConnectionLimits, item: ReleaseItem, now: number): GateState {
  const lease = Object.hasOwn(state.leases, item.lease) ? state.leases[item.lease] : undefined;
  const rate = item.retryAfterMs === null ? state.rate : pauseFor(state.rate, item.retryAfterMs, now);
  const outcome = outcomeOf(item);
  const breaker =
    lease && outcome && terms.breaker
      ? recordCall(state.breaker, terms.breaker, { ...lease, outcome }, now)
      : state.breaker;
  return { ...state, ...releaseSlot(state, item.lease, now), rate, breaker };
}

/**
 * Returns the outcome that the breaker records. null if the call is ignored and the provider has not answered, because
 * it then shows nothing about the provider.
 */
function outcomeOf({ outcome, answered }: ReleaseItem): EndedCall["outcome"] | null {
  if (outcome !== "ignored") return outcome;
  return answered ? "refused" : null;
}

/** Returns the gate's state for API responses. */
export function viewGate(stored: GateState, terms: ConnectionLimits, now: number): Omit<GateView, "token"> {
  const { breaker, leases, line, rate } = upToDate(stored, now);
  const counts = breaker.kind === "closed" && terms.breaker ? tallyCalls(breaker.slices, terms.breaker, now) : null;
  return {
    breaker: {
      // When `until` is past, the next call is a probe. An open breaker is therefore shown as half open.
      status: breaker.kind === "open" && breaker.until <= now ? "half_open" : breaker.kind,
      until: breaker.kind === "open" ? breaker.until : null,
      calls: counts?.calls ?? 0,
      failed: counts?.failed ?? 0,
    },
    inUse: Object.keys(leases).length,
    waiting: waitingBefore(line, Infinity) + waitingForRate(rate, terms.rate, now),
    nextAt: Math.ceil(Math.max(admitsFrom(rate, terms.rate), now)),
  };
}

/** Returns the state to store. null if a gate without any state would make the same decisions. */
export function stateToStore(state: GateState, now: number): GateState | null {
  const { rate, breaker, leases, line } = state;
  const soon = now + GATE_EVICTED_AFTER_MS;
  const isQuiet =
    rate.fullAt <= soon &&
    rate.pausedUntil <= soon &&
    Object.keys(leases).length === 0 &&
    line.every(({ at }) => at <= soon) &&
    breaker.kind === "closed" &&
    breaker.slices.every(({ failed }) => failed === 0);
  return isQuiet ? null : state;
}

/**
 * Removes expired parts of the state. If the clock was set back, moves all stored instants back by the same time.
 * Otherwise no call would be admitted until the clock reaches them.
 */
function upToDate(state: GateState, now: number): GateState {
  const byMs = Math.min(0, now - state.seenAt);
  const { rate, breaker } = state;
  const moved =
    byMs === 0
      ? state
      : { ...shiftSlots(state, byMs), rate: shiftRate(rate, byMs), breaker: shiftBreaker(breaker, byMs) };
  return { ...moved, ...withoutExpired(moved, now), seenAt: now };
}
