// What a recurring action's object stores: one row of state, and a row for each occurrence (or for several with the same
// fate). Tables are made by the first write, so that asking after one that never was leaves nothing behind.
import { RECURRING_HISTORY_MS, RECURRING_HISTORY_ROWS_MAX, RECURRING_PURGED_ROWS } from "#schema/limits/recurring.ts";
import { RECURRING_VERSION, type OccurrenceRow, type RecurringState } from "#schema/recurring/state.ts";

const ROW = 1;

export type Position = readonly [at: number, id: string];
export type RecurringStorage = {
  readonly read: () => RecurringState | null;
  /** State, occurrences and, where there is an instant to wake at, the alarm: all of it or nothing. */
  readonly commit: (state: RecurringState, rows: readonly OccurrenceRow[], wakeAt: number | null) => void;
  readonly find: (at: number, id: string) => OccurrenceRow | null;
  /** Newest first. */
  readonly list: (limit: number, before: Position | null) => readonly OccurrenceRow[];
  /** All of it, and the alarm. */
  readonly reset: () => Promise<void>;
};

/** `kept`: how many occurrences there are, so that nobody has to count them. */
type Stored = { readonly state: RecurringState; readonly kept: number };
type Arm = (at: number) => void;

export function recurringStorage(storage: DurableObjectStorage, arm: Arm): RecurringStorage {
  const { sql } = storage;
  let ready = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'rows'").toArray().length > 0;
  let kept = 0;

  const commit = (state: RecurringState, rows: readonly OccurrenceRow[], wakeAt: number | null): void => {
    const [wasReady, hadKept] = [ready, kept];
    try {
      storage.transactionSync(() => {
        if (!ready) make(sql);
        ready = true;
        for (const row of rows) kept += put(sql, row);
        if (rows.length > 0) kept -= purge(sql, Math.max(...rows.map(({ recordedAt }) => recordedAt)), kept);
        const body = JSON.stringify({ state, kept } satisfies Stored);
        sql.exec("INSERT INTO rows VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body", ROW, body);
        if (wakeAt !== null) arm(wakeAt);
      });
    } catch (fault) {
      [ready, kept] = [wasReady, hadKept];
      throw fault;
    }
  };

  return {
    commit,
    read: () => {
      const stored = ready ? readState(sql) : null;
      kept = stored?.kept ?? 0;
      return stored?.state ?? null;
    },
    find: (at, id) => {
      if (!ready) return null;
      const one = "SELECT body FROM occurrences WHERE at = ? AND id = ?";
      return parsed(sql.exec<Row>(one, at, id).toArray())[0] ?? null;
    },
    list: (limit, before) => {
      if (!ready) return [];
      const [at, id] = before ?? [Number.MAX_SAFE_INTEGER, ""];
      const page = "SELECT body FROM occurrences WHERE (at, id) < (?, ?) ORDER BY at DESC, id DESC LIMIT ?";
      return parsed(sql.exec<Row>(page, at, id, limit).toArray());
    },
    reset: async () => {
      [ready, kept] = [false, 0];
      await storage.deleteAll();
    },
  };
}

type Row = { readonly body: string };

function readState(sql: SqlStorage): Stored | null {
  const [row] = sql.exec<Row>("SELECT body FROM rows WHERE id = ?", ROW).toArray();
  if (row === undefined) return null;
  const stored = JSON.parse(row.body) as Stored; // written by commit
  if (stored.state.v === RECURRING_VERSION) return stored;
  throw new Error(`the state has version ${String(stored.state.v)}, which this code does not know`);
}

function make(sql: SqlStorage): void {
  sql.exec("CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT NOT NULL)");
  const columns = "at INTEGER, id TEXT, body TEXT NOT NULL, PRIMARY KEY (at, id)";
  sql.exec(`CREATE TABLE occurrences (${columns}) WITHOUT ROWID, STRICT`);
}

/** How many more there are. */
function put(sql: SqlStorage, row: OccurrenceRow): number {
  const { at, id } = row;
  const isNew = sql.exec("SELECT 1 FROM occurrences WHERE at = ? AND id = ?", at, id).toArray().length === 0;
  const upsert = "INSERT INTO occurrences VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET body = excluded.body";
  sql.exec(upsert, at, id, JSON.stringify(row));
  return isNew ? 1 : 0;
}

/** By volume: each commit lets go of more than it brings. How many less there are. */
function purge(sql: SqlStorage, now: number, kept: number): number {
  const oldest = (where: string, limit: number, ...given: number[]): number => {
    const these = `SELECT at, id FROM occurrences ${where} ORDER BY at LIMIT ${limit}`;
    return sql.exec(`DELETE FROM occurrences WHERE (at, id) IN (${these})`, ...given).rowsWritten;
  };
  const old = oldest("WHERE at < ?", RECURRING_PURGED_ROWS, now - RECURRING_HISTORY_MS);
  const many = Math.min(RECURRING_PURGED_ROWS, kept - old - RECURRING_HISTORY_ROWS_MAX);
  return many > 0 ? old + oldest("", many) : old;
}

function parsed(rows: readonly Row[]): readonly OccurrenceRow[] {
  return rows.map(({ body }) => JSON.parse(body) as OccurrenceRow); // written by put
}
