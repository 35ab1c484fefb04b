// Rows of an object. Tables are created by the first write, so that reading an object that was never written leaves
// nothing behind.

export type Values = readonly SqlStorageValue[];
export type Row = Record<string, SqlStorageValue>;

/** Tables that are created together. `first` is the name of one of them. */
export type TableGroup = { readonly first: string; readonly create: readonly string[] };

export type Tables = {
  readonly isThere: () => boolean;
  /** None before the first write. */
  readonly rows: <Found extends Row>(query: string, ...values: Values) => readonly Found[];
  readonly write: (query: string, ...values: Values) => void;
};

export type Store = {
  readonly tables: (group: TableGroup) => Tables;
  /** All of `work` or nothing. */
  readonly atomically: <T>(work: () => T) => T;
  /** Deletes all rows and the alarm. */
  readonly reset: () => Promise<void>;
};

export function openStore(storage: DurableObjectStorage): Store {
  const { sql } = storage;
  /** By the first table; null: to be read again, because a transaction that created tables may have been undone. */
  const areThere = new Map<string, boolean | null>();
  const setAll = (isThere: boolean | null): void => areThere.forEach((_was, first) => areThere.set(first, isThere));
  const isThere = (first: string): boolean => {
    const known = areThere.get(first) ?? null;
    const found = known ?? sql.exec("SELECT 1 FROM sqlite_master WHERE name = ?", first).toArray().length > 0;
    areThere.set(first, found);
    return found;
  };
  return {
    tables: ({ first, create }) => ({
      isThere: () => isThere(first),
      rows: <Found extends Row>(query: string, ...values: Values) =>
        isThere(first) ? sql.exec<Found>(query, ...values).toArray() : [],
      write: (query, ...values) => {
        if (!isThere(first)) for (const statement of create) sql.exec(statement);
        areThere.set(first, true);
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

/** The table of stored values. */
export const values: TableGroup = {
  first: "rows",
  create: ["CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT NOT NULL)"],
};

export type StoredValue<Value> = { readonly read: () => Value | null; readonly write: (value: Value) => void };

/** One value as JSON, under a number of its own; `tables` have the one of `values`. */
export function storedValue<Value>({ rows, write }: Tables, id: number): StoredValue<Value> {
  return {
    read: () => {
      const [row] = rows<{ body: string }>("SELECT body FROM rows WHERE id = ?", id);
      return row === undefined ? null : (JSON.parse(row.body) as Value); // written by write
    },
    write: (value) => {
      const upsert = "INSERT INTO rows VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body";
      write(upsert, id, JSON.stringify(value));
    },
  };
}
