// Recurring-action rows: the state, and the occurrences. One row may count several occurrences with the same outcome.
import {
  RECURRING_HISTORY_MS,
  RECURRING_HISTORY_ROWS_MAX,
  RECURRING_PURGED_ROWS,
} from "#schema/limits/recurring-actions.ts";
import { RECURRING_VERSION, type OccurrenceRow, type RecurringState } from "#schema/recurring/state.ts";
import type { HostedStorage } from "#objects/host/host.ts";
import { storedValue, values, type Store, type Tables } from "#objects/host/store.ts";

const STATE = 1;

export type Position = readonly [at: number, id: string];
export type RecurringStorage = HostedStorage & {
  readonly read: () => RecurringState | null;
  readonly write: (state: RecurringState, rows: readonly OccurrenceRow[]) => void;
  readonly find: (at: number, id: string) => OccurrenceRow | null;
  /** Returns occurrences, the newest first. */
  readonly list: (limit: number, before: Position | null) => readonly OccurrenceRow[];
};

/** `kept`: the number of stored occurrence rows, so that a commit does not have to count the rows. */
type Stored = { readonly state: RecurringState; readonly kept: number };

export function recurringStorage(store: Store): RecurringStorage {
  const columns = "at INTEGER, id TEXT, body TEXT NOT NULL, PRIMARY KEY (at, id)";
  const create = `CREATE TABLE occurrences (${columns}) WITHOUT ROWID, STRICT`;
  const tables = store.tables({ ...values, create: [...values.create, create] });
  const stored = storedValue<Stored>(tables, STATE);
  let kept = 0;
  return {
    atomically: store.atomically,
    reset: store.reset,
    read: () => {
      const found = stored.read();
      kept = found?.kept ?? 0;
      if (found === null || found.state.v === RECURRING_VERSION) return found?.state ?? null;
      throw new Error(`the stored state has version ${String(found.state.v)}, which this code does not support`);
    },
    write: (state, rows) => {
      for (const row of rows) kept += put(tables, row);
      if (rows.length > 0) kept -= purge(tables, Math.max(...rows.map(({ recordedAt }) => recordedAt)), kept);
      stored.write({ state, kept });
    },
    find: (at, id) => parsed(tables.rows("SELECT body FROM occurrences WHERE at = ? AND id = ?", at, id))[0] ?? null,
    list: (limit, before) => {
      const [at, id] = before ?? [Number.MAX_SAFE_INTEGER, ""];
      const page = "SELECT body FROM occurrences WHERE (at, id) < (?, ?) ORDER BY at DESC, id DESC LIMIT ?";
      return parsed(tables.rows(page, at, id, limit));
    },
  };
}

/** Returns how many rows it has added: 0 or 1. */
function put({ rows, write }: Tables, row: OccurrenceRow): number {
  const { at, id } = row;
  const isNew = rows("SELECT 1 FROM occurrences WHERE at = ? AND id = ?", at, id).length === 0;
  const upsert = "INSERT INTO occurrences VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET body = excluded.body";
  write(upsert, at, id, JSON.stringify(row));
  return isNew ? 1 : 0;
}

/**
 * Deletes expired rows and rows above the limit. Each commit deletes more rows than it adds. Returns the number of
 * deleted rows.
 */
function purge({ rows }: Tables, now: number, kept: number): number {
  const deleteOldest = (where: string, limit: number, ...values: number[]): number => {
    const oldest = `SELECT at, id FROM occurrences ${where} ORDER BY at LIMIT ${limit}`;
    return rows(`DELETE FROM occurrences WHERE (at, id) IN (${oldest}) RETURNING id`, ...values).length;
  };
  const expired = deleteOldest("WHERE at < ?", RECURRING_PURGED_ROWS, now - RECURRING_HISTORY_MS);
  const surplus = Math.min(RECURRING_PURGED_ROWS, kept - expired - RECURRING_HISTORY_ROWS_MAX);
  return surplus > 0 ? expired + deleteOldest("", surplus) : expired;
}

function parsed(rows: readonly { readonly body?: SqlStorageValue }[]): readonly OccurrenceRow[] {
  return rows.map(({ body }) => JSON.parse(String(body)) as OccurrenceRow); // `put` wrote this JSON
}
