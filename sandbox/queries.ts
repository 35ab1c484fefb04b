// Tables and queries of the sandbox's store: all of its SQL.
import { rangeOf } from "./pattern.ts";
import type { Received } from "./receive.ts";

// AUTOINCREMENT never reuses an id. An `after` cursor therefore stays valid after rows are deleted.
export const tables = `
  CREATE TABLE IF NOT EXISTS scripts (path TEXT PRIMARY KEY, script TEXT NOT NULL, matched INTEGER NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS requests (
    id INTEGER PRIMARY KEY AUTOINCREMENT, at INTEGER NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL,
    query TEXT NOT NULL, headers TEXT NOT NULL, body TEXT NOT NULL, bodyBytes INTEGER NOT NULL,
    key TEXT, effect TEXT, attempt INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX IF NOT EXISTS requestsByKey ON requests (path, key);
  CREATE TABLE IF NOT EXISTS kept (key TEXT PRIMARY KEY, value TEXT NOT NULL, until INTEGER) STRICT;
`;

export interface PageQuery {
  readonly path?: string;
  readonly limit: number;
  /**
   * The cursor: the page contains rows with a greater id. Default: the page contains the latest rows. In both cases the
   * newest row is last.
   */
  readonly after?: number;
}
export interface RequestQuery extends PageQuery {
  readonly key?: string;
}
export interface EffectQuery extends PageQuery {
  readonly minKeys: number;
}

/**
 * Returns how many earlier requests reached this path with this idempotency key. For the key null, counts the requests
 * without a key.
 */
export function attemptsOf(sql: SqlStorage, path: string, key: string | null): number {
  const last = "SELECT attempt FROM requests WHERE path = ? AND key IS ? ORDER BY id DESC LIMIT 1";
  return sql.exec<{ attempt: number }>(last, path, key).toArray()[0]?.attempt ?? 0;
}

export function insertRequest(sql: SqlStorage, received: Received, attempt: number): number {
  const { at, method, path, query, body, bodyBytes, key, effect } = received;
  const headers = JSON.stringify(received.headers);
  const insert = `INSERT INTO requests (at, method, path, query, headers, body, bodyBytes, key, effect, attempt)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id`;
  const values = [at, method, path, query, headers, body, bodyBytes, key, effect, attempt];
  return sql.exec<{ id: number }>(insert, ...values).one().id;
}

/**
 * Stores the value under the key, unless the key already has a value. Returns the stored value. `until`: when the value
 * expires, in epoch ms; null if it never expires.
 */
export function storeOnce(sql: SqlStorage, key: string, value: string, until: number | null, now: number): string {
  sql.exec("DELETE FROM kept WHERE key = ? AND until <= ?", key, now);
  sql.exec("INSERT OR IGNORE INTO kept (key, value, until) VALUES (?, ?, ?)", key, value, until);
  return storedValue(sql, key, now) ?? value;
}

export function storeValue(sql: SqlStorage, key: string, value: string): void {
  sql.exec("INSERT OR REPLACE INTO kept (key, value, until) VALUES (?, ?, NULL)", key, value);
}

export function storedValue(sql: SqlStorage, key: string, now: number): string | null {
  const select = "SELECT value FROM kept WHERE key = ? AND (until IS NULL OR until > ?)";
  return sql.exec<{ value: string }>(select, key, now).toArray()[0]?.value ?? null;
}

export function countMatch(sql: SqlStorage, path: string): number {
  const count = "UPDATE scripts SET matched = matched + 1 WHERE path = ? RETURNING matched";
  return sql.exec<{ matched: number }>(count, path).one().matched;
}

export function clearRequests(sql: SqlStorage, path?: string): number {
  const { low, high } = rangeOf(path);
  const total = countOf(sql, "SELECT id FROM requests WHERE path BETWEEN ? AND ?", [low, high]);
  sql.exec("DELETE FROM requests WHERE path BETWEEN ? AND ?", low, high);
  return total;
}

export function listRequests(sql: SqlStorage, query: RequestQuery) {
  const { low, high } = rangeOf(query.path);
  const select = "SELECT * FROM requests WHERE path BETWEEN ? AND ? AND (? IS NULL OR key = ?)";
  const key = query.key ?? null;
  const { rows, total } = pageOf<RequestRow>(sql, select, [low, high, key, key], "id", query);
  // Headers are strings; insertRequest wrote them as JSON.
  const requests = rows.map((row) => ({ ...row, headers: JSON.parse(row.headers) as Record<string, string> }));
  return { requests, total };
}

export interface ItemQuery {
  readonly path: string;
  readonly after: number | null;
  readonly limit: number;
  readonly isNewestFirst: boolean;
}

/** Returns the items that were posted to a list. */
export function listItems(sql: SqlStorage, { path, after, limit, isNewestFirst }: ItemQuery) {
  const [is, order] = isNewestFirst ? ["<", "DESC"] : [">", "ASC"];
  const select = `SELECT id, body FROM requests WHERE path = ? AND method = 'POST' AND (? IS NULL OR id ${is} ?)
    ORDER BY id ${order} LIMIT ?`;
  return sql.exec<{ id: number; body: string }>(select, path, after, after, limit).toArray();
}

export function listKeys(sql: SqlStorage, query: PageQuery) {
  const { low, high } = rangeOf(query.path);
  const select = `SELECT key, count(*) AS requests, count(DISTINCT body) AS bodies, min(id) AS firstId
    FROM requests WHERE path BETWEEN ? AND ? GROUP BY key`;
  const { rows, total } = pageOf<KeyRow>(sql, select, [low, high], "firstId", query);
  return { keys: rows, total };
}

/**
 * Lists effects with their idempotency keys. An effect that happened under two keys happened twice. An effect's name is
 * the X-Effect header, or the path and the body without that header.
 */
export function listEffects(sql: SqlStorage, query: EffectQuery) {
  const { low, high } = rangeOf(query.path);
  const select = `SELECT coalesce(effect, path || ' ' || body) AS name, count(*) AS requests, min(id) AS firstId,
      json_group_array(DISTINCT key) FILTER (WHERE key IS NOT NULL) AS keys, count(*) - count(key) AS keyless
    FROM requests WHERE path BETWEEN ? AND ? GROUP BY name HAVING count(DISTINCT key) >= ?`;
  const { rows, total } = pageOf<EffectRow>(sql, select, [low, high, query.minKeys], "firstId", query);
  // The column contains the result of json_group_array over a text column, so the parsed value is a list of strings.
  const effects = rows.map(({ name, keys, ...row }) => ({ effect: name, keys: JSON.parse(keys) as string[], ...row }));
  return { effects, total };
}

type RequestRow = Omit<Received, "headers"> & { id: number; attempt: number; headers: string };
type KeyRow = { key: string | null; requests: number; bodies: number; firstId: number };
type EffectRow = { name: string; requests: number; firstId: number; keys: string; keyless: number };

type Row = Record<string, SqlStorageValue>;

function pageOf<T extends Row>(sql: SqlStorage, select: string, args: SqlStorageValue[], id: string, query: PageQuery) {
  const order = query.after === undefined ? "DESC" : "ASC";
  const page = `SELECT * FROM (${select}) WHERE ${id} > ? ORDER BY ${id} ${order} LIMIT ?`;
  const rows = sql.exec<T>(`SELECT * FROM (${page}) ORDER BY ${id}`, ...args, query.after ?? 0, query.limit).toArray();
  return { rows, total: countOf(sql, select, args) };
}

const countOf = (sql: SqlStorage, select: string, args: SqlStorageValue[]) =>
  sql.exec<{ total: number }>(`SELECT count(*) AS total FROM (${select})`, ...args).one().total;
