// A cell may hold more executions than its memory does. On the roll of a crowded one stand those that must be in memory,
// the near ones: what is to be looked at soon, and what the catalog may not know yet. All others are found by their ids when
// somebody asks, and the far ones come back shortly before they are to be looked at.
import { REST_BEYOND_MS } from "#schema/limits/crowding.ts";
import type { Ports } from "../ports.ts";
import type { HeadKey } from "./key-rows.ts";
import { openFar, type Far } from "./far.ts";
import type { HeadIndex } from "./head-index.ts";
import type { Turns } from "./turns.ts";

export type Roll = Pick<Far, "next" | "takeIn"> & {
  /** Part of a commit: the next life of the object finds them. `listed` follows when that has been stored. */
  readonly list: (executions: readonly string[]) => void;
  readonly listed: (executions: readonly string[]) => void;
  /** By itself, where there are several. One that is not stored after all stands on it for nothing, and goes with the next clearing. */
  readonly listTogether: (executions: readonly string[]) => void;
  /** Lets those go from memory that are at rest, once there are many. */
  readonly makeRoom: (now: number) => void;
};

type Parts = {
  readonly ports: Pick<Ports, "storage" | "log" | "headsInMemory">;
  readonly index: HeadIndex;
  readonly turns: Pick<Turns, "projected">;
  readonly isApart: (execution: string) => boolean;
};

export function openRoll({ ports, index, turns, isApart }: Parts): Roll {
  const { storage, log, headsInMemory } = ports;
  const { roll } = storage;
  let near = new Set<string>(roll.near());
  /** How many may be in memory before it is looked who can go. */
  let mark = headsInMemory;

  const listed = (executions: readonly string[]): void => {
    if (!roll.exist()) near.clear();
    else for (const execution of executions) near.add(execution);
  };
  const far = openFar({ ports, index, near: listed });

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
        // Each lists itself then, as far as it can be stored.
      }
    },
    makeRoom: (now) => {
      if (Math.max(index.size(), near.size) <= mark) return;
      try {
        letGo(now);
      } catch (fault) {
        // Nothing is lost by it but room.
        mark = index.size() + headsInMemory / 2;
        log({ level: "error", event: "room_not_made", heads: index.size(), message: String(fault) });
      }
    },
  };
}
