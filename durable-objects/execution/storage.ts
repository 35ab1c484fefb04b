// Cell storage: the object's rows. A head row has an execution's state and the tail of its journal, so an ordinary
// commit writes one row. Page rows have full, sealed tails. Executions share the row of their definition. Bodies are
// compressed, so that a row fits in its B-tree leaf.
import type { JournalEntry } from "#schema/engine/journal.ts";
import { byteLength, jsonBytes } from "#kernel/language/json-values.ts";
import { CELL_BYTES_MAX } from "#schema/limits/large-cells.ts";
import { JOURNAL_PAGE_BYTES, JOURNAL_PAGE_ENTRIES_MAX, JOURNAL_ROW_BYTES_MAX } from "#schema/limits/executions.ts";
import type { QuarantineEntry } from "#schema/engine/quarantine.ts";
import type { ExecutionState } from "#schema/engine/state.ts";
import { storedDefinitions, packOnce } from "./stored/stored-definitions.ts";
import { keyRows, type HeadKey, type KeyRows } from "./heads/key-rows.ts";
import { residentRows, type ResidentRows } from "./heads/resident-rows.ts";
import { throttledCheck } from "./heads/throttled-check.ts";
import { SCHEMA } from "./migrations.ts";
import { packBody, unpackBody, type PackedBody } from "./stored/packing.ts";
import { currentEntries } from "./stored/renamed-entries.ts";
import { openWriting, type Writing } from "./stored/writing.ts";

export type Head = {
  readonly state: ExecutionState;
  /** The journal entries that are not sealed into a page yet. */
  readonly tail: readonly JournalEntry[];
  /** The number of sealed pages: the rows 1 to `pages`. */
  readonly pages: number;
  /** The tail's JSON, cached so that a commit only serializes and measures the entries that it adds. */
  readonly [TAIL_TEXT]?: ListText;
};

/**
 * A symbol, so that the cached text is not part of the head's JSON. A separate map would keep the text longer than the
 * head.
 */
const TAIL_TEXT = Symbol("tail text");
/** The JSON text between the brackets of a list, and its size in bytes. */
type ListText = { readonly inner: string; readonly bytes: number };

/** The storage that a cell needs. The simulator has its own implementation. */
export type CellStorage = KeyRows & {
  readonly residentRows: ResidentRows;
  /** Returns the head row as stored, even if this code cannot parse it; null if there is none. */
  readonly headBody: (execution: string) => PackedBody | null;
  /** Writes a head. Returns the length of its text before packing, in characters. */
  readonly writeHead: (head: Head, key: HeadKey) => number;
  readonly readPage: (execution: string, page: number) => readonly JournalEntry[];
  /** Returns the number of sealed pages, for an execution whose head is unreadable. */
  readonly countPages: (execution: string) => number;
  readonly writePage: (execution: string, page: number, entries: readonly JournalEntry[]) => void;
  readonly dropPage: (execution: string, page: number) => void;
  readonly hasDefinition: (key: string) => boolean;
  readonly readDefinition: (key: string) => string | null;
  readonly writeDefinition: (key: string, body: string) => void;
  /** Stores the quarantine in a row beside the unchanged head. null deletes the row. */
  readonly writeQuarantine: (execution: string, quarantined: QuarantineEntry | null) => void;
  /** Returns the cell's role in its tenant's pool, as pool-role.ts wrote it; null if the cell has no role. */
  readonly readPool: () => string | null;
  readonly writePool: (text: string) => void;
  readonly remove: (execution: string) => void;
  /** True if the object has reached its size limit. The limit leaves space for the growth of existing executions. */
  readonly isFull: () => boolean;
  /**
   * Writes everything in `work`, or nothing. "unseen": `work` reads nothing that it writes, so a single row needs no
   * savepoint.
   */
  readonly atomically: (work: () => void, sight?: "unseen") => void;
  /** Runs `work`. Everything that it writes reaches the disk together, because `work` awaits nothing. */
  readonly together: <T>(work: () => T) => T;
};

const BRACKETS_BYTES = 2;
const COMMA_BYTES = 1;
/** The page numbers of a head row and of a quarantine row. The pages of a journal count from 1. */
const HEAD = 0;
const QUARANTINE = -1;
/** The key columns of rows that are not heads. */
const NO_KEY = { wakeAt: null, turn: 0, sent: 0 };
/** The row with the cell's role in its pool. No execution id contains a colon. */
const POOL = "pool:";
const PAGES = "SELECT COALESCE(MAX(page), 0) AS pages FROM rows WHERE execution = ?";

type CellRows = CellStorage & { readonly reset: () => Promise<void> };

export function sqlStorage(storage: DurableObjectStorage): CellRows {
  const { sql } = storage;
  const existing = tablesIn(sql);
  const writing = openWriting(storage);
  const { isReady, setReady, body, write, put } = openRows(sql, writing, existing.has("rows"));
  const { setExists, ...residents } = residentRows(sql, writing, existing.has("roll"));
  const keep = (name: string, text: string): void => put(name, HEAD, packOnce(text), NO_KEY);
  const { forgetDefinitions, ...definitions } = storedDefinitions(body, keep);
  return {
    residentRows: residents,
    ...keyRows(sql, isReady),
    headBody: (execution) => body(execution, HEAD),
    countPages: (execution) => (isReady() ? sql.exec<{ pages: number }>(PAGES, execution).one().pages : 0),
    writeHead: (head, key) => {
      const text = textOf(head);
      put(key.execution, HEAD, packBody(text), key);
      return text.length;
    },
    readPage: (execution, page) =>
      currentEntries(JSON.parse(unpackBody(body(execution, page) ?? "[]")) as readonly JournalEntry[]),
    writePage: (execution, page, entries) => put(execution, page, packBody(JSON.stringify(entries)), NO_KEY),
    dropPage: (execution, page) => write("DELETE FROM rows WHERE execution = ? AND page = ?", execution, page),
    ...definitions,
    readPool: () => body(POOL, HEAD) as string | null, // this row is never packed
    writePool: (text) => put(POOL, HEAD, text, NO_KEY),
    writeQuarantine: (execution, quarantined) => {
      if (quarantined)
        put(execution, QUARANTINE, JSON.stringify(quarantined), { ...NO_KEY, wakeAt: quarantined.lookAt });
      else write("DELETE FROM rows WHERE execution = ? AND page = ?", execution, QUARANTINE);
    },
    isFull: throttledCheck(() => isReady() && sql.databaseSize > CELL_BYTES_MAX),
    remove: (execution) => write("DELETE FROM rows WHERE execution = ?", execution),
    atomically: (work, sight) => {
      try {
        if (sight === "unseen" && isReady()) writing.atomicallyAtEnd(work);
        else writing.atomically(work);
      } catch (fault) {
        // The rollback also removed tables that were created in `work`.
        const remaining = tablesIn(sql);
        setReady(remaining.has("rows"));
        setExists(remaining.has("roll"));
        forgetDefinitions();
        throw fault;
      }
    },
    // The platform writes everything since the last await together.
    together: (work) => work(),
    reset: async () => {
      if (!isReady()) return;
      setReady(false);
      setExists(false);
      forgetDefinitions();
      await storage.deleteAll();
    },
  };
}

/** Checks both tables in one query, because each statement costs a compilation whenever an object opens. */
function tablesIn(sql: SqlStorage): ReadonlySet<string> {
  const found = sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE name IN ('rows', 'roll')");
  return new Set(found.toArray().map(({ name }) => name));
}

/** The first write creates the table, so that a read of an absent execution leaves no storage behind. */
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
    setReady: (exists: boolean): void => void (ready = exists),
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

/** Adds entries to the tail. If the tail then exceeds a page, `seal` stores it as one or more pages. */
export function append(
  head: Head | null,
  state: ExecutionState,
  entries: readonly JournalEntry[],
  seal: (page: number, entries: readonly JournalEntry[]) => void,
): Head {
  const tail = [...(head?.tail ?? []), ...entries];
  const pages = head?.pages ?? 0;
  const text = head ? joined(tailTextOf(head), textOfEntries(entries)) : textOfEntries(entries);
  const bytes = text.bytes + BRACKETS_BYTES;
  if (tail.length <= JOURNAL_PAGE_ENTRIES_MAX && bytes <= JOURNAL_PAGE_BYTES)
    return { state, tail, pages, [TAIL_TEXT]: text };
  const sealed = bytes <= JOURNAL_ROW_BYTES_MAX ? [tail] : split(tail);
  sealed.forEach((page, index) => seal(pages + 1 + index, page));
  return { state, tail: [], pages: pages + sealed.length };
}

/** Splits a tail into pages that fit in a row. A single entry always fits: the API limits its size. */
function split(tail: readonly JournalEntry[]): readonly (readonly JournalEntry[])[] {
  const pages: JournalEntry[][] = [];
  let left = 0;
  for (const entry of tail) {
    const bytes = jsonBytes(entry) + COMMA_BYTES;
    if (pages.length === 0 || bytes > left) {
      pages.push([]);
      left = JOURNAL_ROW_BYTES_MAX - BRACKETS_BYTES;
    }
    pages.at(-1)?.push(entry);
    left -= bytes;
  }
  return pages;
}

function tailTextOf(head: Head): ListText {
  return head[TAIL_TEXT] ?? textOfEntries(head.tail);
}

function textOfEntries(entries: readonly JournalEntry[]): ListText {
  const inner = JSON.stringify(entries).slice(1, -1);
  return { inner, bytes: byteLength(inner) };
}

/** Joins the texts of two lists. */
function joined(first: ListText, second: ListText): ListText {
  if (first.bytes === 0 || second.bytes === 0) return first.bytes === 0 ? second : first;
  return { inner: `${first.inner},${second.inner}`, bytes: first.bytes + COMMA_BYTES + second.bytes };
}

function textOf(head: Head): string {
  return `{"state":${JSON.stringify(head.state)},"tail":[${tailTextOf(head).inner}],"pages":${head.pages}}`;
}
