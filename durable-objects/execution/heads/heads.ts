// Heads: the executions of a cell, read through a cache and committed one by one. Also decides when each execution must
// be checked, and which executions are in memory.
import { HEAD_WEIGHT_MIN } from "#schema/limits/isolates/compiled-caches.ts";
import { UNHANDLED_WAKE_RETRY_MS } from "#schema/limits/alarms.ts";
import { nextWake } from "#kernel/waiting/next-instants.ts";
import { isUnresolved } from "#kernel/execution/retries/redrive.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import type { Identity } from "#schema/engine/quarantine.ts";
import type { Draft } from "../drafts.ts";
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

export type Heads = Pick<HeadIndex, "due" | "earliest" | "sameDedupKey"> & {
  readonly isEmpty: () => boolean;
  /** True if the cell has exactly one execution. */
  readonly hasOneExecution: () => boolean;
  /** Called after each turn: a large cell evicts executions at rest. */
  readonly evictAtRest: (now: number) => void;
  /** True if the cell's storage is full, so that it accepts no new execution. */
  readonly isFull: () => boolean;
  /** Loads some paged-out executions that are due soon. Returns false if there are none, or if the load failed. */
  readonly loadDue: (now: number) => boolean;
  /** Returns the head; null if the execution is absent or unreadable. */
  readonly read: (execution: string) => Head | null;
  /**
   * Called before several commits. A large cell then lists the executions of all these commits as residents, in one
   * row.
   */
  readonly markResident: (executions: readonly string[]) => void;
  readonly commit: (draft: Draft, now: number) => void;
  /** Called after a tick that may have written nothing: computes the execution's next wake again. */
  readonly updateWake: (execution: string, now: number) => void;
  /**
   * Makes an execution that waits for a slot due at `until`. Only memory is changed, so after a restart the stored wake
   * counts.
   */
  readonly deferWake: (execution: string, until: number) => void;
  /** Loads the head, and returns its length in characters. A small or unreadable head counts as the minimum. */
  readonly charactersOf: (execution: string) => number;
  /** Called after a failed tick: delays the next tick, for a quarantined execution until its next check. */
  readonly delayTick: (execution: string, now: number) => void;
  /** Returns executions whose last change may not be projected, once after each start of the object. */
  readonly unprojected: (now: number) => readonly string[];
  /** Returns the latest journal entries: the last sealed page and the tail. */
  readonly recentEntries: (head: Head) => readonly JournalEntry[];
  readonly turns: TurnCounter;
  readonly quarantine: Quarantine;
  /** True if the execution is quarantined and its next check is after `now`. */
  readonly isInQuarantineGap: (execution: string, now: number) => boolean;
  /** True if the cell has the execution, but this code cannot read its head. */
  readonly isUnreadable: (execution: string) => boolean;
  /** Returns the identity in the head row; null if the identity is unreadable as well. */
  readonly identity: (execution: string) => Identity | null;
};

export type HeadPorts = Pick<Ports, "storage" | "now" | "log" | "headsInMemory">;
type QuarantinePorts = Pick<Parameters<typeof openQuarantine>[1], "projectChange" | "writeWithAlarm">;

export function openHeads(ports: HeadPorts, { projectChange, writeWithAlarm }: QuarantinePorts): Heads {
  const { storage } = ports;
  const isLargeCell = storage.residentRows.isLargeCell;
  const keys = isLargeCell() ? storage.keys(storage.residentRows.residents()) : storage.heads();
  const index = openHeadIndex(keys.map(keyOf), (execution) =>
    isLargeCell() ? storage.keys([execution]).map(pagedOutKey)[0] : undefined,
  );
  const turns = openTurnCounter(keys);
  const cache = openHeadCache();
  const isQuarantined = (execution: string): boolean => quarantine.get(execution) !== undefined;
  const residents = openResidentSet({ ports, index, turns, isQuarantined });
  const quarantine = openQuarantine(keys, { ports, index, residents, writeWithAlarm, projectChange });
  const { read, releaseNow } = openHeadReads({ storage, index, cache, quarantine, residents, writeWithAlarm });
  const isEmpty = (): boolean => index.size() === 0 && !(isLargeCell() && storage.hasHeads());

  return {
    read,
    quarantine,
    isInQuarantineGap: (execution, now) => (quarantine.get(execution)?.lookAt ?? 0) > now,
    isUnreadable: (execution) => read(execution) === null && index.get(execution) !== undefined,
    identity: (execution) => {
      const body = attemptResult(() => storage.headBody(execution));
      return "fault" in body ? null : identityIn(body.value ?? "");
    },
    markResident: residents.writeAllResident,
    commit: openCommit({ storage, index, turns, cache, quarantine, residents, read }),
    due: index.due,
    earliest: () => earlier(index.earliest(), residents.nextLoadAt()),
    evictAtRest: residents.evictAtRest,
    isFull: storage.isFull,
    loadDue: residents.loadDue,
    isEmpty,
    hasOneExecution: () => index.size() === 1 && !isLargeCell(),
    updateWake: (execution, now) => {
      const key = index.get(execution);
      // The tick's commit has set a later wake, so the head is not read. In most cases the execution has ended.
      if (key && !isQuarantined(execution) && (key.wakeAt === null || key.wakeAt > now)) return;
      const head = key && read(execution);
      if (!head) return;
      // The step succeeded without changes, so no commit has released the execution. It is released here.
      if (isQuarantined(execution)) releaseNow(key);
      const next = nextWake(head.state, now);
      // A release that could not be stored is retried, because the execution stays quarantined and due.
      const wakeAt = isQuarantined(execution) ? Math.min(next ?? now, now) : next;
      index.setKey({ ...key, wakeAt: wakeAt !== null && wakeAt <= now ? now + UNHANDLED_WAKE_RETRY_MS : wakeAt });
    },
    deferWake: (execution, until) => {
      const key = index.get(execution);
      if (key) index.setKey({ ...key, wakeAt: until });
    },
    charactersOf: (execution) => {
      // A fault is ignored here: the execution's own step meets and reports it.
      attemptResult(() => read(execution));
      return cache.charactersOf(execution) ?? HEAD_WEIGHT_MIN;
    },
    delayTick: (execution, now) => {
      const key = index.get(execution);
      const checkAt = quarantine.get(execution)?.lookAt ?? 0;
      if (key) index.setKey({ ...key, wakeAt: checkAt > now ? checkAt : now + UNHANDLED_WAKE_RETRY_MS });
    },
    unprojected: (now) =>
      turns.takeUnprojected((execution) => {
        const state = read(execution)?.state;
        return state !== undefined && isRetained(state, now);
      }),
    recentEntries: (head) => [...(head.pages > 0 ? storage.readPage(head.state.id, head.pages) : []), ...head.tail],
    turns,
    sameDedupKey: (execution) => (isLargeCell() ? storage.sameDedupKey(execution) : index.sameDedupKey(execution)),
  };
}

/**
 * Turn 0 means that the catalog has every change. That is true, because an execution is paged out only after its last
 * change was projected.
 */
function pagedOutKey({ quarantined: _quarantined, ...key }: StoredKey): HeadKey {
  return { ...key, turn: 0 };
}

/**
 * Returns the key of an execution. The key of a quarantined execution has the time of its next check instead of its
 * wake.
 */
function keyOf({ quarantined, ...key }: StoredKey): HeadKey {
  return quarantined ? { ...key, wakeAt: quarantined.lookAt } : key;
}

/**
 * True if the execution's rows stay after this wake. An execution whose rows are deleted was projected when it ended.
 * Unresolved dead letters prevent the deletion.
 */
function isRetained(state: ExecutionState, now: number): boolean {
  return state.retainUntil === null || state.retainUntil > now || isUnresolved(state);
}
