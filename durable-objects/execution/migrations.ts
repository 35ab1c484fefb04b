// State migrations: bring a stored state to the current version when it is read. The table itself never changes,
// because each row's JSON contains its version.
import { STATE_VERSION, type ExecutionState } from "#schema/engine/state.ts";

/**
 * There is one table without a secondary index, because the platform bills each further table or index as a row
 * written.
 */
export const SCHEMA = `CREATE TABLE IF NOT EXISTS rows (
  execution TEXT NOT NULL,
  page INTEGER NOT NULL,
  wake_at INTEGER,
  turn INTEGER NOT NULL,
  sent INTEGER NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (execution, page)
) WITHOUT ROWID`;

type Versioned = { readonly v: number };
type Upcast = (older: Versioned) => Versioned;

/** upcasts[n] turns version n + 1 into version n + 2. An entry is never edited after its release. */
const upcasts: readonly Upcast[] = [];

export function upcast(stored: Versioned): ExecutionState {
  let state = stored;
  for (const next of upcasts.slice(stored.v - 1)) state = next(state);
  if (state.v !== STATE_VERSION) {
    throw new Error(
      `the stored state has version ${stored.v}, but this code supports versions up to ${STATE_VERSION}: deploy the newer code`,
    );
  }
  return state as ExecutionState; // the loop ends at the current version
}
