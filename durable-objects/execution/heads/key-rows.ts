// Key rows: reads ids and wakes of head rows without reading the heads.
import { dedupDigest } from "#schema/ids.ts";
import { DEDUP_LATEST_MAX } from "#schema/limits/idempotency-keys.ts";
import type { Quarantined } from "#schema/engine/quarantine.ts";
import { parts } from "./resident-rows.ts";

export type HeadKey = {
  readonly execution: string;
  readonly wakeAt: number | null;
  readonly turn: number;
  readonly sent: number;
};

export type StoredKey = HeadKey & { readonly quarantined?: Quarantined };

export type KeyRows = {
  readonly heads: () => readonly StoredKey[];
  /** Keys of those that exist here. */
  readonly keys: (executions: readonly string[]) => readonly StoredKey[];
  readonly hasHeads: () => boolean;
  /** The latest actions with the dedup key of this one's id. */
  readonly sameKey: (execution: string) => readonly string[];
  /** Executions whose client-chosen keys are in this range, in order of their ids, after `after`. */
  readonly keyed: (stretch: KeyStretch, after: string | null, count: number) => readonly string[];
};

/** `to` is exclusive; null: to the end. */
export type KeyStretch = { readonly from: string; readonly to: string | null };

/** `isReady`: the table exists. */
export function keyRows(sql: SqlStorage, isReady: () => boolean): KeyRows {
  return {
    heads: () => (isReady() ? storedKeys(sql) : []),
    keys: (executions) => (isReady() ? parts(executions).flatMap((part) => storedKeys(sql, part)) : []),
    hasHeads: () => isReady() && sql.exec("SELECT 1 FROM rows WHERE turn > 0 LIMIT 1").toArray().length > 0,
    sameKey: (execution) => {
      const digest = dedupDigest(execution);
      return isReady() && digest !== null ? latestOf(sql, digest) : [];
    },
    keyed: (stretch, after, count) => (isReady() ? keyedIn(sql, stretch, after ?? "", count) : []),
  };
}

type KeyRow = { execution: string; wake_at: number | null; turn: number; sent: number; apart: string | null };

/** Keys of all executions, or of these. */
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

/** The time follows the digest, so ids of one key sort by time. */
function latestOf(sql: SqlStorage, digest: string): readonly string[] {
  const query = `SELECT execution FROM rows WHERE execution > ? AND execution < ? AND page = 0
    ORDER BY execution DESC LIMIT ?`;
  const found = sql.exec<{ execution: string }>(query, `exe_d${digest}`, `exe_d${digest}~`, DEDUP_LATEST_MAX);
  return found.toArray().map(({ execution }) => execution);
}

/** Ids that a key has chosen begin with the key's digest: first those of dedup keys, then all others. */
function keyedIn(sql: SqlStorage, { from, to }: KeyStretch, after: string, count: number): readonly string[] {
  const query = `SELECT execution FROM rows WHERE execution > ? AND execution < ? AND page = 0
    ORDER BY execution LIMIT ?`;
  const found: string[] = [];
  for (const kind of ["exe_d", "exe_k"]) {
    const beyond = to === null ? `${kind}~` : kind + to;
    const before = after > kind + from ? after : kind + from;
    const some = sql.exec<{ execution: string }>(query, before, beyond, count - found.length);
    found.push(...some.toArray().map(({ execution }) => execution));
  }
  return found;
}
