// Object storage: the rows of an object. The first write creates the tables, so that a read of an unused object leaves
// no storage behind.

export type Values = readonly SqlStorageValue[];
export type Row = Record<string, SqlStorageValue>;

/**
 * Tables that are created together. `first`: the name of one of the tables. If this table exists, all tables of the
 * group exist.
 */
export type TableGroup = { readonly first: string; readonly create: readonly string[] };

export type Tables = {
  /** True after the first write. */
  readonly exist: () => boolean;
  /** Runs a query. Returns an empty list before the first write, because the tables do not exist yet. */
  readonly rows: <Result extends Row>(query: string, ...values: Values) => readonly Result[];
  readonly write: (query: string, ...values: Values) => void;
};

export type Store = {
  readonly tables: (group: TableGroup) => Tables;
  /** Writes everything in `work`, or nothing. */
  readonly atomically: <T>(work: () => T) => T;
  /** Deletes all rows and the alarm. */
  readonly reset: () => Promise<void>;
};

export function openStore(storage: DurableObjectStorage): Store {
  const { sql } = storage;
  /**
   * Whether each table group exists, by its first table. null: this must be checked again, because a rollback may have
   * removed the tables.
   */
  const existing = new Map<string, boolean | null>();
  const setAll = (exists: boolean | null): void => existing.forEach((_, first) => existing.set(first, exists));
  const exist = (first: string): boolean => {
    const cached = existing.get(first) ?? null;
    const exists = cached ?? sql.exec("SELECT 1 FROM sqlite_master WHERE name = ?", first).toArray().length > 0;
    existing.set(first, exists);
    return exists;
  };
  return {
    tables: ({ first, create }) => ({
      exist: () => exist(first),
      rows: <Result extends Row>(query: string, ...values: Values) =>
        exist(first) ? sql.exec<Result>(query, ...values).toArray() : [],
      write: (query, ...values) => {
        if (!exist(first)) for (const statement of create) sql.exec(statement);
        existing.set(first, true);
        sql.exec(query, ...values);
      },
    }),
    atomically: (work) => {
      try {
        return storage.transactionSync(work);
      } catch (fault) {
        setAll(null);
        throw fault;
      }
    },
    reset: () => {
      setAll(false);
      return storage.deleteAll();
    },
  };
}

/** The table in which an object stores single values as JSON. */
export const values: TableGroup = {
  first: "rows",
  create: ["CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT NOT NULL)"],
};

export type StoredValue<Value> = { readonly read: () => Value | null; readonly write: (value: Value) => void };

/** A single value, stored as JSON in the row `id` of the table `values`. */
export function storedValue<Value>({ rows, write }: Tables, id: number): StoredValue<Value> {
  return {
    read: () => {
      const [row] = rows<{ body: string }>("SELECT body FROM rows WHERE id = ?", id);
      return row === undefined ? null : (JSON.parse(row.body) as Value); // `write` wrote this JSON
    },
    write: (value) => {
      const upsert = "INSERT INTO rows VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body";
      write(upsert, id, JSON.stringify(value));
    },
  };
}
