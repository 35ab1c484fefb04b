// Signer storage: the head, one row for each transaction in progress or not yet final, and one for each confirmed one.
// Those are kept permanently, because a run may be repeated after a year; they are read only on request.
import type { SignerState, Tx } from "#policy/gates/nonce.ts";

type Head = Omit<SignerState, "txs">;

export type SignerStorage = {
  /** With all transactions in progress. */
  readonly read: () => SignerState | null;
  readonly readConfirmed: (key: string) => Tx | null;
  /** Writes the changes: all of them or nothing. */
  readonly keep: (before: SignerState, after: SignerState) => void;
};

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
  const prepare = (): void => {
    if (ready) return;
    sql.exec("CREATE TABLE live (key TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID");
    sql.exec("CREATE TABLE done (key TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID");
    ready = true;
  };
  const keep = (before: SignerState, after: SignerState): void => {
    prepare();
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
      // With `kept` it is mined, but a reorganization may still undo it, so its row stays in "live" too.
      const { kept, ...done } = tx;
      if (kept === undefined) remove(key);
      else write("live", key, tx);
      if (before.txs[key]?.status !== "confirmed") write("done", key, done);
    }
  };
  return {
    read: () => {
      const head = body("live", HEAD);
      if (head === null) return null;
      const rows = sql.exec<{ key: string; body: string }>("SELECT key, body FROM live WHERE key <> ?", HEAD).toArray();
      const txs = Object.fromEntries(rows.map((row) => [row.key, JSON.parse(row.body) as Tx])); // written by keep
      return { ...(JSON.parse(head) as Head), txs }; // written by keep
    },
    readConfirmed: (key) => {
      const found = body("done", key);
      return found === null ? null : (JSON.parse(found) as Tx); // written by keep
    },
    keep: (before, after) => {
      if (before === after) return;
      const wasReady = ready;
      try {
        storage.transactionSync(() => keep(before, after));
      } catch (fault) {
        // Tables created within it were rolled back too.
        ready = wasReady;
        throw fault;
      }
    },
  };
}

function isSameHead({ txs: _before, ...before }: SignerState, { txs: _after, ...after }: SignerState): boolean {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof Head>; // of both, which are heads
  return [...names].every((name) => before[name] === after[name]);
}
