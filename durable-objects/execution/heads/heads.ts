// The head rows of a cell: read through a cache, written with everything else a turn leaves, all or nothing.
import { SPIN_GUARD_MS } from "#schema/limits/objects.ts";
import { nextWake } from "#kernel/execution/clock.ts";
import { isUnresolved } from "#kernel/execution/redrive.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { purges, type Draft } from "../drafts.ts";
import { openHeadCache, type HeadCache } from "./head-cache.ts";
import { openHeadIndex, type HeadIndex } from "./head-index.ts";
import { definitionKey } from "../programs.ts";
import { append, type CellStorage, type Head } from "../storage.ts";
import { openTurns, type Turns } from "./turns.ts";

export type Heads = Pick<HeadIndex, "due" | "earliest" | "sameKey" | "size"> & {
  readonly read: (execution: string) => Head | null;
  readonly commit: (drafts: readonly Draft[], now: number, arm: () => void) => void;
  /** After a tick: the wake as it really is. A tick may have changed nothing, and written nothing. */
  readonly rewake: (execution: string, now: number) => void;
  /** After a tick that broke. */
  readonly postpone: (execution: string, now: number) => void;
  /** Executions whose last change the catalog may not know, projected once after a restart. */
  readonly unprojected: (now: number) => readonly string[];
  readonly recent: (head: Head) => readonly JournalEntry[];
  readonly turns: Turns;
};

export function openHeads(storage: CellStorage): Heads {
  const keys = storage.heads();
  const index = openHeadIndex(keys);
  const turns = openTurns(keys);
  const cache = openHeadCache();

  const read = (execution: string): Head | null => {
    const known = cache.get(execution);
    if (known) return known;
    const head = index.get(execution) ? storage.readHead(execution) : null;
    if (head) cache.keep(head);
    return head;
  };

  return {
    read,
    commit: openCommit({ storage, index, turns, cache, read }),
    due: index.due,
    earliest: index.earliest,
    rewake: (execution, now) => {
      const key = index.get(execution);
      const head = key && read(execution);
      if (!head) return;
      const at = nextWake(head.state, now);
      index.place({ ...key, wakeAt: at !== null && at <= now ? now + SPIN_GUARD_MS : at });
    },
    postpone: (execution, now) => {
      const key = index.get(execution);
      if (key) index.place({ ...key, wakeAt: now + SPIN_GUARD_MS });
    },
    unprojected: (now) =>
      turns.takeUnprojected((execution) => {
        const state = read(execution)?.state;
        return state !== undefined && isKept(state, now);
      }),
    recent: (head) => [...(head.pages > 0 ? storage.readPage(head.state.id, head.pages) : []), ...head.tail],
    turns,
    sameKey: index.sameKey,
    size: index.size,
  };
}

/** One whose history goes in this very wake was projected when it ended. What is unresolved keeps it, and goes on. */
function isKept(state: ExecutionState, now: number): boolean {
  return state.retainUntil === null || state.retainUntil > now || isUnresolved(state);
}

type Parts = {
  readonly storage: CellStorage;
  readonly index: HeadIndex;
  readonly turns: Turns;
  readonly cache: HeadCache;
  readonly read: Heads["read"];
};

/** What is in memory follows only what is on disk: a commit that fails leaves both as they were. */
function openCommit({ storage, index, turns, cache, read }: Parts): Heads["commit"] {
  const definitions = new Set<string>();

  const keepDefinition = (key: string, body: string): void => {
    if (definitions.has(key) || storage.readDefinition(key) !== null) return;
    storage.writeDefinition(key, body);
  };

  const write = ({ state, entries, effects, definition }: Draft, now: number): Head | null => {
    if (purges(effects)) {
      storage.remove(state.id);
      index.remove(state.id);
      return null;
    }
    if (definition !== null) keepDefinition(definitionKey(state.definition), definition);
    const head = append(read(state.id), state, entries, (page, sealed) => storage.writePage(state.id, page, sealed));
    const key = { execution: state.id, wakeAt: nextWake(state, now), ...turns.mark() };
    storage.writeHead(head, key);
    index.place(key);
    return head;
  };

  return (drafts, now, arm) => {
    const written: (Head | null)[] = [];
    index.undoably(() =>
      storage.atomically(() => {
        for (const draft of drafts) written.push(write(draft, now));
        arm();
      }),
    );
    turns.committed();
    drafts.forEach(({ state, definition }, at) => {
      const head = written[at];
      if (head) cache.keep(head);
      else cache.forget(state.id);
      if (definition !== null) definitions.add(definitionKey(state.definition));
    });
    // An empty cell gives its storage back, definitions and all.
    if (index.size() === 0) definitions.clear();
  };
}
