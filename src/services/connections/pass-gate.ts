// Gate passage: takes a run through its connection's gate, and reports the outcome at the end. A connection without
// limits has a gate too, because its provider may request a pause. An isolate calls such a gate only at intervals, and
// for each run after a requested pause.
import type { StoredConnection } from "#catalog/connections.ts";
import { requestedPauseMs } from "#policy/gates/requested-pause.ts";
import { isOutageType } from "#schema/engine/outage.ts";
import type { Outcome } from "#schema/engine/outcome.ts";
import type { Ticket } from "#schema/engine/run.ts";
import { isFileFault } from "#schema/outgoing/file-faults.ts";
import type { AcquireAnswer, AcquireItem, ReleaseItem, ConnectionLimits } from "#schema/gate.ts";
import { isolateCaches } from "#schema/limits/isolates/caches.ts";
import {
  SLOT_LEASE_GRACE_MS,
  WAITS_IN_PLACE_MAX,
  WAIT_IN_PLACE_MS,
} from "#schema/limits/outgoing/connection-limits.ts";
import { isEngineBug } from "../catalog-failure.ts";
import type { Deps } from "../deps.ts";
import { openIsolateCache, peekCached, putCached } from "../isolate-cache.ts";
import { hasLimits, termsOf } from "./connection-terms.ts";

/**
 * A run's passage through a gate. `lease` is null if the gate gave none. Even then, a pause that the provider requests
 * is reported to the gate.
 */
export type Passage = {
  readonly gate: string;
  readonly terms: ConnectionLimits;
  readonly key: string;
  readonly lease: string | null;
};

/**
 * The last known state of gates without limits. `open`: the gate is not called for a while. `quiet`: the gate is called
 * for each run.
 */
const gateStates = openIsolateCache<"open" | "quiet">({
  sizeMax: isolateCaches.quiets.sizeMax,
  freshMs: () => isolateCaches.quiets.freshMs,
  staleMs: () => 0,
});

export type GateDeps = Pick<Deps, "now" | "gate" | "log">;
type AttemptKey = { readonly ticket: Ticket; readonly key: string };

/**
 * Calls the gate. If the gate asks for a short wait, the run waits here instead of being held. The lease is recorded as
 * soon as it is known, so that a later exception cannot lose it.
 */
export async function enterGate(
  deps: GateDeps,
  { ticket, key }: AttemptKey,
  row: StoredConnection,
  passages: Passage[],
): Promise<AcquireAnswer> {
  const terms = termsOf(row.settings);
  const gate = `${row.tenant}/${row.id}`;
  if (!hasLimits(terms) && peekCached(gateStates, gate, deps.now()) === "open") {
    passages.push({ gate, terms, key, lease: null });
    return { ok: true, lease: null };
  }
  const expiresAt = ticket.deadlineAt + SLOT_LEASE_GRACE_MS;
  let reserved = reservedSlotOf(ticket, row.name);
  for (let waits = 0; ; waits++) {
    const answer = await acquire(deps, { gate, terms, key, lease: key }, { key, expiresAt, ...reserved }, passages);
    if (answer.ok) {
      passages.push({ gate, terms, key, lease: answer.lease });
      return answer;
    }
    const { until, reason } = answer.hold;
    const waitMs = until - deps.now();
    const isSoon = waitMs <= WAIT_IN_PLACE_MS && waitMs < (ticket.deadlineAt - deps.now()) / 4;
    if (!isSoon || waits === WAITS_IN_PLACE_MAX) return answer;
    reserved = { promisedAt: until, promisedFor: reason };
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, waitMs)));
  }
}

/**
 * Calls the gate. If the answer is lost, the gate may have granted a lease. So the passage is recorded and released
 * like any other.
 */
async function acquire(
  deps: GateDeps,
  answer: Passage,
  item: AcquireItem,
  passages: Passage[],
): Promise<AcquireAnswer> {
  const { gate, terms } = answer;
  const isLimited = hasLimits(terms);
  try {
    const [answer] = await deps.gate(gate).acquire(terms, [item]);
    if (answer === undefined) throw new Error("a gate must return an answer for every item");
    if (!isLimited) recordGateState(gate, answer.ok ? "open" : "quiet", deps.now());
    return answer;
  } catch (cause) {
    // The gate of a connection without limits did not answer. It could only hold the run because of a requested pause,
    // so the run continues without a lease.
    if (!isLimited && !isEngineBug(cause)) {
      deps.log({ level: "warn", event: "gate_not_reached", gate, message: String(cause) });
      recordGateState(gate, "open", deps.now());
      return { ok: true, lease: null };
    }
    passages.push(answer);
    throw cause;
  }
}

/**
 * Records the state of a gate without limits. An `open` does not replace a `quiet`: the gate may have sent `open`
 * before the provider requested the pause.
 */
function recordGateState(gate: string, state: "open" | "quiet", now: number): void {
  if (state === "open" && peekCached(gateStates, gate, now) === "quiet") return;
  putCached(gateStates, gate, state, now);
}

/**
 * Returns the slot that this gate reserved when it last held the run. Returns none if it held the run for a reason that
 * reserves no slot, for example because the gate did not answer.
 */
function reservedSlotOf({ held }: Ticket, connection: string): Pick<AcquireItem, "promisedAt" | "promisedFor"> {
  if (held?.connection !== connection) return { promisedAt: null };
  const { reason, until } = held;
  return reason === "unavailable" || reason === "awaiting_receipt" || reason === "needs_attention"
    ? { promisedAt: null }
    : { promisedAt: until, promisedFor: reason };
}

/** Reports the outcome and releases the lease. Without a lease, only a requested pause is reported. Never throws. */
export async function leaveGate(
  deps: GateDeps,
  { gate, terms, key, lease }: Passage,
  outcome: Outcome,
  isUntried: boolean,
): Promise<void> {
  const retryAfterMs = isUntried ? null : requestedPauseMs(outcome);
  if (lease === null && retryAfterMs === null) return;
  if (retryAfterMs !== null && !hasLimits(terms)) recordGateState(gate, "quiet", deps.now());
  try {
    const report = isUntried ? ({ outcome: "ignored" } as const) : healthReport(outcome);
    await deps.gate(gate).release(terms, [{ lease: lease ?? key, ...report, retryAfterMs }]);
  } catch (cause) {
    // A failed release is only logged, because the lease expires on its own.
    deps.log({ level: "warn", event: "lease_not_released", gate, lease, message: String(cause) });
  }
}

/**
 * Returns what the outcome says about the provider's health. A refusal by the provider shows only that the provider
 * answers.
 */
function healthReport(outcome: Outcome): Pick<ReleaseItem, "outcome" | "answered"> {
  if (outcome.ok) return { outcome: "ok" };
  // The host of a file caused this error. So even an HTTP status says nothing about this provider.
  if (isFileFault(outcome.error)) return { outcome: "ignored" };
  const { type, details } = outcome.error;
  if (isOutageType(type)) return { outcome: "failed" };
  return typeof details?.["status"] === "number" ? { outcome: "ignored", answered: true } : { outcome: "ignored" };
}
