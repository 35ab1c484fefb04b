// Paged-out executions: the executions that a large cell has evicted from memory. All executions that wake in the same
// quarter of an hour are loaded together, shortly before the quarter begins. A quarter with too many executions is
// split into minutes, and a minute into seconds. This limits how many executions are in memory at a time.
import { REST_LOAD_AHEAD_MS, REST_ROWS_LOADED, REST_SLOT_MS } from "#schema/limits/large-cells.ts";
import { UNHANDLED_WAKE_RETRY_MS } from "#schema/limits/alarms.ts";
import type { Ports } from "../ports.ts";
import type { HeadKey } from "./key-rows.ts";
import type { HeadIndex } from "./head-index.ts";
import type { PagedOutRow } from "./resident-rows.ts";

export type PagedOut = {
  /** Writes the executions to their slots, within a transaction. The caller calls `refresh` after the transaction. */
  readonly add: (keys: readonly HeadKey[]) => void;
  readonly refresh: () => void;
  /** Returns when to load the next slot, epoch ms; null if no execution is paged out. */
  readonly nextLoadAt: () => number | null;
  /** Loads some executions of the earliest slot. False: no slot is due, or the load failed. */
  readonly loadDue: (now: number) => boolean;
};

type Parts = {
  readonly ports: Pick<Ports, "storage" | "log">;
  readonly index: HeadIndex;
  /** Records that these executions are now on the stored list of residents. */
  readonly noteResident: (executions: readonly string[]) => void;
};

/** A kind of slot: its length, how long before its start it is loaded, and the last digit of its stored time. */
const QUARTER = { digit: 0, ms: REST_SLOT_MS, leadMs: REST_LOAD_AHEAD_MS };
const MINUTE = { digit: 1, ms: 60_000, leadMs: 20_000 };
const SECOND = { digit: 2, ms: 1_000, leadMs: 2_000 };
type SlotLength = typeof QUARTER;

export function openPagedOut({ ports: { storage, log }, index, noteResident }: Parts): PagedOut {
  const { residentRows } = storage;
  let earliest = readEarliest();
  /** After a failed load, no slot is loaded before this time, epoch ms. */
  let retryAt = 0;
  /** The slot that is being split. It is split until it is empty, even after few of its rows are left. */
  let splitSlot: number | null = null;

  /** Every commit needs the earliest slot, so the slot and its load time are cached. */
  function readEarliest(): { readonly slot: number; readonly loadAt: number } | null {
    const slot = residentRows.firstPagedOut()?.slot;
    if (slot === undefined) return null;
    const { ms, leadMs } = lengthOf(slot);
    // A second with too many executions is loaded after its end, because earlier executions have run by then.
    const isTooFull = ms === SECOND.ms && isMoreThanOneLoad(residentRows.pagedOutOf(slot, REST_ROWS_LOADED + 1));
    return { slot, loadAt: isTooFull ? slot + ms : slot - leadMs };
  }

  const add = (keys: readonly HeadKey[], length = QUARTER): void => {
    for (const [slot, executions] of bySlot(keys, length)) residentRows.addPagedOut(slot, executions);
  };

  const refresh = (): void => {
    earliest = readEarliest();
  };

  const loadSome = (slot: number): void => {
    const rows = residentRows.pagedOutOf(slot, REST_ROWS_LOADED + 1);
    const length = lengthOf(slot);
    if (isMoreThanOneLoad(rows)) splitSlot = slot;
    const finerLength = splitSlot === slot ? finerThan(length) : null;
    const taken = rows.slice(0, REST_ROWS_LOADED);
    const ids = taken.flatMap(({ executions }) => executions);
    const keys = storage.keys(ids).filter(({ execution }) => !index.has(execution));
    const isInSlot = ({ wakeAt }: HeadKey): boolean => wakeAt !== null && wakeAt < slot - length.digit + length.ms;
    const inSlot = keys.filter(isInSlot);
    const toLoad = finerLength === null ? inSlot : [];
    storage.atomically(() => {
      taken.forEach(residentRows.removePagedOut);
      if (finerLength !== null) add(inSlot, finerLength);
      if (toLoad.length > 0) residentRows.addResidents(toLoad.map(({ execution }) => execution));
      // An execution that was rescheduled after its row was written moves to the slot of its new wake.
      add(keys.filter((key) => !isInSlot(key)));
    });
    // Turn 0 means that the catalog has every change, which was true at their eviction.
    for (const key of toLoad) index.setKey({ ...key, turn: 0 });
    noteResident(toLoad.map(({ execution }) => execution));
    refresh();
  };

  const nextLoadAt = (): number | null => (earliest === null ? null : Math.max(earliest.loadAt, retryAt));

  return {
    add,
    refresh,
    nextLoadAt,
    loadDue: (now) => {
      if (earliest === null || (nextLoadAt() ?? now) > now) return false;
      try {
        loadSome(earliest.slot);
        return true;
      } catch (fault) {
        // The executions in memory still run. The load is retried later.
        retryAt = now + UNHANDLED_WAKE_RETRY_MS;
        log({ level: "error", event: "paged_out_not_loaded", slot: earliest.slot, message: String(fault) });
        return false;
      }
    },
  };
}

function isMoreThanOneLoad(rows: readonly PagedOutRow[]): boolean {
  return rows.length > REST_ROWS_LOADED;
}

function lengthOf(slot: number): SlotLength {
  return [MINUTE, SECOND].find(({ digit }) => slot % SECOND.ms === digit) ?? QUARTER;
}

/** Returns the next shorter kind of slot; null for a second, because a second is not split. */
function finerThan(length: SlotLength): SlotLength | null {
  if (length === QUARTER) return MINUTE;
  return length === MINUTE ? SECOND : null;
}

/** Groups the executions by the slot of their wake. An execution without a wake needs no slot. */
function bySlot(keys: readonly HeadKey[], { ms, digit }: SlotLength): ReadonlyMap<number, readonly string[]> {
  const slots = new Map<number, string[]>();
  for (const { execution, wakeAt } of keys) {
    if (wakeAt === null) continue;
    const slot = Math.floor(wakeAt / ms) * ms + digit;
    const executions = slots.get(slot) ?? [];
    executions.push(execution);
    slots.set(slot, executions);
  }
  return slots;
}
