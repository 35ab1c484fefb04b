// Of which executions lists are told only with their next wake, busy as they are. Those of a suspended tenant do not wake,
// and lists have to be told of them otherwise. After a restart whatever may not have been told is told again.
import { purges, type Draft } from "../drafts.ts";

export type PutOff = { readonly note: (stored: Draft) => void; readonly all: () => readonly string[] };

export function openPutOff(): PutOff {
  /** As many as are busy at a time. */
  const late = new Set<string>();
  return {
    note: ({ state, effects }) => {
      if (state.unprojectedSince === null || purges(effects)) late.delete(state.id);
      else late.add(state.id);
    },
    all: () => [...late],
  };
}
