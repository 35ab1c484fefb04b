// The head rows of a cell: read through a cache, written with everything else a turn leaves, all or nothing.
import { HEAD_CHARACTERS_LEAST, SPIN_GUARD_MS } from "#schema/limits/objects.ts";
import { nextWake } from "#kernel/execution/clock.ts";
import { isUnresolved } from "#kernel/execution/retries/redrive.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Draft } from "../drafts.ts";
import type { Identity } from "#schema/engine/quarantine.ts";
import { attempted } from "../intake.ts";
import type { Ports } from "../ports.ts";
import type { Head } from "../storage.ts";
import type { HeadKey, StoredKey } from "./key-rows.ts";
import { openCommit } from "./commit.ts";
import { openHeadCache } from "./head-cache.ts";
import { openHeadIndex, type HeadIndex } from "./head-index.ts";
import { earlier } from "./wakes.ts";
import { identityIn } from "./head-text.ts";
import { openQuarantine, type Quarantine } from "./quarantine.ts";
import { openReading } from "./reading.ts";
import { openRoll } from "./roll.ts";
import { openTurns, type Turns } from "./turns.ts";

export type Heads = Pick<HeadIndex, "due" | "earliest" | "sameKey"> & {
  readonly isEmpty: () => boolean;
  /** There is one execution, and it is in memory. */
  readonly isAlone: () => boolean;
  /** After a turn: a crowded cell lets go of what is at rest. */
  readonly makeRoom: (now: number) => void;
  readonly isFull: () => boolean;
  /** Takes in some of what a crowded cell has let go of, if it is time for them; false: it is not. */
  readonly takeIn: (now: number) => boolean;
  readonly read: (execution: string) => Head | null;
  /** Of a crowded cell, before several are committed: a row for all of them together, and then none for each. */
  readonly list: (executions: readonly string[]) => void;
  readonly commit: (draft: Draft, now: number) => void;
  /** After a tick: the wake as it really is. A tick may have changed nothing, and written nothing. */
  readonly rewake: (execution: string, now: number) => void;
  /** Where one may have to wait before it is stepped: it counts as due then, and is due as it was after a restart. */
  readonly setAside: (execution: string, until: number) => void;
  /** How much of it there is, as text and at least. It is read for that, and in memory then. */
  readonly charactersOf: (execution: string) => number;
  /** After a tick that broke: what stands apart is looked at when its gap is over. */
  readonly postpone: (execution: string, now: number) => void;
  /** Executions whose last change the catalog may not know, projected once after a restart. */
  readonly unprojected: (now: number) => readonly string[];
  readonly recent: (head: Head) => readonly JournalEntry[];
  readonly turns: Turns;
  readonly quarantine: Quarantine;
  /** It is not to be looked at before its gap is over. */
  readonly isApart: (execution: string, now: number) => boolean;
  /** It lives here, and this code cannot read it. */
  readonly isUnreadable: (execution: string) => boolean;
  /** Whose head that is, as far as it tells. */
  readonly identity: (execution: string) => Identity | null;
};

export type HeadPorts = Pick<Ports, "storage" | "now" | "log" | "headsInMemory">;
type Outward = Pick<Parameters<typeof openQuarantine>[1], "tell" | "armed">;

export function openHeads(ports: HeadPorts, { tell, armed }: Outward): Heads {
  const { storage } = ports;
  const isCrowded = storage.roll.exist;
  const keys = isCrowded() ? storage.keys(storage.roll.near()) : storage.heads();
  const index = openHeadIndex(keys.map(keyOf), (execution) =>
    isCrowded() ? storage.keys([execution]).map(toldKey)[0] : undefined,
  );
  const turns = openTurns(keys);
  const cache = openHeadCache();
  const isApart = (execution: string): boolean => quarantine.of(execution) !== undefined;
  const roll = openRoll({ ports, index, turns, isApart });
  const quarantine = openQuarantine(keys, { ports, index, roll, armed, tell });
  const { read, goesOn } = openReading({ storage, index, cache, quarantine, roll, armed });
  const isEmpty = (): boolean => index.size() === 0 && !(isCrowded() && storage.hasHeads());

  return {
    read,
    quarantine,
    isApart: (execution, now) => (quarantine.of(execution)?.lookAt ?? 0) > now,
    isUnreadable: (execution) => read(execution) === null && index.get(execution) !== undefined,
    identity: (execution) => {
      const body = attempted(() => storage.headBody(execution));
      return "fault" in body ? null : identityIn(body.value ?? "");
    },
    list: roll.listTogether,
    commit: openCommit({ storage, index, turns, cache, quarantine, roll, read }),
    due: index.due,
    earliest: () => earlier(index.earliest(), roll.next()),
    makeRoom: roll.makeRoom,
    isFull: storage.isFull,
    takeIn: roll.takeIn,
    isEmpty,
    isAlone: () => index.size() === 1 && !isCrowded(),
    rewake: (execution, now) => {
      const key = index.get(execution);
      // What its own commit has placed since need not be read again for that: most often it has ended, and is out of memory.
      if (key && !quarantine.of(execution) && (key.wakeAt === null || key.wakeAt > now)) return;
      const head = key && read(execution);
      if (!head) return;
      // A step of it that has nothing to say is a step of it all the same.
      if (quarantine.of(execution)) goesOn(key);
      const next = nextWake(head.state, now);
      // Where that could not be stored it still stands apart for whoever comes after this: it is tried again.
      const at = quarantine.of(execution) ? Math.min(next ?? now, now) : next;
      index.place({ ...key, wakeAt: at !== null && at <= now ? now + SPIN_GUARD_MS : at });
    },
    setAside: (execution, until) => {
      const key = index.get(execution);
      if (key) index.place({ ...key, wakeAt: until });
    },
    charactersOf: (execution) => {
      // What goes wrong with it goes wrong in its own step, too, and for all to see.
      attempted(() => read(execution));
      return cache.charactersOf(execution) ?? HEAD_CHARACTERS_LEAST;
    },
    postpone: (execution, now) => {
      const key = index.get(execution);
      const lookAt = quarantine.of(execution)?.lookAt ?? 0;
      if (key) index.place({ ...key, wakeAt: lookAt > now ? lookAt : now + SPIN_GUARD_MS });
    },
    unprojected: (now) =>
      turns.takeUnprojected((execution) => {
        const state = read(execution)?.state;
        return state !== undefined && isKept(state, now);
      }),
    recent: (head) => [...(head.pages > 0 ? storage.readPage(head.state.id, head.pages) : []), ...head.tail],
    turns,
    sameKey: (execution) => (isCrowded() ? storage.sameKey(execution) : index.sameKey(execution)),
  };
}

/** What a crowded cell has let go of the catalog knows, whatever the turn was. */
function toldKey({ quarantined: _apart, ...key }: StoredKey): HeadKey {
  return { ...key, turn: 0 };
}

/** What stands apart is looked at when its gap is over, not when it would wake by itself. */
function keyOf({ quarantined, ...key }: StoredKey): HeadKey {
  return quarantined ? { ...key, wakeAt: quarantined.lookAt } : key;
}

/** One whose history goes in this very wake was projected when it ended. What is unresolved keeps it, and goes on. */
function isKept(state: ExecutionState, now: number): boolean {
  return state.retainUntil === null || state.retainUntil > now || isUnresolved(state);
}
