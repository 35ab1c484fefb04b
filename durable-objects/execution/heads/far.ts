// Executions that a crowded cell has let go, and that come back by themselves: together with all others of their quarter of
// an hour, shortly before it begins.
import { FAR_LEAD_MS, FAR_SLOT_MS } from "#schema/limits/crowding.ts";
import { SPIN_GUARD_MS } from "#schema/limits/objects.ts";
import type { Ports } from "../ports.ts";
import type { HeadKey } from "./key-rows.ts";
import type { HeadIndex } from "./head-index.ts";
import type { FarRow } from "./roll-rows.ts";

export type Far = {
  /** Part of a transaction. `added` follows when that has been stored. */
  readonly add: (keys: readonly HeadKey[]) => void;
  readonly added: () => void;
  /** When some of them are to be taken in; null: there are none. */
  readonly next: () => number | null;
  /** Takes some in that are due; false: none are. */
  readonly takeIn: (now: number) => boolean;
};

type Parts = {
  readonly ports: Pick<Ports, "storage" | "log">;
  readonly index: HeadIndex;
  /** They are near from now on, and on the roll as such. */
  readonly near: (executions: readonly string[]) => void;
};

export function openFar({ ports: { storage, log }, index, near }: Parts): Far {
  const { roll } = storage;
  let first = roll.firstFar();
  let notBefore = 0;

  const add = (keys: readonly HeadKey[]): void => {
    for (const [slot, executions] of bySlot(keys)) roll.addFar(slot, executions);
  };

  const added = (): void => {
    first = roll.firstFar();
  };

  const takeInRow = (row: FarRow): void => {
    const end = row.slot + FAR_SLOT_MS;
    const away = storage.keys(row.executions).filter(({ execution }) => !index.has(execution));
    const due = away.filter(({ wakeAt }) => wakeAt !== null && wakeAt < end);
    const ids = due.map(({ execution }) => execution);
    storage.atomically(() => {
      roll.removeFar(row);
      roll.addNear(ids);
      // Some have been moved since, and have been here and gone again.
      add(away.filter(({ wakeAt }) => wakeAt !== null && wakeAt >= end));
    });
    // The catalog knew all of them when they were let go.
    for (const key of due) index.place({ ...key, turn: 0 });
    near(ids);
    added();
  };

  const next = (): number | null => (first === null ? null : Math.max(first.slot - FAR_LEAD_MS, notBefore));

  return {
    add,
    added,
    next,
    takeIn: (now) => {
      if (first === null || (next() ?? now) > now) return false;
      try {
        takeInRow(first);
        return true;
      } catch (fault) {
        // Those in memory go on; the others are tried again.
        notBefore = now + SPIN_GUARD_MS;
        log({ level: "error", event: "far_not_taken_in", slot: first.slot, message: String(fault) });
        return false;
      }
    },
  };
}

/** Whoever is not to be looked at any more by itself need not come back by itself. */
function bySlot(keys: readonly HeadKey[]): ReadonlyMap<number, readonly string[]> {
  const slots = new Map<number, string[]>();
  for (const { execution, wakeAt } of keys) {
    if (wakeAt === null) continue;
    const slot = Math.floor(wakeAt / FAR_SLOT_MS) * FAR_SLOT_MS;
    const others = slots.get(slot) ?? [];
    others.push(execution);
    slots.set(slot, others);
  }
  return slots;
}
