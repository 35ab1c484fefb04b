// Key rows: the state of each key of a limit. The first write creates the table, so that a read leaves no storage
// behind. No index and no alarm is needed: each new key checks a few other rows for expiry, in the order of their names.
import type { KeyLimitState } from "#policy/gates/by-key/state.ts";
import { LIMIT_KEYS_SWEPT } from "#schema/limits/limits-by-key.ts";

export type KeyRows = {
  readonly get: (key: string) => KeyLimitState | null;
  readonly put: (key: string, state: KeyLimitState, at: { readonly expiresAt: number; readonly now: number }) => void;
  readonly drop: (key: string) => void;
};

export function keyRows({ sql }: Pick<DurableObjectStorage, "sql">): KeyRows {
  let ready = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'keys'").toArray().length > 0;
  let sweptTo = "";
  const get = (key: string): KeyLimitState | null => {
    if (!ready) return null;
    const [row] = sql.exec<{ body: string }>("SELECT body FROM keys WHERE name = ?", key).toArray();
    return row === undefined ? null : (JSON.parse(row.body) as KeyLimitState); // `put` wrote this JSON
  };
  const drop = (key: string): void => {
    if (ready) sql.exec("DELETE FROM keys WHERE name = ?", key);
  };
  const sweep = (now: number): void => {
    const query = "SELECT name, expires_at AS expiresAt FROM keys WHERE name > ? ORDER BY name LIMIT ?";
    const rows = sql.exec<{ name: string; expiresAt: number }>(query, sweptTo, LIMIT_KEYS_SWEPT).toArray();
    for (const { name, expiresAt } of rows) if (expiresAt <= now) drop(name);
    sweptTo = rows.length < LIMIT_KEYS_SWEPT ? "" : (rows.at(-1)?.name ?? "");
  };
  return {
    get,
    put: (key, state, { expiresAt, now }) => {
      if (!ready) createTable(sql);
      ready = true;
      const isNew = sql.exec("SELECT 1 FROM keys WHERE name = ?", key).toArray().length === 0;
      const upsert =
        "INSERT INTO keys VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET body = excluded.body, expires_at = excluded.expires_at";
      sql.exec(upsert, key, JSON.stringify(state), expiresAt);
      if (isNew) sweep(now);
    },
    drop,
  };
}

/** WITHOUT ROWID, so that a change writes a single row and no index. */
function createTable(sql: SqlStorage): void {
  sql.exec(
    "CREATE TABLE keys (name TEXT PRIMARY KEY, body TEXT NOT NULL, expires_at REAL NOT NULL) WITHOUT ROWID, STRICT",
  );
}
