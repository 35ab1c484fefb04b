// Heads: the head rows of a cell, read through a cache and written with everything else of a turn, all or nothing.
import { UNHANDLED_WAKE_RETRY_MS } from "#schema/limits/alarms.ts";
import { HEAD_WEIGHT_MIN } from "#schema/limits/isolates/compiled-caches.ts";
import { nextWake } from "#kernel/waiting/next-instants.ts";
import { isUnresolved } from "#kernel/execution/retries/redrive.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Draft } from "../drafts.ts";
import type { Identity } from "#schema/engine/quarantine.ts";
import { attemptResult } from "../intake.ts";
import type { Ports } from "../ports.ts";
import type { Head } from "../storage.ts";
import type { HeadKey, StoredKey } from "./key-rows.ts";
import { openCommit } from "./commit.ts";
import { openHeadCache } from "./head-cache.ts";
import { openHeadIndex, type HeadIndex } from "./head-index.ts";
import { earlier } from "./wake-heap.ts";
import { identityIn } from "./head-text.ts";
import { openQuarantine, type Quarantine } from "./quarantine.ts";
import { openHeadReads } from "./read-heads.ts";
import { openResidentSet } from "./resident-set.ts";
import { openTurnCounter, type TurnCounter } from "./turn-counter.ts";

export type Heads = Pick<HeadIndex, "due" | "earliest" | "sameKey"> & {
  readonly isEmpty: () => boolean;
  /** There is exactly one execution, and it is in memory. */
  readonly isAlone: () => boolean;
  /** After a turn: a large cell evicts executions at rest. */
  readonly makeRoom: (now: number) => void;
  readonly isFull: () => boolean;
  /** Loads some paged-out executions of a large cell if they are due; false if none are. */
  readonly takeIn: (now: number) => boolean;
  readonly read: (execution: string) => Head | null;
  /** In a large cell, before several are committed: one row marks all of them as resident, instead of one row each. */
  readonly list: (executions: readonly string[]) => void;
  readonly commit: (draft: Draft, now: number) => void;
  /** After a tick: reads the real next wake. A tick may have changed and written nothing. */
  readonly rewake: (execution: string, now: number) => void;
  /** For an execution that may have to wait for its step: it is due at `until`, and after a restart at its own wake. */
  readonly setAside: (execution: string, until: number) => void;
  /** A lower bound of its length as text. Loads it into memory if needed. */
  readonly charactersOf: (execution: string) => number;
  /** After a tick that failed: a quarantined execution is checked when its gap is over. */
  readonly postpone: (execution: string, now: number) => void;
  /** Executions whose last change may not be projected yet; projected again once after a restart. */
  readonly unprojected: (now: number) => readonly string[];
  readonly recent: (head: Head) => readonly JournalEntry[];
  readonly turns: TurnCounter;
  readonly quarantine: Quarantine;
  /** Quarantined: it must not be checked before its gap is over. */
  readonly isApart: (execution: string, now: number) => boolean;
  /** It exists here, and this code cannot read it. */
  readonly isUnreadable: (execution: string) => boolean;
  /** The identity of a head, as far as its row is readable. */
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
  const turns = openTurnCounter(keys);
  const cache = openHeadCache();
  const isApart = (execution: string): boolean => quarantine.of(execution) !== undefined;
  const roll = openResidentSet({ ports, index, turns, isApart });
  const quarantine = openQuarantine(keys, { ports, index, roll, armed, tell });
  const { read, goesOn } = openHeadReads({ storage, index, cache, quarantine, roll, armed });
  const isEmpty = (): boolean => index.size() === 0 && !(isCrowded() && storage.hasHeads());

  return {
    read,
    quarantine,
    isApart: (execution, now) => (quarantine.of(execution)?.lookAt ?? 0) > now,
    isUnreadable: (execution) => read(execution) === null && index.get(execution) !== undefined,
    identity: (execution) => {
      const body = attemptResult(() => storage.headBody(execution));
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
      // Its own commit has set a later wake: no need to read it. Most often it has ended, and is not cached.
      if (key && !quarantine.of(execution) && (key.wakeAt === null || key.wakeAt > now)) return;
      const head = key && read(execution);
      if (!head) return;
      // A step without changes counts as a step, too.
      if (quarantine.of(execution)) goesOn(key);
      const next = nextWake(head.state, now);
      // If that could not be stored, it stays quarantined for later callers, and the release is retried.
      const at = quarantine.of(execution) ? Math.min(next ?? now, now) : next;
      index.place({ ...key, wakeAt: at !== null && at <= now ? now + UNHANDLED_WAKE_RETRY_MS : at });
    },
    setAside: (execution, until) => {
      const key = index.get(execution);
      if (key) index.place({ ...key, wakeAt: until });
    },
    charactersOf: (execution) => {
      // A fault here also occurs in its own step, which reports it.
      attemptResult(() => read(execution));
      return cache.charactersOf(execution) ?? HEAD_WEIGHT_MIN;
    },
    postpone: (execution, now) => {
      const key = index.get(execution);
      const lookAt = quarantine.of(execution)?.lookAt ?? 0;
      if (key) index.place({ ...key, wakeAt: lookAt > now ? lookAt : now + UNHANDLED_WAKE_RETRY_MS });
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

/** A paged-out execution's last change is projected, whatever its turn was. */
function toldKey({ quarantined: _apart, ...key }: StoredKey): HeadKey {
  return { ...key, turn: 0 };
}

/** A quarantined execution is checked when its gap is over, not at its own wake. */
function keyOf({ quarantined, ...key }: StoredKey): HeadKey {
  return quarantined ? { ...key, wakeAt: quarantined.lookAt } : key;
}

/**
 * An execution whose history is deleted in this wake was projected when it ended. One with unresolved dead letters is
 * kept.
 */
function isKept(state: ExecutionState, now: number): boolean {
  return state.retainUntil === null || state.retainUntil > now || isUnresolved(state);
}
