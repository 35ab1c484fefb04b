// An object's storage over SQLite in memory, in Node, for tests that need only rows and transactions.
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

export type SqliteStorage = {
  readonly storage: DurableObjectStorage;
  /** Called inside each transaction after all writes; throwing rolls it back. */
  beforeCommit: () => void;
};

export function sqliteStorage(): SqliteStorage {
  const db = new DatabaseSync(":memory:");
  const statements = new Map<string, StatementSync>();
  const exec = (query: string, ...values: SQLInputValue[]) => {
    const statement = statements.get(query) ?? db.prepare(query);
    statements.set(query, statement);
    const rows = statement.all(...values);
    return { toArray: () => rows };
  };
  const made = {
    beforeCommit: () => {},
    storage: {
      sql: { exec },
      deleteAll: async () => {
        const tables = exec("SELECT name FROM sqlite_master WHERE type = 'table'").toArray();
        for (const { name } of tables) db.exec(`DROP TABLE ${String(name)}`);
      },
      transactionSync: <T>(work: () => T): T => {
        db.exec("BEGIN");
        try {
          const done = work();
          made.beforeCommit();
          db.exec("COMMIT");
          return done;
        } catch (fault) {
          db.exec("ROLLBACK");
          throw fault;
        }
      },
    } as unknown as DurableObjectStorage, // only the parts that rows need
  };
  return made;
}
