// How many calls may be under way at once: who holds a slot (a lease), and the line of those who were told when to come
// back. Nobody knows when a slot gets free, so what they are told is an estimate; but whoever was told goes before
// newcomers. Of the line only numbers are kept, by second, so that it does not grow with those who wait.
import type { AcquireItem } from "#schema/gate.ts";
import {
  LEASE_WAIT_MS_MAX,
  LEASE_WAIT_MS_MIN,
  LINE_ABANDONED_MS,
  LINE_SLICE_MS,
} from "#schema/limits/outgoing-calls.ts";

export type Lease = { readonly begunAt: number; readonly expiresAt: number; readonly isProbe: boolean };

/** So many were told to come back within this slice of time, and have not come yet. */
type Slice = { readonly at: number; readonly waiting: number };

export type Slots = {
  readonly leases: { readonly [key: string]: Lease };
  /** How long a call holds its slot, by and large. */
  readonly tookMs: number;
  readonly line: readonly Slice[];
};

export type Slotted = { readonly slots: Slots; readonly until: number | null };

/** `until` is null for whoever may have a slot now. */
export function findSlot(slots: Slots, slotsMax: number, item: AcquireItem, now: number): Slotted {
  const { expiresAt, promisedAt } = item;
  const isPromised = promisedAt !== null && promisedAt - now <= LEASE_WAIT_MS_MAX;
  const line = isPromised && isOfSlots(item) ? without(slots.line, promisedAt) : slots.line;
  const free = slotsMax - Object.keys(slots.leases).length;
  const wasTold = isPromised && promisedAt <= now;
  // A newcomer must be done before anybody comes who was told to, or leave a slot for each of those.
  if (free > (wasTold ? 0 : waitingBefore(line, expiresAt))) return { slots: { ...slots, line }, until: null };
  // Who comes early keeps the place it has.
  if (isPromised && !wasTold && isOfSlots(item)) return { slots, until: promisedAt };
  const apart = usualMs(slots, now) / slotsMax;
  const waitMs = wasTold ? waitInFront(line, apart, now) : waitBehind(waitingBefore(line, Infinity), apart);
  const until = Math.ceil(now + spread(waitMs));
  return { slots: { ...slots, line: withOneMore(line, until) }, until };
}

export function giveBackSlot(slots: Slots, key: string, now: number): Slots {
  const { [key]: lease, ...leases } = slots.leases;
  return lease === undefined ? slots : { ...slots, leases, tookMs: slots.tookMs * 0.8 + (now - lease.begunAt) * 0.2 };
}

/**
 * Without the leases that nobody gave back in time (their holders are gone, and what became of the calls nobody knows),
 * and without the places in line that nobody has come for.
 */
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

/** Two for each slot that gets free, since many come somewhat late: a slot that waits for them is a slot lost. */
function waitBehind(ahead: number, apart: number): number {
  return Math.max(LEASE_WAIT_MS_MIN, apart) + (ahead * apart) / 2;
}

/**
 * It came when told and found no slot. It must not go to the end of the line for that: it comes between those that were
 * told before it, as many again.
 */
function waitInFront(line: Slots["line"], apart: number, now: number): number {
  let ahead = 0;
  for (const { at, waiting } of line) {
    if (now + waitBehind(ahead / 2, apart) < at) break;
    ahead += waiting;
  }
  return waitBehind(ahead / 2, apart);
}

/** A call that has been going on for longer than usual says that calls take longer now. */
function usualMs({ leases, tookMs }: Slots, now: number): number {
  const ages = Object.values(leases).map(({ begunAt }) => now - begunAt);
  return Math.max(1, tookMs, ages.reduce((sum, age) => sum + age, 0) / Math.max(1, ages.length));
}

/** Steps of this ratio never fall on the same place of a circle again, however wide they are. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Who would have to wait longer than anybody may comes in the last half of the longest wait, not all at its end. */
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
