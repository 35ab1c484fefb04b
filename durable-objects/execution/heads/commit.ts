// A turn's drafts, written with everything else that it leaves: all or nothing.
import { nextWake } from "#kernel/execution/clock.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { purges, type Draft } from "../drafts.ts";
import { definitionKey } from "../programs.ts";
import { append, type CellStorage, type Head } from "../storage.ts";
import type { HeadCache } from "./head-cache.ts";
import { sealInto } from "./kept-pages.ts";
import type { HeadIndex } from "./head-index.ts";
import type { Quarantine } from "./quarantine.ts";
import type { Roll } from "./roll.ts";
import type { Turns } from "./turns.ts";

export type Commit = (drafts: readonly Draft[], now: number, arm: () => void) => void;

type Written = { readonly head: Head; readonly characters: number };

type Parts = {
  readonly storage: CellStorage;
  readonly index: HeadIndex;
  readonly turns: Turns;
  readonly cache: HeadCache;
  readonly quarantine: Quarantine;
  readonly roll: Pick<Roll, "list" | "listed">;
  readonly read: (execution: string) => Head | null;
};

/** What is in memory follows only what is on disk: a commit that fails leaves both as they were. */
export function openCommit({ storage, index, turns, cache, quarantine, roll, read }: Parts): Commit {
  const keepDefinition = (key: string, body: string): void => {
    if (!storage.hasDefinition(key)) storage.writeDefinition(key, body);
  };

  /** What stands in for a head that cannot be read goes on after the pages that are there. */
  const before = (state: ExecutionState): Head | null => {
    const isNew = state.standsIn !== undefined && quarantine.of(state.id)?.kind === "unreadable";
    const head = isNew ? null : read(state.id);
    return head ?? (index.get(state.id) ? { state, tail: [], pages: storage.countPages(state.id) } : null);
  };

  const write = ({ state, entries, effects, definition }: Draft, now: number): Written | null => {
    if (purges(effects)) {
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

  return (drafts, now, arm) => {
    const all: (Written | null)[] = [];
    const kept = drafts.flatMap(({ state: { id }, effects }) => (purges(effects) ? [] : [id]));
    index.undoably(() =>
      storage.atomically(() => {
        for (const draft of drafts) all.push(write(draft, now));
        roll.list(kept);
        arm();
      }),
    );
    turns.committed();
    roll.listed(kept);
    drafts.forEach(({ state }, at) => {
      const written = all[at];
      if (written) cache.keep(written.head, written.characters);
      else cache.forget(state.id);
      quarantine.lifted(state.id);
    });
  };
}
