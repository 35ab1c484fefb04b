// Resident set: which executions of a large cell are in memory. A cell may have more executions than fit in memory. The
// stored list of residents names those due soon, and those whose projection may be missing. All others are read on
// request, or loaded shortly before their wake.
import { REST_BEYOND_MS } from "#schema/limits/large-cells.ts";
import type { Ports } from "../ports.ts";
import type { HeadKey } from "./key-rows.ts";
import { openPagedOut, type PagedOut } from "./paged-out.ts";
import type { HeadIndex } from "./head-index.ts";
import type { TurnCounter } from "./turn-counter.ts";

export type ResidentSet = Pick<PagedOut, "next" | "takeIn"> & {
  /** Adds executions to the stored list, as part of a commit. The caller calls `listed` after it. */
  readonly list: (executions: readonly string[]) => void;
  readonly listed: (executions: readonly string[]) => void;
  /**
   * Adds several executions in one row, before their commits. The id of a failed commit stays until the next eviction.
   */
  readonly listTogether: (executions: readonly string[]) => void;
  /** Evicts executions at rest if too many are in memory. */
  readonly makeRoom: (now: number) => void;
};

type Parts = {
  readonly ports: Pick<Ports, "storage" | "log" | "headsInMemory">;
  readonly index: HeadIndex;
  readonly turns: Pick<TurnCounter, "projected">;
  readonly isQuarantined: (execution: string) => boolean;
};

export function openResidentSet({ ports, index, turns, isQuarantined }: Parts): ResidentSet {
  const { storage, log, headsInMemory } = ports;
  const { roll } = storage;
  /** The stored list of residents. Empty in a small cell, which has no list. */
  let residents = new Set<string>(roll.near());
  /** With more executions than this in memory, an eviction is tried. */
  let evictAbove = headsInMemory;

  const listed = (executions: readonly string[]): void => {
    if (!roll.exist()) residents.clear();
    else for (const execution of executions) residents.add(execution);
  };
  const pagedOut = openPagedOut({ ports, index, noteResident: listed });

  const isAtRest = ({ execution, wakeAt, turn }: HeadKey, now: number): boolean =>
    (wakeAt === null || wakeAt > now + REST_BEYOND_MS) && turn <= turns.projected() && !isQuarantined(execution);

  const evict = (now: number): void => {
    const keys = index.keys();
    const resting = keys.filter((key) => isAtRest(key, now));
    const evicted = new Set(resting.map(({ execution }) => execution));
    const staying = keys.flatMap(({ execution }) => (evicted.has(execution) ? [] : [execution]));
    // A small cell becomes a large one only if that frees much memory.
    const isWorthIt = roll.exist() || resting.length >= headsInMemory / 2;
    evictAbove = Math.max(headsInMemory, (isWorthIt ? staying : keys).length + headsInMemory / 2);
    if (!isWorthIt) return;
    storage.atomically(() => {
      roll.replaceNear(staying);
      pagedOut.add(resting);
    });
    residents = new Set(staying);
    pagedOut.added();
    index.forget(evicted);
  };

  const list = (executions: readonly string[]): void => {
    const missing = roll.exist() ? executions.filter((execution) => !residents.has(execution)) : [];
    if (missing.length > 0) roll.addNear(missing);
  };

  return {
    next: pagedOut.next,
    takeIn: pagedOut.takeIn,
    list,
    listed,
    listTogether: (executions) => {
      if (!roll.exist() || executions.length < 2) return;
      try {
        storage.atomically(() => list(executions));
        listed(executions);
      } catch {
        // The commit of each execution then adds its own id.
      }
    },
    makeRoom: (now) => {
      if (Math.max(index.size(), residents.size) <= evictAbove) return;
      try {
        evict(now);
      } catch (fault) {
        // A failed eviction only costs memory, so it is retried after more executions have been loaded.
        evictAbove = index.size() + headsInMemory / 2;
        log({ level: "error", event: "room_not_made", heads: index.size(), message: String(fault) });
      }
    },
  };
}
