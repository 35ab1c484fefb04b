// Directory rows: one for each execution that has or had a correlation key, and one for each published event.
import type { KeyRegistration, PublishedEventQuery, PublishedEventRow } from "#schema/directory/calls.ts";
import type { HostedStorage } from "#objects/host/host.ts";
import type { Store, TableGroup, Tables, Values } from "#objects/host/store.ts";

type Members = {
  /** Returns the registration of an execution; null if it was never registered, or its row was purged. */
  readonly member: (execution: string) => KeyRegistration | null;
  /** Stores a registration. A registration without a key was removed at `at`, epoch ms. */
  readonly putMember: (member: KeyRegistration, at: number) => void;
  readonly members: (key: string, limit: number) => readonly KeyRegistration[];
  /** Deletes at most `limit` registrations that were removed before the time `before`. */
  readonly purgeLeft: (before: number, limit: number) => void;
  /** Returns when the earliest of the stored removals happened, epoch ms; null if no removed registration is stored. */
  readonly oldestLeft: () => number | null;
};
type Events = {
  readonly posted: (id: string) => PublishedEventRow | null;
  readonly putPosted: (row: PublishedEventRow) => void;
  readonly dropPosted: (id: string) => void;
  /**
   * If more than `max` events are stored, deletes the oldest finished events, at most `limit` of them. `reportsBy`: a row that is
   * due before this instant may still report its result, so it stays.
   */
  readonly purgeOldest: (max: number, limit: number, reportsBy: number) => void;
  /** Returns events that wait for an execution with this key, the oldest first. */
  readonly keptFor: (key: string, limit: number) => readonly PublishedEventRow[];
  readonly countKept: () => number;
  /** Returns the event that has been due longest; null if none is due. */
  readonly due: (now: number) => PublishedEventRow | null;
  /** Returns when the next event is due, epoch ms; null if no event will become due. */
  readonly nextDue: () => number | null;
  readonly list: (query: PublishedEventQuery) => readonly PublishedEventRow[];
};
export type DirectoryStorage = HostedStorage & Members & Events;

export function directoryStorage(store: Store): DirectoryStorage {
  const { atomically, reset } = store;
  const tables = store.tables(directoryTables);
  return { atomically, reset, ...openMembers(tables), ...openEvents(tables) };
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
  const events = (query: string, ...bindings: Values): readonly PublishedEventRow[] =>
    rows<{ body: string }>(query, ...bindings).map(({ body }) => JSON.parse(body) as PublishedEventRow); // `putPosted` wrote this JSON
  const count = (where: string): number => rows<{ n: number }>(`SELECT count(*) AS n FROM posted ${where}`)[0]?.n ?? 0;
  return {
    posted: (id) => events("SELECT body FROM posted WHERE id = ?", id)[0] ?? null,
    putPosted: (row) => {
      const { event, at, status, dueAt } = row;
      const put = "INSERT OR REPLACE INTO posted VALUES (?, ?, ?, ?, ?, ?)";
      write(put, event.id, event.key, status, at, dueAt, JSON.stringify(row));
    },
    dropPosted: (id) => write("DELETE FROM posted WHERE id = ?", id),
    purgeOldest: (max, limit, reportsBy) => {
      if (count("") <= max) return;
      const isFinished = "status IN ('delivered', 'undeliverable') AND due_at > ?";
      const oldest = `SELECT id FROM posted WHERE ${isFinished} ORDER BY at LIMIT ?`;
      write(`DELETE FROM posted WHERE id IN (${oldest})`, reportsBy, limit);
    },
    keptFor: (key, limit) =>
      events("SELECT body FROM posted WHERE key = ? AND status = 'kept' ORDER BY at, id LIMIT ?", key, limit),
    countKept: () => count("WHERE status = 'kept'"),
    due: (now) => events("SELECT body FROM posted WHERE due_at <= ? ORDER BY due_at, at, id LIMIT 1", now)[0] ?? null,
    nextDue: () => rows<Instant>("SELECT min(due_at) AS at FROM posted")[0]?.at ?? null,
    list: ({ key, status, before, limit }) =>
      events(
        `SELECT body FROM posted WHERE (?1 IS NULL OR key = ?1) AND (?2 IS NULL OR status = ?2) AND (at, id) < (?3, ?4)
         ORDER BY at DESC, id DESC LIMIT ?5`,
        ...[key, status, before?.at ?? Number.MAX_SAFE_INTEGER, before?.id ?? "", limit],
      ),
  };
}

const memberColumns =
  "execution TEXT PRIMARY KEY, incarnation INTEGER NOT NULL, key TEXT, since INTEGER NOT NULL, left_at INTEGER";
const eventColumns =
  "id TEXT PRIMARY KEY, key TEXT NOT NULL, status TEXT NOT NULL, at INTEGER NOT NULL, due_at INTEGER NOT NULL, body TEXT NOT NULL";

const directoryTables: TableGroup = {
  first: "members",
  create: [
    `CREATE TABLE members (${memberColumns}) WITHOUT ROWID, STRICT`,
    "CREATE INDEX members_key ON members (key) WHERE key IS NOT NULL",
    "CREATE INDEX members_left ON members (left_at) WHERE left_at IS NOT NULL",
    `CREATE TABLE posted (${eventColumns}) WITHOUT ROWID, STRICT`,
    "CREATE INDEX posted_due ON posted (due_at)",
    "CREATE INDEX posted_at ON posted (at, id)",
    "CREATE INDEX posted_kept ON posted (key, at, id) WHERE status = 'kept'",
  ],
};
