// Commits: writes one draft with everything it leaves, all or nothing. The alarm is armed by its turn.
import { nextWake } from "#kernel/waiting/next-instants.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { hasPurge, type Draft } from "../drafts.ts";
import { definitionKey } from "../programs.ts";
import { append, type CellStorage, type Head } from "../storage.ts";
import type { HeadCache } from "./head-cache.ts";
import { sealInto } from "./retained-pages.ts";
import type { HeadIndex } from "./head-index.ts";
import type { Quarantine } from "./quarantine.ts";
import type { ResidentSet } from "./resident-set.ts";
import type { TurnCounter } from "./turn-counter.ts";

export type Commit = (draft: Draft, now: number) => void;

type Written = { readonly head: Head; readonly characters: number };

type Parts = {
  readonly storage: CellStorage;
  readonly index: HeadIndex;
  readonly turns: TurnCounter;
  readonly cache: HeadCache;
  readonly quarantine: Quarantine;
  readonly roll: Pick<ResidentSet, "list" | "listed">;
  readonly read: (execution: string) => Head | null;
};

/** Memory follows the disk: a commit that fails leaves both unchanged. */
export function openCommit({ storage, index, turns, cache, quarantine, roll, read }: Parts): Commit {
  const keepDefinition = (key: string, body: string): void => {
    if (!storage.hasDefinition(key)) storage.writeDefinition(key, body);
  };

  /** The placeholder for an unreadable head continues after the pages that exist. */
  const before = (state: ExecutionState): Head | null => {
    const isNew = state.standsIn !== undefined && quarantine.of(state.id)?.kind === "unreadable";
    const head = isNew ? null : read(state.id);
    return head ?? (index.get(state.id) ? { state, tail: [], pages: storage.countPages(state.id) } : null);
  };

  const write = ({ state, entries, effects, definition }: Draft, now: number): Written | null => {
    if (hasPurge(effects)) {
      storage.remove(state.id);
      index.remove(state.id);
      return null;
    }
    if (definition !== null) keepDefinition(definitionKey(state.definition), definition);
    const head = append(before(state), state, entries, sealInto(storage, state));
    const key = { execution: state.id, wakeAt: nextWake(state, now), ...turns.mark() };
    const characters = storage.writeHead(head, key);
    quarantine.release(state.id);
    index.place(key);
    return { head, characters };
  };

  return (draft, now) => {
    const { id } = draft.state;
    const kept = hasPurge(draft.effects) ? [] : [id];
    const all: (Written | null)[] = [];
    index.undoably(() =>
      storage.atomically(() => {
        all.push(write(draft, now));
        roll.list(kept);
      }, "unseen"),
    );
    const [written] = all;
    turns.committed();
    roll.listed(kept);
    // Ended executions are rarely read again. Caching them would use most of the memory and garbage collection time.
    if (written && draft.state.finishedAt === null) cache.keep(written.head, written.characters);
    else cache.forget(id);
    quarantine.lifted(id);
  };
}
