// What a directory stores: a row for each execution that is to be found, and one for each event that was posted. Tables are
// made by the first write, so that asking one that knows nobody leaves nothing behind.
import type { Member, PostedQuery, PostedRow } from "#schema/directory/calls.ts";

type Members = {
  readonly member: (execution: string) => Member | null;
  /** `at`: when it left, where it is one no longer. */
  readonly putMember: (member: Member, at: number) => void;
  readonly members: (key: string, limit: number) => readonly Member[];
  /** Executions that left before then. */
  readonly purgeLeft: (before: number, limit: number) => void;
  readonly oldestLeft: () => number | null;
};
type Events = {
  readonly posted: (id: string) => PostedRow | null;
  readonly putPosted: (row: PostedRow) => void;
  readonly dropPosted: (id: string) => void;
  /** Lets go of the oldest that are over, where there are more than `max` in all. */
  readonly crowdOut: (max: number, limit: number) => void;
  /** Those that wait for a key, the oldest first. */
  readonly keptFor: (key: string, limit: number) => readonly PostedRow[];
  readonly countKept: () => number;
  /** The one that has been due longest. */
  readonly due: (now: number) => PostedRow | null;
  readonly nextDue: () => number | null;
  readonly list: (query: PostedQuery) => readonly PostedRow[];
};
export type DirectoryStorage = Members &
  Events & {
    /** All of `work` or none of it. */
    readonly atomically: (work: () => void) => void;
  };

type Given = readonly SqlStorageValue[];
type Tables = {
  readonly rows: <Row extends Record<string, SqlStorageValue>>(query: string, ...given: Given) => readonly Row[];
  readonly write: (query: string, ...given: Given) => void;
};

export function directoryStorage(storage: DurableObjectStorage): DirectoryStorage {
  const { sql } = storage;
  let ready = sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'members'").toArray().length > 0;
  const tables: Tables = {
    rows: <Row extends Record<string, SqlStorageValue>>(query: string, ...given: Given) =>
      ready ? sql.exec<Row>(query, ...given).toArray() : [],
    write: (query, ...given) => {
      if (!ready) make(sql);
      ready = true;
      sql.exec(query, ...given);
    },
  };
  return {
    ...openMembers(tables),
    ...openEvents(tables),
    atomically: (work) => {
      const wasReady = ready;
      try {
        storage.transactionSync(work);
      } catch (fault) {
        // Tables made in there went with the rest.
        ready = wasReady;
        throw fault;
      }
    },
  };
}

type Instant = { readonly at: number | null };
type MemberRow = {
  readonly execution: string;
  readonly incarnation: number;
  readonly key: string | null;
  readonly since: number;
};

function openMembers({ rows, write }: Tables): Members {
  const columns = "execution, incarnation, key, since";
  return {
    member: (execution) => rows<MemberRow>(`SELECT ${columns} FROM members WHERE execution = ?`, execution)[0] ?? null,
    putMember: ({ execution, incarnation, key, since }, at) => {
      const leftAt = key === null ? at : null;
      write("INSERT OR REPLACE INTO members VALUES (?, ?, ?, ?, ?)", execution, incarnation, key, since, leftAt);
    },
    members: (key, limit) => rows<MemberRow>(`SELECT ${columns} FROM members WHERE key = ? LIMIT ?`, key, limit),
    purgeLeft: (before, limit) => {
      const left = "SELECT execution FROM members WHERE left_at < ? LIMIT ?";
      if (rows(left, before, 1).length > 0) write(`DELETE FROM members WHERE execution IN (${left})`, before, limit);
    },
    oldestLeft: () => rows<Instant>("SELECT min(left_at) AS at FROM members WHERE left_at IS NOT NULL")[0]?.at ?? null,
  };
}

function openEvents({ rows, write }: Tables): Events {
  const found = (query: string, ...given: Given): readonly PostedRow[] =>
    rows<{ body: string }>(query, ...given).map(({ body }) => JSON.parse(body) as PostedRow); // written by putPosted
  const count = (where: string): number => rows<{ n: number }>(`SELECT count(*) AS n FROM posted ${where}`)[0]?.n ?? 0;
  return {
    posted: (id) => found("SELECT body FROM posted WHERE id = ?", id)[0] ?? null,
    putPosted: (row) => {
      const { event, at, status, dueAt } = row;
      const put = "INSERT OR REPLACE INTO posted VALUES (?, ?, ?, ?, ?, ?)";
      write(put, event.id, event.key, status, at, dueAt, JSON.stringify(row));
    },
    dropPosted: (id) => write("DELETE FROM posted WHERE id = ?", id),
    crowdOut: (max, limit) => {
      if (count("") <= max) return;
      const over = "SELECT id FROM posted WHERE status IN ('delivered', 'undeliverable') ORDER BY at LIMIT ?";
      write(`DELETE FROM posted WHERE id IN (${over})`, limit);
    },
    keptFor: (key, limit) =>
      found("SELECT body FROM posted WHERE key = ? AND status = 'kept' ORDER BY at, id LIMIT ?", key, limit),
    countKept: () => count("WHERE status = 'kept'"),
    due: (now) => found("SELECT body FROM posted WHERE due_at <= ? ORDER BY due_at, at, id LIMIT 1", now)[0] ?? null,
    nextDue: () => rows<Instant>("SELECT min(due_at) AS at FROM posted")[0]?.at ?? null,
    list: ({ key, status, before, limit }) =>
      found(
        `SELECT body FROM posted WHERE (?1 IS NULL OR key = ?1) AND (?2 IS NULL OR status = ?2) AND (at, id) < (?3, ?4)
         ORDER BY at DESC, id DESC LIMIT ?5`,
        ...[key, status, before?.at ?? Number.MAX_SAFE_INTEGER, before?.id ?? "", limit],
      ),
  };
}

function make(sql: SqlStorage): void {
  const member =
    "execution TEXT PRIMARY KEY, incarnation INTEGER NOT NULL, key TEXT, since INTEGER NOT NULL, left_at INTEGER";
  sql.exec(`CREATE TABLE members (${member}) WITHOUT ROWID, STRICT`);
  sql.exec("CREATE INDEX members_key ON members (key) WHERE key IS NOT NULL");
  sql.exec("CREATE INDEX members_left ON members (left_at) WHERE left_at IS NOT NULL");
  const event = "id TEXT PRIMARY KEY, key TEXT NOT NULL, status TEXT NOT NULL, at INTEGER NOT NULL";
  sql.exec(`CREATE TABLE posted (${event}, due_at INTEGER NOT NULL, body TEXT NOT NULL) WITHOUT ROWID, STRICT`);
  sql.exec("CREATE INDEX posted_due ON posted (due_at)");
  sql.exec("CREATE INDEX posted_at ON posted (at, id)");
  sql.exec("CREATE INDEX posted_kept ON posted (key, at, id) WHERE status = 'kept'");
}
