// Concurrency slots of a connection: leases, and a queue of return times. When a slot becomes free is unknown, so
// return times are estimates. A call that returns on time precedes new calls. The queue stores counts per time slice,
// so that its size does not grow with the number of calls.
import type { AcquireItem } from "#schema/gate.ts";
import {
  LEASE_WAIT_MS_MAX,
  LEASE_WAIT_MS_MIN,
  LINE_ABANDONED_MS,
  LINE_SLICE_MS,
} from "#schema/limits/outgoing-calls.ts";

export type Lease = { readonly begunAt: number; readonly expiresAt: number; readonly isProbe: boolean };

/** A time slice, with the number of calls that should return within it and have not returned yet. */
type Slice = { readonly at: number; readonly waiting: number };

export type Slots = {
  readonly leases: { readonly [key: string]: Lease };
  /** The moving average of the time that a call holds its slot, in milliseconds. */
  readonly tookMs: number;
  readonly line: readonly Slice[];
};

export type SlotResult = { readonly slots: Slots; readonly until: number | null };

/** Assigns a slot or a return time. `until` is null if the call gets a slot now. */
export function findSlot(slots: Slots, slotsMax: number, item: AcquireItem, now: number): SlotResult {
  const { expiresAt, promisedAt } = item;
  const isPromised = promisedAt !== null && promisedAt - now <= LEASE_WAIT_MS_MAX;
  const line = isPromised && isOfSlots(item) ? without(slots.line, promisedAt) : slots.line;
  const free = slotsMax - Object.keys(slots.leases).length;
  const wasTold = isPromised && promisedAt <= now;
  // A new call must leave a slot for each call that has a return time before its own deadline.
  if (free > (wasTold ? 0 : waitingBefore(line, expiresAt))) return { slots: { ...slots, line }, until: null };
  // A call that returns early keeps its return time.
  if (isPromised && !wasTold && isOfSlots(item)) return { slots, until: promisedAt };
  const apart = usualMs(slots, now) / slotsMax;
  const waitMs = wasTold ? waitInFront(line, apart, now) : waitBehind(waitingBefore(line, Infinity), apart);
  const until = Math.ceil(now + spread(waitMs));
  return { slots: { ...slots, line: withOneMore(line, until) }, until };
}

export function releaseSlot(slots: Slots, key: string, now: number): Slots {
  const { [key]: lease, ...leases } = slots.leases;
  return lease === undefined ? slots : { ...slots, leases, tookMs: slots.tookMs * 0.8 + (now - lease.begunAt) * 0.2 };
}

/** Removes expired leases, whose owners are lost, and return times that no call used. */
export function withoutLost(slots: Slots, now: number): Slots {
  const leases = Object.entries(slots.leases).filter(([, { expiresAt }]) => expiresAt > now);
  return {
    ...slots,
    leases: Object.fromEntries(leases),
    line: slots.line.filter(({ at }) => at + LINE_SLICE_MS + LINE_ABANDONED_MS > now),
  };
}

export function moveSlots<Moved extends Slots>(slots: Moved, byMs: number): Moved {
  const leases = Object.entries(slots.leases).map(([key, lease]): [string, Lease] => [
    key,
    { ...lease, begunAt: lease.begunAt + byMs, expiresAt: lease.expiresAt + byMs },
  ]);
  const line = slots.line.map(({ at, waiting }) => ({ at: sliceOf(at + byMs), waiting }));
  return { ...slots, leases: Object.fromEntries(leases), line };
}

export function waitingBefore(line: Slots["line"], at: number): number {
  return line.reduce((sum, slice) => (slice.at < at ? sum + slice.waiting : sum), 0);
}

function isOfSlots({ promisedFor = "concurrency" }: AcquireItem): boolean {
  return promisedFor === "concurrency";
}

/**
 * Returns the wait behind `ahead` calls. Two calls are expected per slot, because many return late and a slot that
 * waits for a late call is lost.
 */
function waitBehind(ahead: number, apart: number): number {
  return Math.max(LEASE_WAIT_MS_MIN, apart) + (ahead * apart) / 2;
}

/**
 * Returns the wait of a call that returned on time and found no slot. It is placed between calls with a return time,
 * not at the end of the queue.
 */
function waitInFront(line: Slots["line"], apart: number, now: number): number {
  let ahead = 0;
  for (const { at, waiting } of line) {
    if (now + waitBehind(ahead / 2, apart) < at) break;
    ahead += waiting;
  }
  return waitBehind(ahead / 2, apart);
}

/** Returns the expected duration of a call. Calls in progress that already take longer than usual raise it. */
function usualMs({ leases, tookMs }: Slots, now: number): number {
  const ages = Object.values(leases).map(({ begunAt }) => now - begunAt);
  return Math.max(1, tookMs, ages.reduce((sum, age) => sum + age, 0) / Math.max(1, ages.length));
}

/** The golden ratio: fractional parts of its multiples are spread evenly and never repeat. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Spreads waits beyond the maximum over the last half of the maximum, so that not all calls return at its end. */
function spread(waitMs: number): number {
  const half = LEASE_WAIT_MS_MAX / 2;
  return waitMs <= LEASE_WAIT_MS_MAX ? waitMs : half + ((waitMs * GOLDEN) % half);
}

function withOneMore(line: Slots["line"], until: number): Slots["line"] {
  const at = sliceOf(until);
  const same = line.find((slice) => slice.at === at);
  const others = line.filter((slice) => slice !== same);
  return [...others, { at, waiting: (same?.waiting ?? 0) + 1 }].toSorted((a, b) => a.at - b.at);
}

function without(line: Slots["line"], promisedAt: number): Slots["line"] {
  const at = sliceOf(promisedAt);
  return line.flatMap((slice) => {
    if (slice.at !== at) return [slice];
    return slice.waiting > 1 ? [{ at, waiting: slice.waiting - 1 }] : [];
  });
}

function sliceOf(at: number): number {
  return Math.floor(at / LINE_SLICE_MS) * LINE_SLICE_MS;
}
