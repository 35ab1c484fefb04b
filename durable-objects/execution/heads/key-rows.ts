// Key rows: reads the ids and wakes of head rows, without the heads themselves.
import { dedupDigest } from "#schema/ids.ts";
import { DEDUP_LATEST_MAX } from "#schema/limits/executions.ts";
import type { QuarantineEntry } from "#schema/engine/quarantine.ts";
import { rowChunks } from "./resident-rows.ts";

/** `wakeAt`: epoch ms, null without a wake. `turn` and `sent`: see turn-counter.ts. */
export type HeadKey = {
  readonly execution: string;
  readonly wakeAt: number | null;
  readonly turn: number;
  readonly sent: number;
};

export type StoredKey = HeadKey & { readonly quarantined?: QuarantineEntry };

export type KeyRows = {
  /** Returns the keys of all executions of the cell. */
  readonly heads: () => readonly StoredKey[];
  /** Returns the keys of these executions. Executions that the cell does not have are left out. */
  readonly keys: (executions: readonly string[]) => readonly StoredKey[];
  readonly hasHeads: () => boolean;
  /** Returns the latest actions that have the same dedup key as this id. */
  readonly sameDedupKey: (execution: string) => readonly string[];
  /**
   * Returns at most `count` executions whose client-chosen key is in the range, ordered by id. `after`: the last id of
   * the previous page.
   */
  readonly idsInRange: (range: KeyRange, after: string | null, count: number) => readonly string[];
};

/** A range of key digests. `to` is exclusive; null: the range has no end. */
export type KeyRange = { readonly from: string; readonly to: string | null };

/** `isReady` returns whether the table exists. */
export function keyRows(sql: SqlStorage, isReady: () => boolean): KeyRows {
  return {
    heads: () => (isReady() ? storedKeys(sql) : []),
    keys: (executions) => (isReady() ? rowChunks(executions).flatMap((chunk) => storedKeys(sql, chunk)) : []),
    hasHeads: () => isReady() && sql.exec("SELECT 1 FROM rows WHERE turn > 0 LIMIT 1").toArray().length > 0,
    sameDedupKey: (execution) => {
      const digest = dedupDigest(execution);
      return isReady() && digest !== null ? latestOf(sql, digest) : [];
    },
    idsInRange: (range, after, count) => (isReady() ? idsInRange(sql, range, after ?? "", count) : []),
  };
}

type KeyRow = { execution: string; wake_at: number | null; turn: number; sent: number; quarantined: string | null };

/** Returns the keys of these executions, or of all executions if `executions` is absent. */
function storedKeys(sql: SqlStorage, executions?: readonly string[]): readonly StoredKey[] {
  const columns = `h.execution, h.wake_at, h.turn, h.sent,
    (SELECT body FROM rows q WHERE q.execution = h.execution AND page = -1) AS quarantined`;
  const rows = executions
    ? sql.exec<KeyRow>(
        `SELECT ${columns} FROM json_each(?) wanted CROSS JOIN rows h
         ON h.execution = wanted.value AND h.page = 0 AND h.turn > 0`,
        JSON.stringify(executions),
      )
    : sql.exec<KeyRow>(`SELECT ${columns} FROM rows h WHERE h.page = 0 AND h.turn > 0`);
  return rows.toArray().map(({ wake_at: wakeAt, quarantined, ...rest }) => ({
    ...rest,
    wakeAt,
    ...(quarantined === null ? {} : { quarantined: JSON.parse(quarantined) as QuarantineEntry }), // `writeQuarantine` wrote this JSON
  }));
}

/** In an id, the time follows the digest, so the ids of one dedup key sort by time. */
function latestOf(sql: SqlStorage, digest: string): readonly string[] {
  const query = `SELECT execution FROM rows WHERE execution > ? AND execution < ? AND page = 0
    ORDER BY execution DESC LIMIT ?`;
  const rows = sql.exec<{ execution: string }>(query, `exe_d${digest}`, `exe_d${digest}~`, DEDUP_LATEST_MAX);
  return rows.toArray().map(({ execution }) => execution);
}

/** An id with a client-chosen key begins with `exe_d` for a dedup key, else with `exe_k`; the key's digest follows. */
function idsInRange(sql: SqlStorage, { from, to }: KeyRange, after: string, count: number): readonly string[] {
  const query = `SELECT execution FROM rows WHERE execution > ? AND execution < ? AND page = 0
    ORDER BY execution LIMIT ?`;
  const ids: string[] = [];
  for (const prefix of ["exe_d", "exe_k"]) {
    const end = to === null ? `${prefix}~` : prefix + to;
    const begin = after > prefix + from ? after : prefix + from;
    const rows = sql.exec<{ execution: string }>(query, begin, end, count - ids.length);
    ids.push(...rows.toArray().map(({ execution }) => execution));
  }
  return ids;
}
