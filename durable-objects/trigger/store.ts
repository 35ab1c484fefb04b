// The tables of a trigger's object, and the way to them. A delivery is one row and stays as it was taken; what is on its way
// has a row in `pending` besides, so that arriving costs one row and not a rewrite. Tables are made by the first write.
import type { TriggerTerms } from "#schema/inbound/delivery.ts";

const TABLES = [
  // The id is the number. `status` is the one it was given when it was taken, or when it came to rest otherwise.
  `CREATE TABLE deliveries (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, identity TEXT NOT NULL, status TEXT NOT NULL,
    execution TEXT, event TEXT, effect TEXT, place TEXT, reason TEXT, request TEXT)`,
  // Twice is once: found by it, and refused by it.
  "CREATE UNIQUE INDEX deliveries_identity ON deliveries (identity)",
  // For people: those that wait for one, or did nothing. What was applied costs no row here.
  "CREATE INDEX deliveries_status ON deliveries (status, seq) WHERE status <> 'applied'",
  // `since`: from when on it is tried; a replayed delivery is tried anew.
  "CREATE TABLE pending (seq INTEGER PRIMARY KEY, due INTEGER NOT NULL, tries INTEGER NOT NULL, since INTEGER NOT NULL)",
  "CREATE TABLE places (name TEXT PRIMARY KEY, value TEXT NOT NULL, seq INTEGER NOT NULL) WITHOUT ROWID",
  `CREATE TABLE counts (id INTEGER PRIMARY KEY, stuck INTEGER NOT NULL, bytes INTEGER NOT NULL, emptied INTEGER NOT NULL,
    owner TEXT NOT NULL)`,
];

/** Whose object it is. */
export type Owner = Pick<TriggerTerms, "tenant" | "trigger" | "kind">;
export type Raw = { readonly [column: string]: SqlStorageValue };
export type Store = ReturnType<typeof openStore>;

export function openStore(storage: DurableObjectStorage) {
  const { sql } = storage;
  let ready = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'counts'").toArray().length > 0;
  const all = (query: string, ...values: SqlStorageValue[]): readonly Raw[] =>
    ready ? sql.exec<Raw>(query, ...values).toArray() : [];
  const first = (query: string, ...values: SqlStorageValue[]): Raw | null => all(query, ...values)[0] ?? null;
  return {
    all,
    first,
    run: (query: string, ...values: SqlStorageValue[]): void => void sql.exec(query, ...values),
    /** All of `work` or none of it. */
    atomically: <T>(work: () => T): T => {
      const wasReady = ready;
      try {
        return storage.transactionSync(work);
      } catch (fault) {
        ready = wasReady;
        throw fault;
      }
    },
    /** Whose it is: an alarm says nothing of that. */
    prepare: (owner: Owner): void => {
      if (ready) return;
      for (const table of TABLES) sql.exec(table);
      sql.exec("INSERT INTO counts VALUES (1, 0, 0, 0, ?)", JSON.stringify(owner));
      ready = true;
    },
    owner: (): Owner | null => {
      const row = first("SELECT owner FROM counts");
      return row && (JSON.parse(String(row["owner"])) as Owner); // written by prepare
    },
    /** All of it, and the alarm. */
    reset: async (): Promise<void> => {
      ready = false;
      await storage.deleteAll();
    },
  };
}
