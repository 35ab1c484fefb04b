// Concurrency slots of a connection: leases, and a queue of return times. It is unknown when a slot becomes free, so
// return times are estimates. A call that returns on time comes before new calls. The queue stores a count per time
// slice, so that its size does not depend on the number of calls.
import type { AcquireItem } from "#schema/gate.ts";
import {
  SLOT_WAIT_MS_MAX,
  SLOT_WAIT_MS_MIN,
  WAIT_QUEUE_ABANDONED_MS,
  WAIT_QUEUE_SLICE_MS,
} from "#schema/limits/outgoing/connection-limits.ts";

export type Lease = { readonly begunAt: number; readonly expiresAt: number; readonly isProbe: boolean };

/** The part of the slots that is about calls in progress. */
export type Leases = Pick<Slots, "leases" | "tookMs">;

/** A time slice. `waiting`: how many calls should return within this slice and have not returned yet. */
type Slice = { readonly at: number; readonly waiting: number };

export type Slots = {
  readonly leases: { readonly [key: string]: Lease };
  /** The moving average of how long a call holds its slot, in milliseconds. */
  readonly tookMs: number;
  readonly line: readonly Slice[];
};

/** `until`: when the call should return, in epoch ms; null if it has a slot. */
export type SlotResult = { readonly slots: Slots; readonly until: number | null };

/** Assigns a slot or a return time. `until` is null if the call gets a slot now. */
export function findSlot(slots: Slots, slotsMax: number, item: AcquireItem, now: number): SlotResult {
  const { expiresAt, promisedAt } = item;
  const isPromised = promisedAt !== null && promisedAt - now <= SLOT_WAIT_MS_MAX;
  const line = isPromised && waitsForSlot(item) ? withoutReturn(slots.line, promisedAt) : slots.line;
  const free = slotsMax - Object.keys(slots.leases).length;
  const isOnTime = isPromised && promisedAt <= now;
  // New calls get a slot only if enough slots are left. One is kept for each call that is expected back before the new
  // call's own deadline.
  if (free > (isOnTime ? 0 : waitingBefore(line, expiresAt))) return { slots: { ...slots, line }, until: null };
  // A call that returns too early keeps the return time that it was given.
  if (isPromised && !isOnTime && waitsForSlot(item)) return { slots, until: promisedAt };
  const intervalMs = expectedCallMs(slots, now) / slotsMax;
  const waitMs = isOnTime ? waitInFront(line, intervalMs, now) : waitBehind(waitingBefore(line, Infinity), intervalMs);
  const until = Math.ceil(now + spread(waitMs));
  return { slots: { ...slots, line: withReturn(line, until) }, until };
}

/** Releases a slot, and updates the average duration. If the lease is not known, nothing changes. */
export function releaseSlot<Held extends Leases>(slots: Held, key: string, now: number): Held {
  const { [key]: lease, ...leases } = slots.leases;
  return lease === undefined ? slots : { ...slots, leases, tookMs: slots.tookMs * 0.8 + (now - lease.begunAt) * 0.2 };
}

/** Removes expired leases, because their owners are lost. Also removes return times that no call has used. */
export function withoutExpired(slots: Slots, now: number): Slots {
  const leases = Object.entries(slots.leases).filter(([, { expiresAt }]) => expiresAt > now);
  return {
    ...slots,
    leases: Object.fromEntries(leases),
    line: slots.line.filter(({ at }) => at + WAIT_QUEUE_SLICE_MS + WAIT_QUEUE_ABANDONED_MS > now),
  };
}

/** Shifts all stored instants. Called when the clock was set back. */
export function shiftSlots<Moved extends Slots>(slots: Moved, byMs: number): Moved {
  const leases = Object.entries(slots.leases).map(([key, lease]): [string, Lease] => [
    key,
    { ...lease, begunAt: lease.begunAt + byMs, expiresAt: lease.expiresAt + byMs },
  ]);
  const line = slots.line.map(({ at, waiting }) => ({ at: sliceOf(at + byMs), waiting }));
  return { ...slots, leases: Object.fromEntries(leases), line };
}

/** Returns how many calls should return before the instant. */
export function waitingBefore(line: Slots["line"], at: number): number {
  return line.reduce((sum, slice) => (slice.at < at ? sum + slice.waiting : sum), 0);
}

function waitsForSlot({ promisedFor = "concurrency" }: AcquireItem): boolean {
  return promisedFor === "concurrency";
}

/**
 * Returns the wait of a call with `ahead` calls before it. The wait counts two calls per slot, because many calls
 * return late. A slot that waits for a late call is lost.
 */
function waitBehind(ahead: number, intervalMs: number): number {
  return Math.max(SLOT_WAIT_MS_MIN, intervalMs) + (ahead * intervalMs) / 2;
}

/**
 * Returns the wait of a call that has returned on time and found no free slot. It is placed between the calls with a
 * return time, and not behind them.
 */
function waitInFront(line: Slots["line"], intervalMs: number, now: number): number {
  let ahead = 0;
  for (const { at, waiting } of line) {
    if (now + waitBehind(ahead / 2, intervalMs) < at) break;
    ahead += waiting;
  }
  return waitBehind(ahead / 2, intervalMs);
}

/** Returns the expected duration of a call. If calls in progress already take longer than the average, it is higher. */
export function expectedCallMs({ leases, tookMs }: Leases, now: number): number {
  const ages = Object.values(leases).map(({ begunAt }) => now - begunAt);
  return Math.max(1, tookMs, ages.reduce((sum, age) => sum + age, 0) / Math.max(1, ages.length));
}

/** The golden ratio. The fractional parts of its multiples are spread evenly between 0 and 1 and never repeat. */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;

/**
 * Spreads waits that exceed the maximum over the last half of the maximum, so that not all these calls return at the
 * same instant.
 */
function spread(waitMs: number): number {
  const half = SLOT_WAIT_MS_MAX / 2;
  return waitMs <= SLOT_WAIT_MS_MAX ? waitMs : half + ((waitMs * GOLDEN_RATIO) % half);
}

function withReturn(line: Slots["line"], until: number): Slots["line"] {
  const at = sliceOf(until);
  const current = line.find((slice) => slice.at === at);
  const others = line.filter((slice) => slice !== current);
  return [...others, { at, waiting: (current?.waiting ?? 0) + 1 }].toSorted((a, b) => a.at - b.at);
}

function withoutReturn(line: Slots["line"], promisedAt: number): Slots["line"] {
  const at = sliceOf(promisedAt);
  return line.flatMap((slice) => {
    if (slice.at !== at) return [slice];
    return slice.waiting > 1 ? [{ at, waiting: slice.waiting - 1 }] : [];
  });
}

function sliceOf(at: number): number {
  return Math.floor(at / WAIT_QUEUE_SLICE_MS) * WAIT_QUEUE_SLICE_MS;
}
