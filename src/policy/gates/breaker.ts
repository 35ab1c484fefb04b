// The circuit breaker of a connection. It is closed while enough calls succeed, and otherwise open. After some time it
// is half open and admits a few probes. Calls are counted per slice of the window, so that the size of the state does
// not depend on the traffic.
import type { BreakerLimits } from "#schema/gate.ts";
import { PROBE_GAP_MS, PROBE_MS, PROBE_SPREAD_MS_MAX } from "#schema/limits/outgoing/connection-limits.ts";

/** The calls that started in one part of the window. `at`: the start of the part, in epoch ms. */
type Slice = { readonly at: number; readonly calls: number; readonly failed: number };

export type Breaker =
  /**
   * `since`: when the breaker closed after an outage. Calls that started earlier do not count. Absent if the breaker
   * was never open.
   */
  | { readonly kind: "closed"; readonly slices: readonly Slice[]; readonly since?: number }
  /** `turnedAway`: the number of rejected calls. It is used to spread the instants at which they return. */
  | { readonly kind: "open"; readonly until: number; readonly turnedAway: number }
  /** `since`: when the breaker became half open. The result of a probe that started earlier is ignored. Default: 0. */
  | { readonly kind: "half_open"; readonly succeeded: number; readonly turnedAway: number; readonly since?: number };

/**
 * A call that has ended. `refused`: the provider has rejected this request, which shows that the provider is available.
 */
export type EndedCall = {
  readonly begunAt: number;
  readonly isProbe: boolean;
  readonly outcome: "ok" | "failed" | "refused";
};

export type BreakerVerdict =
  | { readonly kind: "pass" }
  | { readonly kind: "probe" }
  | { readonly kind: "held"; readonly until: number };

export const closedBreaker: Breaker = { kind: "closed", slices: [] };

/** The number of slices of a window. */
const SLICES = 10;

/** Decides whether a call may start. `probing`: how many probes are in progress. */
export function admitCall(
  breaker: Breaker,
  terms: BreakerLimits,
  probing: number,
  now: number,
): { readonly breaker: Breaker; readonly verdict: BreakerVerdict } {
  switch (breaker.kind) {
    case "closed":
      return { breaker, verdict: { kind: "pass" } };
    case "open": {
      if (breaker.until <= now)
        return admitCall({ kind: "half_open", succeeded: 0, turnedAway: 0, since: now }, terms, probing, now);
      const { turnedAway } = breaker;
      const wait = turnedAway < terms.halfOpenProbes ? 0 : PROBE_MS + probeDelayMs(turnedAway);
      const verdict = { kind: "held", until: breaker.until + wait } as const;
      return { breaker: { ...breaker, turnedAway: turnedAway + 1 }, verdict };
    }
    case "half_open": {
      if (probing + breaker.succeeded < terms.halfOpenProbes) return { breaker, verdict: { kind: "probe" } };
      const verdict = { kind: "held", until: now + PROBE_MS + probeDelayMs(breaker.turnedAway) } as const;
      return { breaker: { ...breaker, turnedAway: breaker.turnedAway + 1 }, verdict };
    }
  }
}

/** Records the result of a call. The result of a call that started before the breaker opened is ignored. */
export function recordCall(breaker: Breaker, terms: BreakerLimits, call: EndedCall, now: number): Breaker {
  switch (breaker.kind) {
    case "closed": {
      if (call.outcome === "refused" || call.begunAt < (breaker.since ?? 0)) return breaker;
      const isOk = call.outcome === "ok";
      const slices = withCall(breaker.slices, terms, isOk, now);
      const { calls, failed } = tallyCalls(slices, terms, now);
      const mustOpen = !isOk && calls >= terms.minimumCalls && failed / calls >= terms.failureRatio;
      return mustOpen ? open(terms, now) : { ...breaker, slices };
    }
    case "open":
      return breaker;
    case "half_open": {
      if (!call.isProbe || call.begunAt < (breaker.since ?? 0)) return breaker;
      if (call.outcome === "failed") return open(terms, now);
      const succeeded = breaker.succeeded + 1;
      return succeeded >= terms.halfOpenProbes ? { kind: "closed", slices: [], since: now } : { ...breaker, succeeded };
    }
  }
}

/** Sums the calls within the window. */
export function tallyCalls(slices: readonly Slice[], { windowMs }: BreakerLimits, now: number): Omit<Slice, "at"> {
  const recent = slices.filter(({ at }) => at > now - windowMs);
  return {
    calls: recent.reduce((sum, slice) => sum + slice.calls, 0),
    failed: recent.reduce((sum, slice) => sum + slice.failed, 0),
  };
}

function withCall(slices: readonly Slice[], { windowMs }: BreakerLimits, isOk: boolean, now: number): readonly Slice[] {
  const sliceMs = windowMs / SLICES;
  const at = Math.floor(now / sliceMs) * sliceMs;
  const recent = slices.filter((slice) => slice.at > now - windowMs);
  const last = recent.at(-1);
  const current = last !== undefined && last.at >= at ? last : { at, calls: 0, failed: 0 };
  const slice = { at: current.at, calls: current.calls + 1, failed: current.failed + (isOk ? 0 : 1) };
  return [...recent.filter((other) => other !== last || other.at < at), slice];
}

function open({ openMs }: BreakerLimits, now: number): Breaker {
  return { kind: "open", until: now + openMs, turnedAway: 0 };
}

function probeDelayMs(turnedAway: number): number {
  return (turnedAway * PROBE_GAP_MS) % PROBE_SPREAD_MS_MAX;
}

/** Shifts all stored instants. Called when the clock was set back. */
export function shiftBreaker(breaker: Breaker, byMs: number): Breaker {
  const since = "since" in breaker && breaker.since !== undefined ? { since: breaker.since + byMs } : {};
  switch (breaker.kind) {
    case "closed":
      return { ...breaker, ...since, slices: breaker.slices.map((slice) => ({ ...slice, at: slice.at + byMs })) };
    case "open":
      return { ...breaker, until: breaker.until + byMs };
    case "half_open":
      return { ...breaker, ...since };
  }
}
