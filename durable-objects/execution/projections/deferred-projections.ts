// Deferred projections: busy executions whose projection waits for their next wake. Those of a suspended tenant do not
// wake, so theirs are sent separately. After a restart everything possibly unprojected is sent again.
import { hasPurge, type Draft } from "../drafts.ts";

export type DeferredProjections = { readonly note: (stored: Draft) => void; readonly all: () => readonly string[] };

export function openDeferredProjections(): DeferredProjections {
  /** As many as are busy at a time. */
  const late = new Set<string>();
  return {
    note: ({ state, effects }) => {
      if (state.unprojectedSince === null || hasPurge(effects)) late.delete(state.id);
      else late.add(state.id);
    },
    all: () => [...late],
  };
}
