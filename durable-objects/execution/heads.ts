// Head rows in memory: which executions live here, when each must be looked at, and the states lately in use.
import { nextWake } from "#kernel/execution/clock.ts";
import { isUnresolved } from "#kernel/execution/redrive.ts";
import type { JournalEntry } from "#schema/engine/journal.ts";
import type { Draft } from "./drafts.ts";
import { openKeyed } from "./dedup-keys.ts";
import { definitionKey } from "./programs.ts";
import { append, type CellStorage, type Head, type HeadKey } from "./storage.ts";
import { openWakes } from "./wakes.ts";

/** States kept parsed; a sleeping execution beyond these costs only its place in the index. */
const CACHED_MAX = 200;
/** A wake that its own tick did not take care of would spin. It is a bug; until it is mended it is looked at rarely. */
const SPIN_GUARD_MS = 60_000;

export type Heads = {
  readonly read: (execution: string) => Head | null;
  readonly commit: (drafts: readonly Draft[], now: number, arm: () => void) => void;
  readonly due: (now: number, count: number) => readonly string[];
  readonly earliest: () => number | null;
  /** After a tick: the wake as it really is. A tick may have changed nothing, and written nothing. */
  readonly rewake: (execution: string, now: number) => void;
  /** After a tick that broke. */
  readonly postpone: (execution: string, now: number) => void;
  /** Executions whose last change the catalog may not know, projected once after a restart. */
  readonly unprojected: (now: number) => readonly string[];
  readonly recent: (head: Head) => readonly JournalEntry[];
  readonly turn: () => number;
  /** The catalog has all that was committed up to that turn. */
  readonly markProjected: (turn: number) => void;
  /** The latest actions with the dedup key of this one's id. */
  readonly sameKey: (execution: string) => readonly string[];
  readonly size: () => number;
};

export function openHeads(storage: CellStorage): Heads {
  const index = new Map<string, HeadKey>(storage.heads().map((key) => [key.execution, key]));
  const wakes = openWakes(index);
  const keyed = openKeyed(index.keys());
  const cached = new Map<string, Head>();
  const definitions = new Set<string>();
  let turn = most(index, ({ turn: of }) => of);
  let projected = most(index, ({ sent }) => sent);
  let unprojected = [...index.values()].filter((key) => key.turn > projected).map(({ execution }) => execution);

  const place = (key: HeadKey): void => {
    const before = index.get(key.execution);
    index.set(key.execution, key);
    if (!before) keyed.add(key.execution);
    if (key.wakeAt !== before?.wakeAt) wakes.moved(key.execution);
  };

  const read = (execution: string): Head | null => {
    const known = cached.get(execution);
    if (known) return known;
    const head = index.has(execution) ? storage.readHead(execution) : null;
    if (head) keep(head);
    return head;
  };

  const keep = (head: Head): void => {
    cached.delete(head.state.id);
    cached.set(head.state.id, head);
    if (cached.size > CACHED_MAX) cached.delete(cached.keys().next().value ?? head.state.id);
  };

  const forget = (execution: string): void => {
    cached.delete(execution);
    keyed.remove(execution);
  };

  const write = ({ state, entries, effects, definition }: Draft, now: number): Head | null => {
    if (effects.some(({ kind }) => kind === "purge")) {
      storage.remove(state.id);
      return null;
    }
    if (definition !== null) keepDefinition(definitionKey(state.definition), definition);
    const head = append(read(state.id), state, entries, (page, sealed) => storage.writePage(state.id, page, sealed));
    storage.writeHead(head, { execution: state.id, wakeAt: nextWake(state, now), turn: turn + 1, sent: projected });
    return head;
  };

  const keepDefinition = (key: string, body: string): void => {
    if (definitions.has(key) || storage.readDefinition(key) !== null) return;
    storage.writeDefinition(key, body);
  };

  return {
    read,
    commit: (drafts, now, arm) => {
      const undo = new Map<string, HeadKey | undefined>();
      const written: (Head | null)[] = [];
      try {
        storage.atomically(() => {
          for (const draft of drafts) {
            const { id } = draft.state;
            undo.set(id, index.get(id));
            const head = write(draft, now);
            written.push(head);
            if (head) place({ execution: id, wakeAt: nextWake(head.state, now), turn: turn + 1, sent: projected });
            else index.delete(id);
          }
          arm();
        });
      } catch (fault) {
        for (const [id, key] of undo) {
          if (key) place(key);
          else {
            index.delete(id);
            keyed.remove(id);
          }
        }
        throw fault;
      }
      turn += 1;
      drafts.forEach(({ state, definition }, at) => {
        const head = written[at];
        if (head) keep(head);
        else forget(state.id);
        if (definition !== null) definitions.add(definitionKey(state.definition));
      });
      // An empty cell gives its storage back, definitions and all.
      if (index.size === 0) definitions.clear();
    },
    due: (now, count) => {
      const due: string[] = [];
      for (const { execution, wakeAt } of index.values()) {
        if (wakeAt === null || wakeAt > now) continue;
        due.push(execution);
        if (due.length === count) break;
      }
      return due;
    },
    earliest: wakes.earliest,
    rewake: (execution, now) => {
      const key = index.get(execution);
      const head = key && read(execution);
      if (!head) return;
      const at = nextWake(head.state, now);
      place({ ...key, wakeAt: at !== null && at <= now ? now + SPIN_GUARD_MS : at });
    },
    postpone: (execution, now) => {
      const key = index.get(execution);
      if (key) place({ ...key, wakeAt: now + SPIN_GUARD_MS });
    },
    unprojected: (now) => {
      const executions = unprojected.filter((execution) => {
        const state = read(execution)?.state;
        if (state === undefined) return false;
        // One whose history goes in this very wake was projected when it ended. What is unresolved keeps it, and goes on.
        return state.retainUntil === null || state.retainUntil > now || isUnresolved(state);
      });
      unprojected = [];
      return executions;
    },
    recent: (head) => [...(head.pages > 0 ? storage.readPage(head.state.id, head.pages) : []), ...head.tail],
    turn: () => turn,
    markProjected: (through) => {
      projected = Math.max(projected, through);
    },
    sameKey: keyed.latest,
    size: () => index.size,
  };
}

/** Not Math.max over a spread, which has an argument limit: cells may hold very many executions. */
function most(index: ReadonlyMap<string, HeadKey>, of: (key: HeadKey) => number): number {
  let highest = 0;
  for (const key of index.values()) highest = Math.max(highest, of(key));
  return highest;
}
