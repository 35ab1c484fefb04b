// Cell storage: the object's rows. A head row holds an execution's state and the tail of its journal, so an ordinary
// commit is one row. Full tails are sealed into page rows; a definition is a row that its executions share. Heads and
// pages are compressed: a row then fits in its B-tree leaf, and a commit writes one page without overflow pages.
import type { JournalEntry } from "#schema/engine/journal.ts";
import { byteLength, jsonBytes } from "#kernel/language/json-values.ts";
import { JOURNAL_PAGE_BYTES, JOURNAL_PAGE_ENTRIES_MAX, JOURNAL_ROW_BYTES_MAX } from "#schema/limits/journal-pages.ts";
import { CELL_BYTES_MAX } from "#schema/limits/large-cells.ts";
import type { Quarantined } from "#schema/engine/quarantine.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { storedDefinitions, packOnce } from "./stored/stored-definitions.ts";
import { keyRows, type HeadKey, type KeyRows } from "./heads/key-rows.ts";
import { residentRows, type ResidentRows } from "./heads/resident-rows.ts";
import { throttledCheck } from "./heads/throttled-check.ts";
import { SCHEMA } from "./migrations.ts";
import { packBody, unpackBody, type PackedBody } from "./stored/packing.ts";
import { openWriting, type Writing } from "./stored/writing.ts";

export type Head = {
  readonly state: ExecutionState;
  /** Journal entries not sealed yet. */
  readonly tail: readonly JournalEntry[];
  /** How many pages are sealed: rows 1 to `pages`. */
  readonly pages: number;
  /** The tail's JSON is cached with it: a commit serializes and measures only what it adds. */
  readonly [SPELLED]?: Spelled;
};

/**
 * Not part of a head's JSON. A separate map would keep these texts until a major collection, long after their heads.
 */
const SPELLED = Symbol("spelled");
/** The text between a list's brackets. */
type Spelled = { readonly inner: string; readonly bytes: number };

/** What the cell needs of a store; the simulator has its own. */
export type CellStorage = KeyRows & {
  readonly roll: ResidentRows;
  /** As stored, whether or not this code can read it. */
  readonly headBody: (execution: string) => PackedBody | null;
  /** Returns its length in characters. */
  readonly writeHead: (head: Head, key: HeadKey) => number;
  readonly readPage: (execution: string, page: number) => readonly JournalEntry[];
  /** How many pages of its journal are sealed, for an unreadable head. */
  readonly countPages: (execution: string) => number;
  readonly writePage: (execution: string, page: number, entries: readonly JournalEntry[]) => void;
  readonly dropPage: (execution: string, page: number) => void;
  readonly hasDefinition: (key: string) => boolean;
  readonly readDefinition: (key: string) => string | null;
  readonly writeDefinition: (key: string, body: string) => void;
  /** Beside the head, which is unchanged. null: released. */
  readonly writeQuarantine: (execution: string, quarantined: Quarantined | null) => void;
  /** The cell's role in its tenant's pool (pool/standing.ts). */
  readonly readPool: () => string | null;
  readonly writePool: (text: string) => void;
  readonly remove: (execution: string) => void;
  /** True if the object holds as much as it may, less a reserve for the existing executions. */
  readonly isFull: () => boolean;
  /** All of `work` or none of it. Unseen: it reads nothing that it writes, so a single row needs no savepoint. */
  readonly atomically: (work: () => void, sight?: "unseen") => void;
  /** Everything written within it reaches the disk together: nothing is awaited in it. */
  readonly together: <T>(work: () => T) => T;
};

const HEAD = 0;
const PLAIN = { wakeAt: null, turn: 0, sent: 0 };
const QUARANTINE = -1;
const POOL = "pool:";
const PAGES = "SELECT COALESCE(MAX(page), 0) AS pages FROM rows WHERE execution = ?";

type CellRows = CellStorage & { readonly reset: () => Promise<void> };

export function sqlStorage(storage: DurableObjectStorage): CellRows {
  const { sql } = storage;
  const there = tablesIn(sql);
  const writing = openWriting(storage);
  const { isReady, recall: recallRows, body, write, put } = openRows(sql, writing, there.has("rows"));
  const { recall, ...roll } = residentRows(sql, writing, there.has("roll"));
  const keep = (name: string, text: string): void => put(name, HEAD, packOnce(text), PLAIN);
  const { forgetDefinitions, ...definitions } = storedDefinitions(body, keep);
  return {
    roll,
    ...keyRows(sql, isReady),
    headBody: (execution) => body(execution, HEAD),
    countPages: (execution) => (isReady() ? sql.exec<{ pages: number }>(PAGES, execution).one().pages : 0),
    writeHead: (head, key) => written(textOf(head), (text) => put(key.execution, HEAD, packBody(text), key)),
    readPage: (execution, page) => JSON.parse(unpackBody(body(execution, page) ?? "[]")) as JournalEntry[],
    writePage: (execution, page, entries) => put(execution, page, packBody(JSON.stringify(entries)), PLAIN),
    dropPage: (execution, page) => write("DELETE FROM rows WHERE execution = ? AND page = ?", execution, page),
    ...definitions,
    readPool: () => body(POOL, HEAD) as string | null, // never packed
    writePool: (text) => put(POOL, HEAD, text, PLAIN),
    writeQuarantine: (execution, quarantined) => {
      if (quarantined)
        put(execution, QUARANTINE, JSON.stringify(quarantined), { ...PLAIN, wakeAt: quarantined.lookAt });
      else write("DELETE FROM rows WHERE execution = ? AND page = ?", execution, QUARANTINE);
    },
    isFull: throttledCheck(() => isReady() && sql.databaseSize > CELL_BYTES_MAX),
    remove: (execution) => write("DELETE FROM rows WHERE execution = ?", execution),
    atomically: (work, sight) => {
      try {
        if (sight === "unseen" && isReady()) writing.atOnce(work);
        else writing.atomically(work);
      } catch (fault) {
        // A table created within it was rolled back too.
        const left = tablesIn(sql);
        recallRows(left.has("rows"));
        recall(left.has("roll"));
        forgetDefinitions();
        throw fault;
      }
    },
    // The platform writes everything since the last await together.
    together: (work) => work(),
    reset: async () => {
      if (!isReady()) return;
      recallRows(false);
      recall(false);
      forgetDefinitions();
      await storage.deleteAll();
    },
  };
}

/** Queried once for both: every standalone execution opens an object, which compiles each statement again. */
function tablesIn(sql: SqlStorage): ReadonlySet<string> {
  const found = sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE name IN ('rows', 'roll')");
  return new Set(found.toArray().map(({ name }) => name));
}

/** The first write creates the table: reading an execution that does not exist must not leave an object behind. */
function openRows(sql: SqlStorage, writing: Writing, isThere: boolean) {
  let ready = isThere;
  const write: Writing["write"] = (query, ...bindings) => {
    if (!ready) writing.write(SCHEMA);
    ready = true;
    writing.write(query, ...bindings);
  };
  return {
    write,
    isReady: () => ready,
    recall: (isThereStill: boolean): void => void (ready = isThereStill),
    body: (execution: string, page: number): PackedBody | null => {
      if (!ready) return null;
      const query = "SELECT body FROM rows WHERE execution = ? AND page = ?";
      return sql.exec<{ body: PackedBody }>(query, execution, page).toArray()[0]?.body ?? null;
    },
    put: (execution: string, page: number, text: PackedBody, key: Omit<HeadKey, "execution">): void =>
      write(
        `INSERT INTO rows (execution, page, wake_at, turn, sent, body) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT DO UPDATE SET wake_at = excluded.wake_at, turn = excluded.turn, sent = excluded.sent, body = excluded.body`,
        execution,
        page,
        key.wakeAt,
        key.turn,
        key.sent,
        text,
      ),
  };
}

/** Returns its unpacked length in characters. */
function written(text: string, put: (text: string) => void): number {
  put(text);
  return text.length;
}

/** Adds entries to the tail; entries beyond one page are sealed, through `seal`. */
export function append(
  head: Head | null,
  state: ExecutionState,
  entries: readonly JournalEntry[],
  seal: (page: number, entries: readonly JournalEntry[]) => void,
): Head {
  const tail = [...(head?.tail ?? []), ...entries];
  const pages = head?.pages ?? 0;
  const whole = head ? joined(spelledIn(head), spell(entries)) : spell(entries);
  const bytes = whole.bytes + 2;
  if (tail.length <= JOURNAL_PAGE_ENTRIES_MAX && bytes <= JOURNAL_PAGE_BYTES)
    return { state, tail, pages, [SPELLED]: whole };
  const sealed = bytes <= JOURNAL_ROW_BYTES_MAX ? [tail] : split(tail);
  sealed.forEach((page, at) => seal(pages + 1 + at, page));
  return { state, tail: [], pages: pages + sealed.length };
}

/** A single entry is far smaller than a row: its content is bounded at the API. */
function split(tail: readonly JournalEntry[]): readonly (readonly JournalEntry[])[] {
  const pages: JournalEntry[][] = [];
  let left = 0;
  for (const entry of tail) {
    const bytes = jsonBytes(entry) + 1;
    if (pages.length === 0 || bytes > left) {
      pages.push([]);
      left = JOURNAL_ROW_BYTES_MAX - 2;
    }
    pages.at(-1)?.push(entry);
    left -= bytes;
  }
  return pages;
}

function spelledIn(head: Head): Spelled {
  return head[SPELLED] ?? spell(head.tail);
}

function spell(entries: readonly JournalEntry[]): Spelled {
  const inner = JSON.stringify(entries).slice(1, -1);
  return { inner, bytes: byteLength(inner) };
}

/** Two lists as one. */
function joined(first: Spelled, second: Spelled): Spelled {
  if (first.bytes === 0 || second.bytes === 0) return first.bytes === 0 ? second : first;
  return { inner: `${first.inner},${second.inner}`, bytes: first.bytes + 1 + second.bytes };
}

function textOf(head: Head): string {
  return `{"state":${JSON.stringify(head.state)},"tail":[${spelledIn(head).inner}],"pages":${head.pages}}`;
}
