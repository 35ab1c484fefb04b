// Commit: writes the rows of one draft, all or nothing. The caller arms the alarm for the turn.
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

/** `now`: the time of the turn, epoch ms. Throws if the draft cannot be stored. */
export type Commit = (draft: Draft, now: number) => void;

type Written = { readonly head: Head; readonly characters: number };

type Parts = {
  readonly storage: CellStorage;
  readonly index: HeadIndex;
  readonly turns: TurnCounter;
  readonly cache: HeadCache;
  readonly quarantine: Quarantine;
  readonly residents: Pick<ResidentSet, "writeResident" | "noteResident">;
  readonly read: (execution: string) => Head | null;
};

/** Memory is updated after the rows are written, so a failed commit leaves both unchanged. */
export function openCommit({ storage, index, turns, cache, quarantine, residents, read }: Parts): Commit {
  const storeDefinition = (key: string, body: string): void => {
    if (!storage.hasDefinition(key)) storage.writeDefinition(key, body);
  };

  /** The first commit of a placeholder keeps the journal pages of the unreadable head that it replaces. */
  const headBefore = (state: ExecutionState): Head | null => {
    const isNewPlaceholder = state.standsIn !== undefined && quarantine.get(state.id)?.kind === "unreadable";
    const head = isNewPlaceholder ? null : read(state.id);
    return head ?? (index.get(state.id) ? { state, tail: [], pages: storage.countPages(state.id) } : null);
  };

  /** Returns null if the draft deletes its execution. */
  const write = ({ state, entries, effects, definition }: Draft, now: number): Written | null => {
    if (hasPurge(effects)) {
      storage.remove(state.id);
      index.remove(state.id);
      return null;
    }
    if (definition !== null) storeDefinition(definitionKey(state.definition), definition);
    const head = append(headBefore(state), state, entries, sealInto(storage, state));
    const key = { execution: state.id, wakeAt: nextWake(state, now), ...turns.turnColumns() };
    const characters = storage.writeHead(head, key);
    quarantine.writeRelease(state.id);
    index.setKey(key);
    return { head, characters };
  };

  return (draft, now) => {
    const { id } = draft.state;
    const remaining = hasPurge(draft.effects) ? [] : [id];
    let written: Written | null = null;
    index.withRollback(() =>
      storage.atomically(() => {
        written = write(draft, now);
        residents.writeResident(remaining);
      }, "unseen"),
    );
    turns.committed();
    residents.noteResident(remaining);
    cacheHead(cache, draft.state, written);
    quarantine.noteReleased(id);
  };
}

/** Ended executions are not cached: they are rarely read again, and would use most of the memory. */
function cacheHead(cache: HeadCache, { id, finishedAt }: ExecutionState, written: Written | null): void {
  if (written !== null && finishedAt === null) cache.set(written.head, written.characters);
  else cache.delete(id);
}
