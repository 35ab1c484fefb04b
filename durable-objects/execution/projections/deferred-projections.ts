// Deferred projections: the executions whose projection is deferred to their next wake, because they are busy. The
// executions of a suspended tenant do not wake, so the cell sends their projections separately. After a restart, every
// execution that may be unprojected is projected.
import { hasPurge, type Draft } from "../drafts.ts";

export type DeferredProjections = {
  /** Records after a commit whether the execution's projection is deferred. */
  readonly note: (stored: Draft) => void;
  readonly all: () => readonly string[];
};

export function openDeferredProjections(): DeferredProjections {
  /** Executions with a deferred projection. */
  const deferred = new Set<string>();
  return {
    note: ({ state, effects }) => {
      if (state.unprojectedSince === null || hasPurge(effects)) deferred.delete(state.id);
      else deferred.add(state.id);
    },
    all: () => [...deferred],
  };
}
