// Simulates the limits of connections in a forecast with the code of production: rates, slots and breakers. If a
// simulated attempt represents several attempts, the limits are divided by that number.
import type { AttemptDecision } from "#kernel/virtual/fleet.ts";
import type { AttemptInProgress } from "#kernel/virtual/play.ts";
import { openTurnQueue, type TurnQueue } from "#kernel/virtual/turn-queue.ts";
import type { Hold, Outcome } from "#schema/engine/outcome.ts";
import type { ReleaseItem, ConnectionLimits } from "#schema/gate.ts";
import {
  SLOT_LEASE_GRACE_MS,
  WAITS_IN_PLACE_MAX,
  WAIT_IN_PLACE_MS,
} from "#schema/limits/outgoing/connection-limits.ts";
import { FORECAST_COMBINED_MS } from "#schema/limits/planning/forecast-sizes.ts";
import type { KnownConnection } from "#schema/virtual/forecast.ts";
import { acquire, openGate, release, type GateState } from "../gates/connection.ts";
import { requestedPauseMs } from "../gates/requested-pause.ts";

/** The release of a slot at this instant (epoch ms). */
type Release = { readonly at: number; readonly item: ReleaseItem };
type OpenGate = { readonly terms: ConnectionLimits; readonly releases: TurnQueue<Release>; state: GateState };
type Waiting = { readonly until: number; readonly reason: Hold["reason"]; readonly waits: number };

/** Opens the gates of all connections. `weight`: the number of attempts that each simulated one represents. */
export function openConnectionGates(weight: number) {
  const gates = new Map<string, OpenGate>();
  const waiting = new Map<string, Waiting>();
  const seconds = new Set<string>();
  let [acquires, releases] = [0, 0];

  const gateOf = ({ name, terms }: KnownConnection): OpenGate => {
    const gate = gates.get(name) ?? { terms: scaled(terms, weight), state: openGate, releases: openTurnQueue() };
    gates.set(name, gate);
    return gate;
  };

  return {
    /** Returns whether a connection already holds the attempt. It has then passed the other limits before. */
    isWaiting: (key: string): boolean => waiting.has(key),
    pass: (
      key: string,
      connection: KnownConnection,
      { run: { held }, at, timeoutMs }: AttemptInProgress,
    ): AttemptDecision => {
      if (!hasLimits(connection.terms)) return null;
      const gate = gateOf(connection);
      releaseEnded(gate, at);
      const waited = waiting.get(key);
      waiting.delete(key);
      const promised = waited ?? (held?.connection === connection.name ? held : null);
      const promise =
        promised === null ? { promisedAt: null } : { promisedAt: promised.until, promisedFor: promised.reason };
      const item = { key, expiresAt: at + timeoutMs + SLOT_LEASE_GRACE_MS, ...promise };
      const { state, answers } = acquire(gate.state, gate.terms, [item], at);
      gate.state = state;
      acquires += 1;
      seconds.add(`${connection.name} ${Math.floor(at / FORECAST_COMBINED_MS)}`);
      const [answer] = answers;
      if (answer === undefined || answer.ok) return null;
      const { until, reason } = answer.hold;
      const waits = (waited?.waits ?? 0) + 1;
      const canWaitInPlace = until - at <= WAIT_IN_PLACE_MS && until - at < timeoutMs / 4;
      if (!canWaitInPlace || waits > WAITS_IN_PLACE_MAX) return { reason, until, connection: connection.name };
      waiting.set(key, { until, reason, waits });
      return { waitsUntil: until };
    },
    recordResult: (key: string, connection: KnownConnection, at: number, outcome: Outcome): void => {
      const { concurrency, breaker } = connection.terms;
      const retryAfterMs = requestedPauseMs(outcome);
      if (concurrency === null && breaker === null && retryAfterMs === null) return;
      releases += 1;
      const endsAt = at + (outcome.endedAt - at) * slotShare(concurrency, weight);
      const result = outcome.ok ? "ok" : isProviderFailure(outcome.error.type) ? "failed" : "ignored";
      const item = { lease: key, outcome: result, answered: result === "ignored", retryAfterMs } as const;
      gateOf(connection).releases.put(endsAt, { at: endsAt, item });
    },
    counts: () => ({ acquires: acquires * weight, releases: releases * weight, seconds: seconds.size }),
  };
}

/** Releases the slots of calls that have ended by the present instant. */
function releaseEnded(gate: OpenGate, now: number): void {
  for (let next = gate.releases.takeFirst(); next !== null; next = gate.releases.takeFirst()) {
    if (next.at > now) return gate.releases.put(next.at, next);
    gate.state = release(gate.state, gate.terms, [next.item], next.at);
  }
}

function scaled({ rate, concurrency, breaker }: ConnectionLimits, weight: number): ConnectionLimits {
  return {
    // The burst is a number of calls, so it is divided by the weight. `perMs` is multiplied by it, which divides the
    // rate.
    rate: rate && { calls: rate.calls, perMs: rate.perMs * weight, burst: 1 + (rate.burst - 1) / weight },
    concurrency: concurrency && scaledSlots(concurrency, weight),
    breaker: breaker && { ...breaker, minimumCalls: Math.max(1, Math.round(breaker.minimumCalls / weight)) },
  };
}

function scaledSlots(concurrency: number, weight: number): number {
  return Math.max(1, Math.floor(concurrency / weight));
}

/**
 * The slots divided by the weight, as a whole number. If the division has a remainder, each call holds its slot longer
 * or shorter, so that the throughput stays the same.
 */
function slotShare(concurrency: number | null, weight: number): number {
  return concurrency === null ? 1 : (scaledSlots(concurrency, weight) * weight) / concurrency;
}

function hasLimits({ rate, concurrency, breaker }: ConnectionLimits): boolean {
  return rate !== null || concurrency !== null || breaker !== null;
}

/** Returns whether the gate counts the error as a failure. services/connections/pass-gate.ts uses the same types. */
function isProviderFailure(type: string): boolean {
  return ["timeout", "network_error", "service_unavailable", "network_congestion"].includes(type);
}
