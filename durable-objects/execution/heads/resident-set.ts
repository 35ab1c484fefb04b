// Resident set: a cell may hold more executions than fit in memory. A large cell stores which ones must be resident:
// those due soon, and those whose projection may be missing. All others are found by id on request, and paged-out ones
// are loaded shortly before their wake.
import { REST_BEYOND_MS } from "#schema/limits/large-cells.ts";
import type { Ports } from "../ports.ts";
import type { HeadKey } from "./key-rows.ts";
import { openPagedOut, type PagedOut } from "./paged-out.ts";
import type { HeadIndex } from "./head-index.ts";
import type { TurnCounter } from "./turn-counter.ts";

export type ResidentSet = Pick<PagedOut, "next" | "takeIn"> & {
  /** Part of a commit: the next instance of the object reads them. Call `listed` after it is stored. */
  readonly list: (executions: readonly string[]) => void;
  readonly listed: (executions: readonly string[]) => void;
  /**
   * One row for several, outside of their commits. An id whose commit fails is listed needlessly until the list is
   * rewritten.
   */
  readonly listTogether: (executions: readonly string[]) => void;
  /** Evicts executions at rest, if there are many. */
  readonly makeRoom: (now: number) => void;
};

type Parts = {
  readonly ports: Pick<Ports, "storage" | "log" | "headsInMemory">;
  readonly index: HeadIndex;
  readonly turns: Pick<TurnCounter, "projected">;
  readonly isApart: (execution: string) => boolean;
};

export function openResidentSet({ ports, index, turns, isApart }: Parts): ResidentSet {
  const { storage, log, headsInMemory } = ports;
  const { roll } = storage;
  let near = new Set<string>(roll.near());
  /** How many may be in memory before the next eviction is tried. */
  let mark = headsInMemory;

  const listed = (executions: readonly string[]): void => {
    if (!roll.exist()) near.clear();
    else for (const execution of executions) near.add(execution);
  };
  const far = openPagedOut({ ports, index, near: listed });

  const isAtRest = ({ execution, wakeAt, turn }: HeadKey, now: number): boolean =>
    (wakeAt === null || wakeAt > now + REST_BEYOND_MS) && turn <= turns.projected() && !isApart(execution);

  const letGo = (now: number): void => {
    const keys = index.keys();
    const resting = keys.filter((key) => isAtRest(key, now));
    const atRest = new Set(resting.map(({ execution }) => execution));
    const staying = keys.flatMap(({ execution }) => (atRest.has(execution) ? [] : [execution]));
    const isWorthIt = roll.exist() || resting.length >= headsInMemory / 2;
    mark = Math.max(headsInMemory, (isWorthIt ? staying : keys).length + headsInMemory / 2);
    if (!isWorthIt) return;
    storage.atomically(() => {
      roll.replaceNear(staying);
      far.add(resting);
    });
    near = new Set(staying);
    far.added();
    index.forget(atRest);
  };

  const list = (executions: readonly string[]): void => {
    const others = roll.exist() ? executions.filter((execution) => !near.has(execution)) : [];
    if (others.length > 0) roll.addNear(others);
  };

  return {
    next: far.next,
    takeIn: far.takeIn,
    list,
    listed,
    listTogether: (executions) => {
      if (!roll.exist() || executions.length < 2) return;
      try {
        storage.atomically(() => list(executions));
        listed(executions);
      } catch {
        // Each execution lists itself then, as far as it can be stored.
      }
    },
    makeRoom: (now) => {
      if (Math.max(index.size(), near.size) <= mark) return;
      try {
        letGo(now);
      } catch (fault) {
        // Only memory is wasted by it.
        mark = index.size() + headsInMemory / 2;
        log({ level: "error", event: "room_not_made", heads: index.size(), message: String(fault) });
      }
    },
  };
}
