// What a connection's object knows and decides: whether a call may go now, and if not, why and when to come back.
// Functions of (state, question, now); the object only keeps the state and reads the clock.
import type { Acquired, AcquireItem, GateView, ReleaseItem, Terms } from "#schema/gate.ts";
import type { Hold } from "#schema/engine/outcome.ts";
import { LEASE_WAIT_MS_MIN, LEASE_WAIT_MS_MAX, GATE_ASLEEP_AFTER_MS } from "#schema/limits/outgoing-calls.ts";
import { admit, closedBreaker, learn, tally, type Breaker } from "./breaker.ts";
import { freeFrom, pauseFor, quietRate, takePlace, type Rate } from "./rate.ts";

type Lease = { readonly begunAt: number; readonly expiresAt: number; readonly isProbe: boolean };

export type GateState = {
  readonly v: 1;
  readonly rate: Rate;
  readonly breaker: Breaker;
  readonly leases: { readonly [key: string]: Lease };
  /** How long a call holds its slot, by and large. */
  readonly tookMs: number;
  /** The end of the line of those who wait for a slot. */
  readonly lineAt: number;
};

export const openGate: GateState = {
  v: 1,
  rate: quietRate,
  breaker: closedBreaker,
  leases: {},
  tookMs: 1_000,
  lineAt: 0,
};

export function acquire(state: GateState, terms: Terms, items: readonly AcquireItem[], now: number) {
  let next = withoutLost(state, now);
  const answers: Acquired[] = items.map((item) => {
    const asked = ask(next, terms, item, now);
    next = asked.state;
    return asked.answer;
  });
  return { state: next, answers };
}

type Asked = { readonly state: GateState; readonly answer: Acquired };

/** The rate comes last: only who has everything else uses up a place. */
function ask(state: GateState, terms: Terms, item: AcquireItem, now: number): Asked {
  if (Object.hasOwn(state.leases, item.key)) return { state, answer: { ok: true, lease: item.key } };
  const inUse = Object.values(state.leases);
  const probing = inUse.filter(({ isProbe }) => isProbe).length;
  const admitted = terms.breaker && admit(state.breaker, terms.breaker, probing, now);
  const past = { ...state, breaker: admitted?.breaker ?? closedBreaker };
  if (admitted?.verdict.kind === "held") return held(past, "circuit_open", admitted.verdict.until);
  if (terms.concurrency !== null && inUse.length >= terms.concurrency)
    return waitForLease(past, terms.concurrency, now);
  const place = takePlace(past.rate, terms.rate, item.promisedAt, now);
  const placed = { ...past, rate: place.rate };
  if (place.until !== null) return held(placed, "rate_limited", place.until);
  if (terms.concurrency === null && terms.breaker === null) return { state: placed, answer: { ok: true, lease: null } };
  const lease: Lease = { begunAt: now, expiresAt: item.expiresAt, isProbe: admitted?.verdict.kind === "probe" };
  const leases = { ...placed.leases, [item.key]: lease };
  return { state: { ...placed, leases }, answer: { ok: true, lease: item.key } };
}

function waitForLease(state: GateState, leasesMax: number, now: number): Asked {
  const wanted = Math.max(state.lineAt, now) + state.tookMs / leasesMax;
  const until = Math.ceil(Math.min(Math.max(wanted, now + LEASE_WAIT_MS_MIN), now + LEASE_WAIT_MS_MAX));
  return held({ ...state, lineAt: until }, "concurrency", until);
}

function held(state: GateState, reason: Hold["reason"], until: number): Asked {
  return { state, answer: { ok: false, hold: { reason, until } } };
}

export function release(state: GateState, terms: Terms, items: readonly ReleaseItem[], now: number): GateState {
  return items.reduce((before, item) => giveBack(before, terms, item, now), withoutLost(state, now));
}

function giveBack(state: GateState, terms: Terms, item: ReleaseItem, now: number): GateState {
  const { [item.lease]: lease, ...leases } = state.leases;
  const tookMs = lease === undefined ? state.tookMs : state.tookMs * 0.8 + (now - lease.begunAt) * 0.2;
  const rate = item.retryAfterMs === null ? state.rate : pauseFor(state.rate, item.retryAfterMs, now);
  const says = item.outcome !== "ignored" && terms.breaker;
  const wasProbe = lease?.isProbe === true;
  const breaker = says ? learn(state.breaker, says, item.outcome === "ok", wasProbe, now) : state.breaker;
  return { ...state, leases, tookMs, rate, breaker };
}

/** A lease that nobody gave back in time: its holder is gone, and what became of the call nobody knows. */
function withoutLost(state: GateState, now: number): GateState {
  const all = Object.entries(state.leases);
  const kept = all.filter(([, { expiresAt }]) => expiresAt > now);
  return kept.length === all.length ? state : { ...state, leases: Object.fromEntries(kept) };
}

export function view(state: GateState, terms: Terms, now: number): Omit<GateView, "token"> {
  const { breaker } = state;
  const counts = breaker.kind === "closed" && terms.breaker ? tally(breaker.slices, terms.breaker, now) : null;
  return {
    breaker: {
      // Past its time it is half open: the next to come is the probe.
      status: breaker.kind === "open" && breaker.until <= now ? "half_open" : breaker.kind,
      until: breaker.kind === "open" ? breaker.until : null,
      calls: counts?.calls ?? 0,
      failed: counts?.failed ?? 0,
    },
    inUse: Object.keys(withoutLost(state, now).leases).length,
    nextAt: Math.ceil(Math.max(freeFrom(state.rate, terms.rate), now)),
  };
}

/** What must survive the object's sleep; null when a gate that remembers nothing would decide the same. */
export function worthKeeping(state: GateState, now: number): GateState | null {
  const { rate, breaker, leases } = state;
  const soon = now + GATE_ASLEEP_AFTER_MS;
  const isQuiet =
    rate.fullAt <= soon &&
    rate.pausedUntil <= soon &&
    Object.keys(leases).length === 0 &&
    breaker.kind === "closed" &&
    breaker.slices.every(({ failed }) => failed === 0);
  return isQuiet ? null : state;
}
