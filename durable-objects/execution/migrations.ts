// Stored-form migrations: bring stored JSON to the current version. The table never needs to change; the JSON in its
// rows carries a version and is upgraded one step at a time when it is read.
import { STATE_VERSION, type ExecutionState } from "#schema/engine/state.ts";

/** One table, no secondary index: every index and every further table is billed as a row before any work is done. */
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

/** upcasts[n] turns version n + 1 into n + 2. Never edited after release. */
const upcasts: readonly Upcast[] = [];

export function upcast(stored: Versioned): ExecutionState {
  let state = stored;
  for (const next of upcasts.slice(stored.v - 1)) state = next(state);
  if (state.v !== STATE_VERSION) {
    throw new Error(
      `a state of version ${stored.v} was read by code that supports versions up to ${STATE_VERSION}: deploy the newer code`,
    );
  }
  return state as ExecutionState; // the steps above end at the current form
}
