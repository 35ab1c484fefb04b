// Signer rows: the signer's state, a row for each transaction in progress, and a row for each confirmed transaction.
// Confirmed transactions are never deleted, because a run may be repeated after a year. They are read only on request.
import type { SignerState, Tx } from "#policy/gates/nonce.ts";

/** The signer's state without its transactions. */
type Head = Omit<SignerState, "txs">;

export type SignerStorage = {
  /** Returns the state with all transactions in progress; null before the first write. */
  readonly read: () => SignerState | null;
  readonly readConfirmed: (key: string) => Tx | null;
  /** Writes all differences between the two states, or nothing. */
  readonly keep: (before: SignerState, after: SignerState) => void;
};

/** The key of the head's row in the table `live`. */
const HEAD = "";

export function signerStorage(storage: DurableObjectStorage): SignerStorage {
  const { sql } = storage;
  let ready = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'live'").toArray().length > 0;
  const body = (table: "live" | "done", key: string): string | null => {
    if (!ready) return null;
    return sql.exec<{ body: string }>(`SELECT body FROM ${table} WHERE key = ?`, key).toArray()[0]?.body ?? null;
  };
  const write = (table: "live" | "done", key: string, value: unknown): void => {
    const text = JSON.stringify(value);
    sql.exec(`INSERT INTO ${table} VALUES (?, ?) ON CONFLICT DO UPDATE SET body = excluded.body`, key, text);
  };
  const remove = (key: string): void => void sql.exec("DELETE FROM live WHERE key = ?", key);
  const createTables = (): void => {
    if (ready) return;
    sql.exec("CREATE TABLE live (key TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID");
    sql.exec("CREATE TABLE done (key TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID");
    ready = true;
  };
  const writeChanges = (before: SignerState, after: SignerState): void => {
    createTables();
    if (!isSameHead(before, after) || body("live", HEAD) === null) {
      const { txs: _txs, ...head } = after;
      write("live", HEAD, head);
    }
    for (const key of Object.keys(before.txs)) if (!Object.hasOwn(after.txs, key)) remove(key);
    for (const [key, tx] of Object.entries(after.txs)) {
      if (tx === before.txs[key]) continue;
      if (tx.status !== "confirmed") {
        write("live", key, tx);
        continue;
      }
      // A transaction with `kept` is confirmed but not final: a reorganization may undo it. It stays in "live" as well.
      const { kept, ...confirmed } = tx;
      if (kept === undefined) remove(key);
      else write("live", key, tx);
      if (before.txs[key]?.status !== "confirmed") write("done", key, confirmed);
    }
  };
  return {
    read: () => {
      const head = body("live", HEAD);
      if (head === null) return null;
      const rows = sql.exec<{ key: string; body: string }>("SELECT key, body FROM live WHERE key <> ?", HEAD).toArray();
      const txs = Object.fromEntries(rows.map((row) => [row.key, JSON.parse(row.body) as Tx])); // `keep` wrote this JSON
      return { ...(JSON.parse(head) as Head), txs }; // `keep` wrote this JSON
    },
    readConfirmed: (key) => {
      const confirmed = body("done", key);
      return confirmed === null ? null : (JSON.parse(confirmed) as Tx); // `keep` wrote this JSON
    },
    keep: (before, after) => {
      if (before === after) return;
      const wasReady = ready;
      try {
        storage.transactionSync(() => writeChanges(before, after));
      } catch (fault) {
        // The rollback also removed tables that were created in the transaction.
        ready = wasReady;
        throw fault;
      }
    },
  };
}

function isSameHead({ txs: _before, ...before }: SignerState, { txs: _after, ...after }: SignerState): boolean {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof Head>; // these are the keys of two heads
  return [...names].every((name) => before[name] === after[name]);
}
