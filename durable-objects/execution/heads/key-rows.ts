// What is read of head rows without reading the heads: who is there, and when they must be looked at.
import { dedupDigest } from "#schema/ids.ts";
import { DEDUP_LATEST_MAX } from "#schema/limits/objects.ts";
import type { Quarantined } from "#schema/engine/quarantine.ts";
import { parts } from "./roll-rows.ts";

export type HeadKey = {
  readonly execution: string;
  readonly wakeAt: number | null;
  readonly turn: number;
  readonly sent: number;
};

export type StoredKey = HeadKey & { readonly quarantined?: Quarantined };

export type KeyRows = {
  readonly heads: () => readonly StoredKey[];
  /** Of these, as far as they are here. */
  readonly keys: (executions: readonly string[]) => readonly StoredKey[];
  readonly hasHeads: () => boolean;
  /** The latest actions with the dedup key of this one's id. */
  readonly sameKey: (execution: string) => readonly string[];
};

/** `isReady`: there is a table. */
export function keyRows(sql: SqlStorage, isReady: () => boolean): KeyRows {
  return {
    heads: () => (isReady() ? storedKeys(sql) : []),
    keys: (executions) => (isReady() ? parts(executions).flatMap((part) => storedKeys(sql, part)) : []),
    hasHeads: () => isReady() && sql.exec("SELECT 1 FROM rows WHERE turn > 0 LIMIT 1").toArray().length > 0,
    sameKey: (execution) => {
      const digest = dedupDigest(execution);
      return isReady() && digest !== null ? latestOf(sql, digest) : [];
    },
  };
}

type KeyRow = { execution: string; wake_at: number | null; turn: number; sent: number; apart: string | null };

/** Of all of them, or of these. */
function storedKeys(sql: SqlStorage, executions?: readonly string[]): readonly StoredKey[] {
  const columns = `h.execution, h.wake_at, h.turn, h.sent,
    (SELECT body FROM rows q WHERE q.execution = h.execution AND page = -1) AS apart`;
  const found = executions
    ? sql.exec<KeyRow>(
        `SELECT ${columns} FROM json_each(?) asked CROSS JOIN rows h
         ON h.execution = asked.value AND h.page = 0 AND h.turn > 0`,
        JSON.stringify(executions),
      )
    : sql.exec<KeyRow>(`SELECT ${columns} FROM rows h WHERE h.page = 0 AND h.turn > 0`);
  return found.toArray().map(({ wake_at: wakeAt, apart, ...rest }) => ({
    ...rest,
    wakeAt,
    ...(apart === null ? {} : { quarantined: JSON.parse(apart) as Quarantined }), // stored from one
  }));
}

/** The time comes after the digest: ids of one key stand in the order of time. */
function latestOf(sql: SqlStorage, digest: string): readonly string[] {
  const query = `SELECT execution FROM rows WHERE execution > ? AND execution < ? AND page = 0
    ORDER BY execution DESC LIMIT ?`;
  const found = sql.exec<{ execution: string }>(query, `exe_d${digest}`, `exe_d${digest}~`, DEDUP_LATEST_MAX);
  return found.toArray().map(({ execution }) => execution);
}
