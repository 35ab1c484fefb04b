// Paged-out executions: those that a large cell has evicted. They are loaded together with all others of their quarter
// of an hour, shortly before it begins. Very full quarters are split into minutes, and minutes into seconds, which
// bounds how many are in memory at a time.
import { UNHANDLED_WAKE_RETRY_MS } from "#schema/limits/alarms.ts";
import { REST_LOAD_AHEAD_MS, REST_ROWS_LOADED, REST_SLOT_MS } from "#schema/limits/large-cells.ts";
import type { Ports } from "../ports.ts";
import type { HeadKey } from "./key-rows.ts";
import type { HeadIndex } from "./head-index.ts";
import type { PagedOutRow } from "./resident-rows.ts";

export type PagedOut = {
  /** Part of a transaction. Call `added` after it is stored. */
  readonly add: (keys: readonly HeadKey[]) => void;
  readonly added: () => void;
  /** When the next slot must be loaded; null if none. */
  readonly next: () => number | null;
  /** Loads some executions of the earliest slot that is due; false if no slot is due, or loading fails. */
  readonly takeIn: (now: number) => boolean;
};

type Parts = {
  readonly ports: Pick<Ports, "storage" | "log">;
  readonly index: HeadIndex;
  /** Marks them as resident, on disk too. */
  readonly near: (executions: readonly string[]) => void;
};

/** The length of a slot, and how much earlier it is loaded. A slot's last digit encodes which length it has. */
const QUARTER = { digit: 0, ms: REST_SLOT_MS, leadMs: REST_LOAD_AHEAD_MS };
const MINUTE = { digit: 1, ms: 60_000, leadMs: 20_000 };
const SECOND = { digit: 2, ms: 1_000, leadMs: 2_000 };
type Length = typeof QUARTER;
const finer = (length: Length): Length | null => (length === QUARTER ? MINUTE : length === MINUTE ? SECOND : null);

export function openPagedOut({ ports: { storage, log }, index, near }: Parts): PagedOut {
  const { roll } = storage;
  let first = ahead();
  let notBefore = 0;
  /** The slot that was too full when its loading began; the few left of it are not split again. */
  let parting: number | null = null;

  /** Called by every commit, so only the slot and the instant are cached, not the ids. */
  function ahead(): { readonly slot: number; readonly at: number } | null {
    const slot = roll.firstFar()?.slot;
    if (slot === undefined) return null;
    const { ms, leadMs } = lengthOf(slot);
    // A second with more executions than one load takes: they load after it ends, when those before them are done.
    const isOver = ms === SECOND.ms && isCrowded(roll.farOf(slot, REST_ROWS_LOADED + 1));
    return { slot, at: isOver ? slot + ms : slot - leadMs };
  }

  const add = (keys: readonly HeadKey[], length = QUARTER): void => {
    for (const [slot, executions] of bySlot(keys, length)) roll.addFar(slot, executions);
  };

  const added = (): void => {
    first = ahead();
  };

  const takeInSome = (slot: number): void => {
    const rows = roll.farOf(slot, REST_ROWS_LOADED + 1);
    const length = lengthOf(slot);
    if (isCrowded(rows)) parting = slot;
    const parted = parting === slot ? finer(length) : null;
    const taken = rows.slice(0, REST_ROWS_LOADED);
    const ids = taken.flatMap(({ executions }) => executions);
    const away = storage.keys(ids).filter(({ execution }) => !index.has(execution));
    const isOfIt = ({ wakeAt }: HeadKey): boolean => wakeAt !== null && wakeAt < slot - length.digit + length.ms;
    const due = away.filter(isOfIt);
    const coming = parted === null ? due : [];
    storage.atomically(() => {
      taken.forEach(roll.removeFar);
      if (parted !== null) add(due, parted);
      if (coming.length > 0) roll.addNear(coming.map(({ execution }) => execution));
      // Some were rescheduled since, and were loaded and evicted again.
      add(away.filter((key) => !isOfIt(key)));
    });
    // The catalog had all of them when they were evicted.
    for (const key of coming) index.place({ ...key, turn: 0 });
    near(coming.map(({ execution }) => execution));
    added();
  };

  const next = (): number | null => (first === null ? null : Math.max(first.at, notBefore));

  return {
    add,
    added,
    next,
    takeIn: (now) => {
      if (first === null || (next() ?? now) > now) return false;
      try {
        takeInSome(first.slot);
        return true;
      } catch (fault) {
        // Those in memory continue; the others are retried.
        notBefore = now + UNHANDLED_WAKE_RETRY_MS;
        log({ level: "error", event: "far_not_taken_in", slot: first.slot, message: String(fault) });
        return false;
      }
    },
  };
}

function isCrowded(rows: readonly PagedOutRow[]): boolean {
  return rows.length > REST_ROWS_LOADED;
}

function lengthOf(slot: number): Length {
  return [MINUTE, SECOND].find(({ digit }) => slot % SECOND.ms === digit) ?? QUARTER;
}

/** An execution without a wake needs no slot. */
function bySlot(keys: readonly HeadKey[], { ms, digit }: Length): ReadonlyMap<number, readonly string[]> {
  const slots = new Map<number, string[]>();
  for (const { execution, wakeAt } of keys) {
    if (wakeAt === null) continue;
    const slot = Math.floor(wakeAt / ms) * ms + digit;
    const others = slots.get(slot) ?? [];
    others.push(execution);
    slots.set(slot, others);
  }
  return slots;
}
