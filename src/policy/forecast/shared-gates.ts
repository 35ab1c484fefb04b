// What stands before the attempts of very many executions together: their tenant's quotas, each subject's caps, each
// connection's rate, slots and breaker. The gates are those that decide when it is real; only where each of those played
// stands for several, what they are allowed is divided by as many.
import type { Passed } from "#kernel/virtual/crowd.ts";
import type { Asked } from "#kernel/virtual/play.ts";
import type { Gate } from "#kernel/virtual/virtual-run.ts";
import { openTurns } from "#kernel/virtual/turns.ts";
import type { Hold, Outcome } from "#schema/engine/outcome.ts";
import type { ReleaseItem, Terms } from "#schema/gate.ts";
import { HELD_FOR_FLIGHTS_MS } from "#schema/limits/tenant-quotas.ts";
import { LEASE_GRACE_MS, WAIT_IN_PLACE_MS, WAITS_IN_PLACE_MAX } from "#schema/limits/outgoing-calls.ts";
import type { KnownConnection } from "#schema/virtual/forecast.ts";
import { acquire, openGate, release, type GateState } from "../gates/connection.ts";
import { quietAskedFor } from "../gates/quiet.ts";
import { windowEnd } from "../gates/quota.ts";
import { accountAmong, accountAsked } from "./account-asked.ts";

export type SharedTerms = {
  readonly connections: readonly KnownConnection[];
  /** null: nothing is said of them. */
  readonly quotas: { readonly actionsPerDay: number; readonly inFlight: number } | null;
  /** How many each of those played stands for. */
  readonly weight: number;
};
export type Shared = {
  readonly pass: (member: number, caps: Gate, asked: Asked, state: Parameters<Gate>[1]) => Passed;
  /** What came of an attempt that was let through. */
  readonly came: (member: number, asked: Asked, outcome: Outcome) => void;
  readonly connectionOf: (asked: Asked) => KnownConnection | null;
  /** How often gates were asked and told, and in how many seconds: what it costs. */
  readonly told: () => GatesTold;
};
export type GatesTold = {
  readonly asks: number;
  readonly releases: number;
  readonly seconds: number;
  /** Attempts that were carried out as far as a quota or a gate. */
  readonly carried: number;
};

type Waiting = { readonly until: number; readonly reason: Hold["reason"]; readonly waits: number };
type Held = Extract<ReturnType<Gate>, { reason: string }>;

export function openShared({ connections, quotas, weight }: SharedTerms): Shared {
  const gates = new Map<string, OpenGate>();
  const waiting = new Map<string, Waiting>();
  const flights = openTurns<number>();
  const days = new Map<number, number>();
  const seconds = new Set<string>();
  let [inFlight, asks, releases, carried] = [0, 0, 0, 0];

  const connectionOf = ({ run }: Asked): KnownConnection | null => {
    const account = accountAsked(run.type, run.config ?? {});
    return account === null ? null : accountAmong(connections, account);
  };
  const gateOf = ({ name, terms }: KnownConnection): OpenGate => {
    const gate = gates.get(name) ?? { terms: scaled(terms, weight), state: openGate, releases: openTurns() };
    gates.set(name, gate);
    return gate;
  };

  const byQuota = ({ at }: Asked): Held | null => {
    if (quotas === null) return null;
    for (let landed = flights.takeFirst(); landed !== null; landed = flights.takeFirst()) {
      if (landed > at) {
        flights.put(landed, landed);
        break;
      }
      inFlight -= 1;
    }
    if ((inFlight + 1) * weight > Math.max(quotas.inFlight, weight)) return quotaHold(at + HELD_FOR_FLIGHTS_MS);
    const midnight = windowEnd("actionsPerDay", at);
    const used = days.get(midnight) ?? 0;
    if ((used + 1) * weight > quotas.actionsPerDay) return quotaHold(midnight);
    days.set(midnight, used + 1);
    return null;
  };

  const byConnection = (member: number, asked: Asked): Passed => {
    const connection = connectionOf(asked);
    if (connection === null || !hasTerms(connection.terms)) return null;
    const gate = gateOf(connection);
    const { at, timeoutMs } = asked;
    settleUp(gate, at);
    const key = keyOf(member, asked);
    const before = waiting.get(key);
    waiting.delete(key);
    const promise = before ? { promisedAt: before.until, promisedFor: before.reason } : promiseOf(asked, connection);
    const expiresAt = at + timeoutMs + LEASE_GRACE_MS;
    const answered = acquire(gate.state, gate.terms, [{ key, expiresAt, ...promise }], at);
    gate.state = answered.state;
    asks += 1;
    seconds.add(`${connection.name} ${Math.floor(at / SECOND_MS)}`);
    const [answer] = answered.answers;
    if (answer === undefined || answer.ok) return null;
    const { until, reason } = answer.hold;
    const waits = (before?.waits ?? 0) + 1;
    const isSoon = until - at <= WAIT_IN_PLACE_MS && until - at < timeoutMs / 4;
    if (!isSoon || waits > WAITS_IN_PLACE_MAX) return { ...answer.hold, connection: connection.name };
    waiting.set(key, { until, reason, waits });
    return { waitsUntil: until };
  };

  return {
    connectionOf,
    pass: (member, caps, asked, state) => {
      // Who waits in its place has had everything else before.
      if (waiting.has(keyOf(member, asked))) return byConnection(member, asked);
      carried += 1;
      return byQuota(asked) ?? caps(asked, state) ?? byConnection(member, asked);
    },
    came: (member, asked, outcome) => {
      inFlight += 1;
      flights.put(outcome.endedAt, outcome.endedAt);
      const connection = connectionOf(asked);
      if (connection === null || !hasTerms(connection.terms)) return;
      const retryAfterMs = quietAskedFor(outcome);
      const hasLease = connection.terms.concurrency !== null || connection.terms.breaker !== null;
      if (!hasLease && retryAfterMs === null) return;
      releases += 1;
      const said = outcome.ok ? "ok" : isUnwell(outcome.error.type) ? "failed" : "ignored";
      const gate = gateOf(connection);
      const tookMs = (outcome.endedAt - asked.at) * slotShare(connection.terms.concurrency, weight);
      const lease = keyOf(member, asked);
      gate.releases.put(asked.at + tookMs, {
        at: asked.at + tookMs,
        item: { lease, outcome: said, answered: said === "ignored", retryAfterMs },
      });
    },
    told: () => ({
      ...{ asks: asks * weight, releases: releases * weight, seconds: seconds.size },
      carried: carried * weight,
    }),
  };
}

type Release = { readonly at: number; readonly item: ReleaseItem };
type OpenGate = { readonly terms: Terms; state: GateState; readonly releases: ReturnType<typeof openTurns<Release>> };

/** What was over by now has given back what it had. */
function settleUp(gate: OpenGate, now: number): void {
  for (let next = gate.releases.takeFirst(); next !== null; next = gate.releases.takeFirst()) {
    if (next.at > now) return gate.releases.put(next.at, next);
    gate.state = release(gate.state, gate.terms, [next.item], next.at);
  }
}

function scaled({ rate, concurrency, breaker }: Terms, weight: number): Terms {
  return {
    rate: rate && {
      calls: rate.calls,
      perMs: rate.perMs * weight,
      // So that what may go at once takes as long to come again.
      burst: 1 + (rate.burst - 1) / weight,
    },
    concurrency: concurrency && slotsOf(concurrency, weight),
    breaker: breaker && { ...breaker, minimumCalls: Math.max(1, Math.round(breaker.minimumCalls / weight)) },
  };
}

function slotsOf(concurrency: number, weight: number): number {
  return Math.max(1, Math.floor(concurrency / weight));
}

/** Slots are whole: where they do not divide evenly, each is held a little longer or shorter, so that as much gets through. */
function slotShare(concurrency: number | null, weight: number): number {
  return concurrency === null ? 1 : (slotsOf(concurrency, weight) * weight) / concurrency;
}

function promiseOf({ run: { held } }: Asked, { name }: KnownConnection) {
  if (held?.connection !== name) return { promisedAt: null };
  return { promisedAt: held.until, promisedFor: held.reason };
}

function quotaHold(until: number): Held {
  return { reason: "quota", until, connection: null };
}

function hasTerms({ rate, concurrency, breaker }: Terms): boolean {
  return rate !== null || concurrency !== null || breaker !== null;
}

function isUnwell(type: string): boolean {
  return ["timeout", "network_error", "service_unavailable", "network_congestion"].includes(type);
}

function keyOf(member: number, { run, attempt }: Asked): string {
  return `${member}/${run.id}/${attempt}`;
}

const SECOND_MS = 1_000;
