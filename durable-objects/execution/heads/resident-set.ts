// Resident set: which executions of a large cell are in memory. A cell may have more executions than fit in memory. The
// stored list of residents names the executions that are due soon or whose projection may be missing. All other
// executions are read on request, or loaded shortly before their wake.
import { REST_BEYOND_MS } from "#schema/limits/large-cells.ts";
import type { Ports } from "../ports.ts";
import type { HeadKey } from "./key-rows.ts";
import { openPagedOut, type PagedOut } from "./paged-out.ts";
import type { HeadIndex } from "./head-index.ts";
import type { TurnCounter } from "./turn-counter.ts";

export type ResidentSet = Pick<PagedOut, "nextLoadAt" | "loadDue"> & {
  /** Adds executions to the stored list, as part of a commit. The caller calls `noteResident` after the commit. */
  readonly writeResident: (executions: readonly string[]) => void;
  readonly noteResident: (executions: readonly string[]) => void;
  /**
   * Adds several executions in one row, before their commits. If a commit fails, its execution stays on the list until
   * the next eviction.
   */
  readonly writeAllResident: (executions: readonly string[]) => void;
  /** Evicts executions at rest if too many are in memory. */
  readonly evictAtRest: (now: number) => void;
};

type Parts = {
  readonly ports: Pick<Ports, "storage" | "log" | "headsInMemory">;
  readonly index: HeadIndex;
  readonly turns: Pick<TurnCounter, "projected">;
  readonly isQuarantined: (execution: string) => boolean;
};

export function openResidentSet({ ports, index, turns, isQuarantined }: Parts): ResidentSet {
  const { storage, log, headsInMemory } = ports;
  const { residentRows } = storage;
  /** The stored list of residents. Empty in a small cell, which has no list. */
  let residents = new Set<string>(residentRows.residents());
  /** If more executions than this are in memory, `evictAtRest` tries to evict some. */
  let evictAbove = headsInMemory;

  const noteResident = (executions: readonly string[]): void => {
    if (!residentRows.isLargeCell()) residents.clear();
    else for (const execution of executions) residents.add(execution);
  };
  const pagedOut = openPagedOut({ ports, index, noteResident });

  const isAtRest = ({ execution, wakeAt, turn }: HeadKey, now: number): boolean =>
    (wakeAt === null || wakeAt > now + REST_BEYOND_MS) && turn <= turns.projected() && !isQuarantined(execution);

  const evict = (now: number): void => {
    const keys = index.keys();
    const resting = keys.filter((key) => isAtRest(key, now));
    const evicted = new Set(resting.map(({ execution }) => execution));
    const staying = keys.flatMap(({ execution }) => (evicted.has(execution) ? [] : [execution]));
    // A small cell becomes a large one only if that frees much memory.
    const isWorthIt = residentRows.isLargeCell() || resting.length >= headsInMemory / 2;
    evictAbove = Math.max(headsInMemory, (isWorthIt ? staying : keys).length + headsInMemory / 2);
    if (!isWorthIt) return;
    storage.atomically(() => {
      residentRows.replaceResidents(staying);
      pagedOut.add(resting);
    });
    residents = new Set(staying);
    pagedOut.refresh();
    index.evict(evicted);
  };

  const writeResident = (executions: readonly string[]): void => {
    const missing = residentRows.isLargeCell() ? executions.filter((execution) => !residents.has(execution)) : [];
    if (missing.length > 0) residentRows.addResidents(missing);
  };

  return {
    nextLoadAt: pagedOut.nextLoadAt,
    loadDue: pagedOut.loadDue,
    writeResident,
    noteResident,
    writeAllResident: (executions) => {
      if (!residentRows.isLargeCell() || executions.length < 2) return;
      try {
        storage.atomically(() => writeResident(executions));
        noteResident(executions);
      } catch {
        // The row could not be written, so the commit of each execution adds the execution's own id.
      }
    },
    evictAtRest: (now) => {
      if (Math.max(index.size(), residents.size) <= evictAbove) return;
      try {
        evict(now);
      } catch (fault) {
        // A failed eviction only costs memory, so it is retried after more executions have been loaded.
        evictAbove = index.size() + headsInMemory / 2;
        log({ level: "error", event: "executions_not_paged_out", heads: index.size(), message: String(fault) });
      }
    },
  };
}
