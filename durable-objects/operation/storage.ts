// The operation object's one row. The table is made by the first write, so that asking for an operation that never was
// leaves nothing behind.
import type { OperationState } from "#policy/operations/pace.ts";

const ROW = 1;

export type OperationStorage = {
  readonly read: () => OperationState | null;
  readonly write: (state: OperationState) => void;
  /** All of `work` or none of it. */
  readonly atomically: (work: () => void) => void;
  /** All of it, and the alarm. */
  readonly reset: () => Promise<void>;
};

export function operationStorage(storage: DurableObjectStorage): OperationStorage {
  const { sql } = storage;
  let ready = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'rows'").toArray().length > 0;
  return {
    read: () => {
      if (!ready) return null;
      const [row] = sql.exec<{ body: string }>("SELECT body FROM rows WHERE id = ?", ROW).toArray();
      return row === undefined ? null : (JSON.parse(row.body) as OperationState); // written by write
    },
    write: (state) => {
      if (!ready) sql.exec("CREATE TABLE rows (id INTEGER PRIMARY KEY, body TEXT NOT NULL)");
      ready = true;
      const body = JSON.stringify(state);
      sql.exec("INSERT INTO rows VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body", ROW, body);
    },
    atomically: (work) => {
      const wasReady = ready;
      try {
        storage.transactionSync(work);
      } catch (fault) {
        // A table made in there went with the rest.
        ready = wasReady;
        throw fault;
      }
    },
    reset: async () => {
      ready = false;
      await storage.deleteAll();
    },
  };
}
